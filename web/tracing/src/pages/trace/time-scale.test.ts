import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../../test/sample-span.ts'
import { barOf, scaleOf, ticks } from './time-scale.ts'

const span = (startedAt: string, endedAt: string) =>
  sampleSpan('s', null, { started_at: startedAt, ended_at: endedAt })

describe('the time line', () => {
  test('reaches from the first start to the last end, which need not be of one span', () => {
    const spans = [
      span('2026-11-20T10:00:01Z', '2026-11-20T10:00:02Z'),
      span('2026-11-20T10:00:00Z', '2026-11-20T10:00:01Z'),
      span('2026-11-20T10:00:01Z', '2026-11-20T10:00:04Z'),
    ]
    const scale = scaleOf(spans)
    expect(scale.lengthMs).toBe(4000)
    expect(barOf(scale, '2026-11-20T10:00:01Z', '2026-11-20T10:00:02Z')).toEqual({
      leftPercent: 25,
      widthPercent: 25,
    })
  })

  test('tells spans within one millisecond apart', () => {
    const scale = scaleOf([span('2026-11-20T10:00:00.000100Z', '2026-11-20T10:00:00.000300Z')])
    const bar = barOf(scale, '2026-11-20T10:00:00.000200Z', '2026-11-20T10:00:00.000300Z')
    expect(bar.leftPercent).toBeCloseTo(50, 0)
  })

  test('of no spans, or of one instant, can still be drawn', () => {
    const instant = '2026-11-20T10:00:00Z'
    for (const scale of [scaleOf([]), scaleOf([span(instant, instant)])]) {
      const { leftPercent, widthPercent } = barOf(scale, instant, instant)
      expect(leftPercent + widthPercent).toBeLessThanOrEqual(100)
    }
  })

  test('has marks that begin at 0, are evenly spaced, few, and within the line', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 1e10, noNaN: true }),
        fc.integer({ min: 2, max: 8 }),
        (lengthMs, most) => {
          const marks = ticks({ startMs: 0, lengthMs }, most)
          expect(marks[0]).toBe(0)
          expect(marks.length).toBeLessThanOrEqual(most)
          const step = marks[1] ?? lengthMs
          for (const [at, mark] of marks.entries()) {
            expect(mark).toBe(at * step)
            expect(mark).toBeLessThanOrEqual(lengthMs)
          }
        },
      ),
    )
  })
})
