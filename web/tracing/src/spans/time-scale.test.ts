import { instantMs } from '@assay/ui/time-format.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../test/sample-span.ts'
import { buildTree } from './span-tree.ts'
import { barOf, scaleOf, type TimeScale, ticks } from './time-scale.ts'

type Times = readonly [startedAt: string, endedAt: string]

const scaleFor = (...spans: readonly Times[]) =>
  scaleOf(
    buildTree(
      spans.map(([started_at, ended_at], at) =>
        sampleSpan(`s${at}`, null, { started_at, ended_at }),
      ),
    ),
  )
const bar = (scale: TimeScale, [startedAt, endedAt]: Times) =>
  barOf(scale, instantMs(startedAt), instantMs(endedAt))

describe('the time line', () => {
  test('reaches from the first start to the last end, which need not be of one span', () => {
    const scale = scaleFor(
      ['2026-11-20T10:00:01Z', '2026-11-20T10:00:02Z'],
      ['2026-11-20T10:00:00Z', '2026-11-20T10:00:01Z'],
      ['2026-11-20T10:00:01Z', '2026-11-20T10:00:04Z'],
    )
    expect(scale.lengthMs).toBe(4000)
    expect(bar(scale, ['2026-11-20T10:00:01Z', '2026-11-20T10:00:02Z'])).toEqual({
      leftPercent: 25,
      widthPercent: 25,
    })
  })

  test('tells spans within one millisecond apart', () => {
    const scale = scaleFor(['2026-11-20T10:00:00.000100Z', '2026-11-20T10:00:00.000300Z'])
    const half = bar(scale, ['2026-11-20T10:00:00.000200Z', '2026-11-20T10:00:00.000300Z'])
    expect(half?.leftPercent).toBeCloseTo(50, 0)
  })

  test.each<[string, number, number, object | undefined]>([
    ['as far as it reaches into it', 50, 150, { leftPercent: 0, widthPercent: 50 }],
    ['as far as it does not leave it', 150, 400, { leftPercent: 50, widthPercent: 50 }],
    ['not at all before it', 0, 99, undefined],
    ['not at all behind it', 201, 300, undefined],
    ['as an instant', 200, 200, { leftPercent: 100, widthPercent: 0 }],
  ])('shows a bar %s', (_name, from, to, expected) => {
    expect(barOf({ startMs: 100, lengthMs: 100 }, from, to)).toEqual(expected)
  })

  test('of no spans, or of one instant, can still be drawn', () => {
    const instant = '2026-11-20T10:00:00Z'
    for (const scale of [scaleFor(), scaleFor([instant, instant])]) {
      expect(scale.lengthMs).toBeGreaterThan(0)
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
