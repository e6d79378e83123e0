import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSampled, ruleRunId } from './rule-progress.ts'

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
