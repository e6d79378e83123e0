import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineReader } from './json-lines.ts'

test('lines are the same however the stream is cut, without blank ones', () => {
  const values = fc.array(fc.oneof(fc.jsonValue(), fc.constant(undefined)), { maxLength: 20 })
  fc.assert(
    fc.property(values, fc.array(fc.nat(200)), (all, cuts) => {
      const lines = all.map((value) => (value === undefined ? '' : JSON.stringify(value)))
      const text = lines.map((line) => `${line}\n`).join('')
      const readLines = lineReader()
      const read: string[] = []
      let from = 0
      for (const to of [...cuts.toSorted((a, b) => a - b), text.length]) {
        read.push(...readLines(text.slice(from, Math.max(from, to))))
        from = Math.max(from, to)
      }
      expect(read).toEqual(lines.filter(Boolean))
    }),
  )
})

test('a line without an end is not read', () => {
  const readLines = lineReader()
  expect(readLines('{"type":"started"}\n{"type":"comp')).toEqual(['{"type":"started"}'])
  expect(readLines('leted"}')).toEqual([])
})
