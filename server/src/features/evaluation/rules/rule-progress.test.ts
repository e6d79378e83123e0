import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EvaluationRuleRow } from '../../../storage/accounts/evaluation-tables.ts'
import { addCost, countsOfDay, isSampled, newRuleProgress, ruleRunId } from './rule-progress.ts'

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
