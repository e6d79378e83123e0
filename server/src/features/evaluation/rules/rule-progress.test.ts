import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseInstant } from '../../../domain/instant.ts'
import type { Score } from '../../../domain/score.ts'
import type { EvaluationRuleRow } from '../../../storage/accounts/evaluation-tables.ts'
import {
  addCost,
  addOutcome,
  addWaiting,
  countStored,
  countsOfDay,
  isSampled,
  newRuleProgress,
  ruleRunId,
} from './rule-progress.ts'

describe('sampling', () => {
  test('decides the same for a rule and a trace each time, and keeps what a lower rate keeps', () => {
    const rate = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.uuid(), fc.string(), rate, rate, (ruleId, traceId, a, b) => {
        expect(isSampled(ruleId, traceId, a)).toBe(isSampled(ruleId, traceId, a))
        const [low, high] = a < b ? [a, b] : [b, a]
        if (isSampled(ruleId, traceId, low)) expect(isSampled(ruleId, traceId, high)).toBe(true)
        expect(isSampled(ruleId, traceId, 1)).toBe(true)
        expect(isSampled(ruleId, traceId, 0)).toBe(false)
      }),
    )
  })

  test('keeps about the rate of any traces, and others for another rule', () => {
    const count = 4000
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.uuid(),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        (a, b, rate) => {
          const traceIds = Array.from({ length: count }, (_, i) => `trace ${i}`)
          const sampledBy = (id: string) =>
            traceIds.filter((traceId) => isSampled(id, traceId, rate))
          const own = sampledBy(a)
          // Six standard deviations.
          const tolerance = 6 * Math.sqrt(count * rate * (1 - rate))
          expect(Math.abs(own.length - count * rate)).toBeLessThan(tolerance)
          if (a !== b) expect(sampledBy(b)).not.toEqual(own)
        },
      ),
      { numRuns: 20 },
    )
  })
})

test('a rule has one run id for a trace, which no other rule or trace has', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.string(), fc.string(), (rule, other, trace, second) => {
      fc.pre(rule !== other && trace !== second)
      expect(ruleRunId(rule, trace)).toBe(ruleRunId(rule, trace))
      const ids = [ruleRunId(rule, trace), ruleRunId(other, trace), ruleRunId(rule, second)]
      expect(new Set(ids).size).toBe(3)
    }),
  )
})

test.each([
  ['later on the day', '2026-01-02T23:59:59.000Z', 0.75],
  ['after midnight', '2026-01-03T00:00:01.000Z', 0.25],
  ['by a clock that stepped back over midnight', '2026-01-01T23:59:59.000Z', 0.75],
  ['by a clock that stepped back over days', '2025-12-31T23:59:59.000Z', 0.25],
])('a cost that is added %s counts for the limit of the day: %s, %s', (_when, now, expected) => {
  const started = newRuleProgress('2026-01-02T00:00:01.000Z') as EvaluationRuleRow
  const before = { ...started, ...addCost(started, 0.5, '2026-01-02T00:00:02.000Z') }
  const after = { ...before, ...addCost(before, 0.25, now) }
  expect(countsOfDay(after, now).costUsd).toBe(expected)
  expect(after.cost_usd_total).toBe(0.75)
})

describe('results that an interrupted step has stored', () => {
  const at = (second: number) => `2026-01-02T00:00:0${second}.000Z`
  const scoreAt = (second: number) =>
    ({ createdAt: parseInstant(at(second)), costUsd: 0.5 }) as Score
  const before = { ...newRuleProgress(at(0)), last_evaluated_at: at(1) } as EvaluationRuleRow
  const place = { position: '1', settledAt: parseInstant(at(1)) }
  const counted = {
    ...before,
    ...addOutcome(before, { ...place, evaluated: 1, costUsd: 0.5 }, at(3)),
  }

  test.each([
    ['count with their cost', [scoreAt(2)], before, { evaluated: 1, costUsd: 0.5 }],
    [
      'count with their cost after an attempt that failed',
      [scoreAt(3)],
      { ...before, ...addCost(before, 0.25, at(2)) },
      { evaluated: 1, costUsd: 0.5 },
    ],
    [
      'count without their cost if it was counted while they waited',
      [scoreAt(2)],
      { ...before, ...addWaiting(before, 0.5, at(3)) },
      { evaluated: 1, costUsd: 0 },
    ],
    [
      'count with the cost of those of a second evaluation',
      [scoreAt(2), scoreAt(4)],
      { ...before, ...addWaiting(before, 0.5, at(3)) },
      { evaluated: 1, costUsd: 0.5 },
    ],
  ])('%s', (_what, scores, row, expected) => {
    expect(countStored(scores, row, before.last_evaluated_at)).toEqual(expected)
  })

  test('count once, also when their trace changes later', () => {
    expect(countStored([scoreAt(2)], counted, counted.last_evaluated_at)).toEqual({})
  })
})
