import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  coversExactly,
  formatCounts,
  markedByKey,
  type Slot,
  slotAt,
  slotTimeRange,
  sumCounts,
  toBars,
  toSlots,
} from './histogram-scale.ts'

const minute = (at: number) => new Date(Date.UTC(2026, 10, 20, 10, at)).toISOString()

const slots = toSlots({
  from: minute(0),
  to: minute(4),
  bucket_ms: 60_000,
  buckets: [
    { started_at: minute(1), trace_count: 10, error_count: 4 },
    { started_at: minute(3), trace_count: 1, error_count: 0 },
  ],
  is_complete: true,
  complete_from: minute(0),
})

test.each([
  [{}, true],
  [{ from: minute(0), to: minute(4) }, true],
  [{ from: minute(0) }, true],
  [{ from: '2026-11-20T10:00:30Z' }, false],
  [{ from: minute(0), to: '2026-11-20T10:03:30Z' }, false],
  [{ range: '1h' as const }, false],
])('the buckets cover exactly the range %o: %s', (search, isExact) => {
  const histogram = { from: minute(0), to: minute(4), bucket_ms: 60_000, buckets: [] }
  const whole = { ...histogram, is_complete: true, complete_from: minute(0) }
  expect(coversExactly(whole, search)).toBe(isExact)
})

describe('the slots of a histogram', () => {
  test('cover the whole range, including the empty ones that the API omits', () => {
    expect(slots.map(({ count, errorCount }) => [count, errorCount])).toEqual([
      [0, 0],
      [10, 4],
      [0, 0],
      [1, 0],
    ])
    expect(slots.at(-1)?.endMs).toBe(Date.parse(minute(4)))
  })

  test('convert to a time range in either direction, last slot included', () => {
    const time = { from: minute(1), to: minute(3) }
    expect(slotTimeRange(slots, { anchor: 1, head: 2 })).toEqual(time)
    expect(slotTimeRange(slots, { anchor: 2, head: 1 })).toEqual(time)
    expect(slotTimeRange(slots, { anchor: 0, head: 9 })).toBeUndefined()
  })

  test.each([
    [-0.5, 0],
    [0, 0],
    [0.26, 1],
    [0.999, 3],
    [1, 3],
    [7, 3],
  ])('at %d of the width', (place, expected) => {
    expect(slotAt(place, 4)).toBe(expected)
  })

  test('are summed and formatted', () => {
    expect(formatCounts(sumCounts(slots))).toBe('11 traces, 4 with errors')
    expect(formatCounts(sumCounts(slots, { anchor: 3, head: 2 }))).toBe('1 trace')
    expect(formatCounts(sumCounts(slots, { anchor: 2, head: 2 }))).toBe('0 traces')
  })
})

test('bars stay within the height and show every nonzero count', () => {
  const slot = fc
    .tuple(fc.nat({ max: 5000 }), fc.nat({ max: 5000 }))
    .map(([ok, bad]): Slot => ({ startMs: 0, endMs: 1, count: ok + bad, errorCount: bad }))
  fc.assert(
    fc.property(fc.array(slot, { minLength: 1 }), (some) => {
      const bars = toBars(some, 50)
      expect(bars).toHaveLength(some.filter(({ count }) => count > 0).length)
      for (const { at, okPx, errorPx } of bars) {
        const { count = 0, errorCount = 0 } = some[at] ?? {}
        expect(okPx + errorPx).toBeLessThanOrEqual(50)
        expect(errorPx > 0).toBe(errorCount > 0)
        expect(okPx > 0).toBe(count > errorCount)
      }
    }),
  )
})

describe('a key', () => {
  test.each([
    ['ArrowLeft', false, undefined, { anchor: 9, head: 9 }],
    ['ArrowRight', false, undefined, { anchor: 9, head: 9 }],
    ['Home', false, undefined, { anchor: 0, head: 0 }],
    ['ArrowLeft', false, { anchor: 5, head: 5 }, { anchor: 4, head: 4 }],
    ['ArrowLeft', true, { anchor: 5, head: 5 }, { anchor: 5, head: 4 }],
    ['ArrowRight', true, { anchor: 5, head: 4 }, { anchor: 5, head: 5 }],
    ['ArrowRight', false, { anchor: 2, head: 5 }, { anchor: 6, head: 6 }],
    ['End', true, { anchor: 5, head: 5 }, { anchor: 5, head: 9 }],
    ['Home', false, { anchor: 5, head: 5 }, { anchor: 0, head: 0 }],
    ['ArrowLeft', false, { anchor: 0, head: 0 }, { anchor: 0, head: 0 }],
    ['Enter', false, { anchor: 0, head: 0 }, undefined],
    ['constructor', false, undefined, undefined],
  ])('%s, extending: %s, from %o', (key, isExtending, marked, expected) => {
    expect(markedByKey(key, isExtending, marked, 10)).toEqual(expected)
  })
})
