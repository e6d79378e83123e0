import type { TimeScale } from '../../spans/time-scale.ts'

/*
 * The part of a trace's time that the waterfall shows, in milliseconds from the start of the trace.
 */

export interface TimeWindow {
  readonly fromMs: number
  readonly toMs: number
}

/** Nothing shorter than this is worth a closer look. */
const shortestMs = 0.01

/** The window that a text of the address names, kept within the trace; the whole for anything else. */
export function windowFrom(text: string | undefined, { lengthMs }: TimeScale): TimeWindow {
  const found = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text ?? '')
  if (found === null) return { fromMs: 0, toMs: lengthMs }
  return kept({ fromMs: Number(found[1]), toMs: Number(found[2]) }, lengthMs)
}

/** The text for the address; empty for the whole. */
export function windowText(window: TimeWindow, scale: TimeScale): string {
  if (isWhole(window, scale)) return ''
  return `${round(window.fromMs)}-${round(window.toMs)}`
}

function round(ms: number): number {
  return Number(ms.toFixed(3))
}

export function isWhole({ fromMs, toMs }: TimeWindow, { lengthMs }: TimeScale): boolean {
  return fromMs <= 0 && toMs >= lengthMs
}

/** Closer by `factor` (further for one below 1), the given instant staying where it is. */
export function zoomed(
  { fromMs, toMs }: TimeWindow,
  { lengthMs }: TimeScale,
  factor: number,
  aroundMs: number,
): TimeWindow {
  const around = Math.min(toMs, Math.max(fromMs, aroundMs))
  const next = {
    fromMs: around - (around - fromMs) / factor,
    toMs: around + (toMs - around) / factor,
  }
  return kept(next, lengthMs)
}

/** The same length, begun at `fromMs` or as near to it as the trace allows. */
export function moved(window: TimeWindow, { lengthMs }: TimeScale, fromMs: number): TimeWindow {
  const length = window.toMs - window.fromMs
  const from = Math.max(0, Math.min(fromMs, lengthMs - length))
  return { fromMs: from, toMs: from + length }
}

/** Moved to the middle of what ran between two instants (since 1970) where nothing of it is shown; else the same. */
export function following(
  window: TimeWindow,
  scale: TimeScale,
  startMs: number,
  endMs: number,
): TimeWindow {
  const from = startMs - scale.startMs
  const to = endMs - scale.startMs
  if (to >= window.fromMs && from <= window.toMs) return window
  return moved(window, scale, (from + to - (window.toMs - window.fromMs)) / 2)
}

/** Between two instants, in whatever order. */
export function between(oneMs: number, otherMs: number, { lengthMs }: TimeScale): TimeWindow {
  return kept({ fromMs: Math.min(oneMs, otherMs), toMs: Math.max(oneMs, otherMs) }, lengthMs)
}

function kept({ fromMs, toMs }: TimeWindow, lengthMs: number): TimeWindow {
  const least = Math.min(shortestMs, lengthMs)
  const from = Math.max(0, Math.min(fromMs, lengthMs - least))
  return { fromMs: from, toMs: Math.min(lengthMs, Math.max(toMs, from + least)) }
}

/** The line on which the window is drawn. */
export function scaleWithin({ startMs }: TimeScale, { fromMs, toMs }: TimeWindow): TimeScale {
  return { startMs: startMs + fromMs, lengthMs: toMs - fromMs }
}
