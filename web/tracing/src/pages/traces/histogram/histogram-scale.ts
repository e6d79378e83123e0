import { formatCount } from '@assay/ui/number-format.ts'
import type { Histogram } from '../../../api/histogram.ts'
import type { TraceSearch } from '../../../parts/trace-search.ts'

/*
 * The slots of the histogram: time buckets of equal width with the number of traces that started in each.
 */

export interface Slot {
  readonly startMs: number
  readonly endMs: number
  readonly count: number
  readonly errorCount: number
}

/** Two slots and everything between them, in either order. */
export interface SlotRange {
  readonly anchor: number
  readonly head: number
}

/** All slots, including empty ones. */
export function toSlots({ from, to, bucket_ms, buckets }: Histogram): readonly Slot[] {
  const fromMs = Date.parse(from)
  const length = Math.max(1, Math.round((Date.parse(to) - fromMs) / bucket_ms))
  const counted = new Map(buckets.map((bucket) => [Date.parse(bucket.started_at), bucket]))
  return Array.from({ length }, (_, at) => {
    const startMs = fromMs + at * bucket_ms
    const bucket = counted.get(startMs)
    return {
      startMs,
      endMs: startMs + bucket_ms,
      count: bucket?.trace_count ?? 0,
      errorCount: bucket?.error_count ?? 0,
    }
  })
}

/** Whether no bucket reaches beyond the time range. A relative one starts anywhere. */
export function coversExactly(
  { from, to }: Histogram,
  search: Pick<TraceSearch, 'range' | 'from' | 'to'>,
): boolean {
  const isSame = (bound: string, at: string | undefined) =>
    at === undefined || Date.parse(at) === Date.parse(bound)
  return search.range === undefined && isSame(from, search.from) && isSame(to, search.to)
}

/** The slot at a fraction of the width (0 to 1), clamped. */
export function slotAt(place: number, slotCount: number): number {
  return Math.min(slotCount - 1, Math.max(0, Math.floor(place * slotCount)))
}

/** The first and the last slot of a range. */
export function toEnds({ anchor, head }: SlotRange): readonly [first: number, last: number] {
  return anchor < head ? [anchor, head] : [head, anchor]
}

/** The time range of these slots. */
export function slotTimeRange(
  slots: readonly Slot[],
  range: SlotRange,
): { readonly from: string; readonly to: string } | undefined {
  const [first, last] = toEnds(range)
  const start = slots[first]
  const end = slots[last]
  if (start === undefined || end === undefined) return undefined
  return { from: new Date(start.startMs).toISOString(), to: new Date(end.endMs).toISOString() }
}

export interface Counts {
  readonly count: number
  readonly errorCount: number
}

export function sumCounts(slots: readonly Slot[], range?: SlotRange): Counts {
  const [first, last] = range === undefined ? [0, slots.length - 1] : toEnds(range)
  let count = 0
  let errorCount = 0
  for (const slot of slots.slice(first, last + 1)) {
    count += slot.count
    errorCount += slot.errorCount
  }
  return { count, errorCount }
}

/** `1 trace`, `12 traces, 3 with errors`. */
export function formatCounts({ count, errorCount }: Counts): string {
  const traces = `${formatCount(count)} ${count === 1 ? 'trace' : 'traces'}`
  return errorCount === 0 ? traces : `${traces}, ${formatCount(errorCount)} with errors`
}

export interface Bar {
  readonly at: number
  readonly okPx: number
  readonly errorPx: number
}

/** The heights of the two parts of each bar. A nonzero count is always visible. */
export function toBars(slots: readonly Slot[], heightPx: number): readonly Bar[] {
  const most = Math.max(1, ...slots.map(({ count }) => count))
  return slots.flatMap(({ count, errorCount }, at) => {
    if (count === 0) return []
    const errorPx = partPx(errorCount, most, heightPx)
    const okPx = Math.min(partPx(count - errorCount, most, heightPx), heightPx - errorPx)
    return [{ at, okPx, errorPx }]
  })
}

const leastPx = 2

function partPx(count: number, most: number, heightPx: number): number {
  return count === 0 ? 0 : Math.max(leastPx, (count / most) * heightPx)
}

/** The marked range after a key press; undefined for other keys. */
export function markedByKey(
  key: string,
  isExtending: boolean,
  marked: SlotRange | undefined,
  slotCount: number,
): SlotRange | undefined {
  const last = slotCount - 1
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -10,
    PageUp: 10,
    Home: -slotCount,
    End: slotCount,
  }
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined
  if (step === undefined) return undefined
  // Start at the newest slot.
  if (marked === undefined) {
    const at = key === 'Home' ? 0 : last
    return { anchor: at, head: at }
  }
  const head = Math.min(last, Math.max(0, marked.head + step))
  return { anchor: isExtending ? marked.anchor : head, head }
}
