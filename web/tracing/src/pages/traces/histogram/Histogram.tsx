import { formatLocal } from '@assay/ui/time-format.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { useId } from 'react'
import type { Histogram as Counted } from '../../../api/histogram.ts'
import styles from './histogram.module.css'
import {
  formatCounts,
  type Slot,
  type SlotRange,
  slotTimeRange,
  sumCounts,
  toBars,
  toEnds,
  toSlots,
} from './histogram-scale.ts'
import { useBrush } from './use-brush.ts'

interface Props {
  readonly histogram: Counted
  /** Belongs to the previous filters while the new ones load. */
  readonly isStale: boolean
  readonly onRange: (time: { readonly from: string; readonly to: string }) => void
  readonly onReset: () => void
}

const heightPx = 48

/**
 * Traces and errors over time, with a brush to select a range. Hand-written because chart libraries offer no
 * brush that works with touch, keyboard and screen readers.
 */
export function Histogram({ histogram, isStale, onRange, onReset }: Props) {
  const nowMs = useNow(60_000)
  const helpId = useId()
  const slots = toSlots(histogram)
  const { marked, hovered, handlers } = useBrush({
    slotCount: slots.length,
    onReset,
    onChoose(range) {
      const time = slotTimeRange(slots, range)
      if (time !== undefined && sumCounts(slots, range).count > 0) onRange(time)
    },
  })
  const activeRange =
    marked ?? (hovered === undefined ? undefined : { anchor: hovered, head: hovered })
  const part = 100 / slots.length
  return (
    <div className={styles.root} data-stale={isStale || undefined}>
      <div
        className={styles.chart}
        role="slider"
        tabIndex={0}
        aria-label="Traces over time"
        aria-describedby={helpId}
        aria-valuemin={0}
        aria-valuemax={slots.length - 1}
        aria-valuenow={marked?.head ?? slots.length - 1}
        aria-valuetext={formatRange(slots, marked, nowMs)}
        {...handlers}
      >
        <div className={styles.bars} style={{ height: heightPx }} aria-hidden>
          {toBars(slots, heightPx).map(({ at, okPx, errorPx }) => (
            <div
              key={at}
              className={styles.bar}
              style={{ left: `${at * part}%`, width: `${part}%` }}
            >
              <div className={styles.ok} style={{ height: okPx }} />
              <div className={styles.error} style={{ height: errorPx }} />
            </div>
          ))}
        </div>
        {activeRange !== undefined && (
          <Mark range={activeRange} part={part} isMarked={marked !== undefined} />
        )}
        {activeRange !== undefined && <Hint slots={slots} range={activeRange} nowMs={nowMs} />}
      </div>
      <p id={helpId} hidden>
        Use the arrow keys to move, Shift+arrow to select a range, Enter to filter the list to it
        and Escape to reset.
      </p>
      <Axis slots={slots} histogram={histogram} nowMs={nowMs} />
    </div>
  )
}

interface MarkProps {
  readonly range: SlotRange
  /** The width of a slot in percent. */
  readonly part: number
  readonly isMarked: boolean
}

function Mark({ range, part, isMarked }: MarkProps) {
  const [first, last] = toEnds(range)
  return (
    <div
      className={isMarked ? styles.selected : styles.hovered}
      style={{ left: `${first * part}%`, width: `${(last - first + 1) * part}%` }}
    />
  )
}

interface HintProps {
  readonly slots: readonly Slot[]
  readonly range: SlotRange
  readonly nowMs: number
}

function Hint({ slots, range, nowMs }: HintProps) {
  const [first, last] = toEnds(range)
  const place = (first + last + 1) / 2 / slots.length
  return (
    <div
      className={styles.hint}
      // Shifts inward near the edges so that it is never cut off.
      style={{ left: `${place * 100}%`, transform: `translateX(${place * -100}%)` }}
    >
      {formatRange(slots, range, nowMs)}
    </div>
  )
}

function Axis({ slots, histogram, nowMs }: Omit<HintProps, 'range'> & Pick<Props, 'histogram'>) {
  const first = slots[0]
  const last = slots.at(-1)
  if (first === undefined || last === undefined) return null
  return (
    <div className={styles.axis}>
      <span>{formatLocal(first.startMs, nowMs)}</span>
      {!histogram.is_complete && (
        <span className={styles.part}>
          Partial: counts start at {formatLocal(Date.parse(histogram.complete_from), nowMs)}
        </span>
      )}
      <span>{formatLocal(last.endMs, nowMs)}</span>
    </div>
  )
}

function formatRange(slots: readonly Slot[], range: SlotRange | undefined, nowMs: number): string {
  if (range === undefined) return formatCounts(sumCounts(slots))
  const [first, last] = toEnds(range)
  const startMs = slots[first]?.startMs ?? 0
  const endMs = slots[last]?.endMs ?? 0
  const counts = formatCounts(sumCounts(slots, range))
  return `${formatLocal(startMs, nowMs)} – ${shortEnd(startMs, endMs, nowMs)}: ${counts}`
}

/** Omits the date if it is the same. */
function shortEnd(startMs: number, endMs: number, nowMs: number): string {
  const isSameDay = new Date(startMs).toDateString() === new Date(endMs).toDateString()
  const end = formatLocal(endMs, nowMs)
  return isSameDay ? end.slice(end.lastIndexOf(',') + 2) : end
}
