import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openLog } from '../../platform/log.ts'
import { openEvaluationRunner } from './evaluation-runner.ts'

test('two evaluations of an organization hold their traces at once, and others still get a turn', async () => {
  const runner = openEvaluationRunner({ log: openLog('error', () => {}) })
  const { promise: end, resolve: finish } = Promise.withResolvers<void>()
  const { signal } = new AbortController()
  const started: string[] = []
  const evaluateFor = (owner: string) =>
    runner.inTurn({ owner, signal }, () => {
      started.push(owner)
      return end
    })
  const many = Array.from({ length: 10 }, () => evaluateFor('many'))
  const one = evaluateFor('one')
  // Whoever has a turn has started by then.
  await setImmediate()
  expect(started.toSorted()).toEqual(['many', 'many', 'one'])
  finish()
  await Promise.all([...many, one])
  expect(started).toHaveLength(11)
  await runner.close()
})
