import { expect, test } from 'vitest'
import { openCommittedValues } from './committed-values.ts'

test('a value that comes back late does not replace what was typed since', () => {
  const values = openCommittedValues('')
  expect([values.commit('re'), values.commit('refund')]).toEqual([true, true])
  expect([values.receive('re'), values.receive('refund')]).toEqual([false, false])
})

test('a value that a later one has overtaken is not waited for', () => {
  const values = openCommittedValues('')
  values.commit('re')
  values.commit('refund')
  expect(values.receive('refund')).toBe(false)
  // Back navigation.
  expect(values.receive('re')).toBe(true)
})

test('a change by others is followed, and needs no commit', () => {
  const values = openCommittedValues('refund')
  expect(values.receive('invoice')).toBe(true)
  expect(values.commit('invoice')).toBe(false)
  expect(values.commit('refund')).toBe(true)
})
