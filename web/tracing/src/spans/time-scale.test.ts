import { instantMs } from '@assay/ui/time-format.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../test/sample-span.ts'
import { buildTree } from './span-tree.ts'
import { type TimeScale, ticks, toBar, toTimeScale } from './time-scale.ts'

type Times = readonly [startedAt: string, endedAt: string]

const scaleFor = (...spans: readonly Times[]) =>
  toTimeScale(
    buildTree(
      spans.map(([started_at, ended_at], at) =>
        sampleSpan(`s${at}`, null, { started_at, ended_at }),
      ),
    ),
  )
const bar = (scale: TimeScale, [startedAt, endedAt]: Times) =>
  toBar(scale, instantMs(startedAt), instantMs(endedAt))

describe('the time scale', () => {
  test('spans the first start and the last end, even of different spans', () => {
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

  test('distinguishes spans within one millisecond', () => {
    const scale = scaleFor(['2026-11-20T10:00:00.000100Z', '2026-11-20T10:00:00.000300Z'])
    const half = bar(scale, ['2026-11-20T10:00:00.000200Z', '2026-11-20T10:00:00.000300Z'])
    expect(half?.leftPercent).toBeCloseTo(50, 0)
  })

  test.each<[string, number, number, object | undefined]>([
    ['clipped at the start', 50, 150, { leftPercent: 0, widthPercent: 50 }],
    ['clipped at the end', 150, 400, { leftPercent: 50, widthPercent: 50 }],
    ['not before the range', 0, 99, undefined],
    ['not after the range', 201, 300, undefined],
    ['for an instant', 200, 200, { leftPercent: 100, widthPercent: 0 }],
  ])('shows a bar %s', (_name, from, to, expected) => {
    expect(toBar({ startMs: 100, lengthMs: 100 }, from, to)).toEqual(expected)
  })

  test('has a length even without spans or for one instant', () => {
    const instant = '2026-11-20T10:00:00Z'
    for (const scale of [scaleFor(), scaleFor([instant, instant])]) {
      expect(scale.lengthMs).toBeGreaterThan(0)
    }
  })

  test('has few, evenly spaced ticks from 0 within the range', () => {
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
