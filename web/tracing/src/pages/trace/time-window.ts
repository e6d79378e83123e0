import type { TimeScale } from '../../spans/time-scale.ts'

/*
 * The visible part of the waterfall, in milliseconds since the start of the trace.
 */

export interface TimeWindow {
  readonly fromMs: number
  readonly toMs: number
}

/** The maximum zoom. */
const shortestMs = 0.01

/** Parses the URL parameter and clamps it to the trace; the whole trace for invalid text. */
export function windowFrom(text: string | undefined, { lengthMs }: TimeScale): TimeWindow {
  const found = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text ?? '')
  if (found === null) return { fromMs: 0, toMs: lengthMs }
  return kept({ fromMs: Number(found[1]), toMs: Number(found[2]) }, lengthMs)
}

/** The URL parameter; empty for the whole trace. */
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

/** Zooms by `factor` (out if below 1) around a fixed instant. */
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

/** Moves the window to `fromMs`, clamped to the trace. */
export function moved(window: TimeWindow, { lengthMs }: TimeScale, fromMs: number): TimeWindow {
  const length = window.toMs - window.fromMs
  const from = Math.max(0, Math.min(fromMs, lengthMs - length))
  return { fromMs: from, toMs: from + length }
}

/** Centers the window on a span given in epoch milliseconds, unless part of it is already visible. */
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

/** Between two instants in either order. */
export function between(oneMs: number, otherMs: number, { lengthMs }: TimeScale): TimeWindow {
  return kept({ fromMs: Math.min(oneMs, otherMs), toMs: Math.max(oneMs, otherMs) }, lengthMs)
}

function kept({ fromMs, toMs }: TimeWindow, lengthMs: number): TimeWindow {
  const least = Math.min(shortestMs, lengthMs)
  const from = Math.max(0, Math.min(fromMs, lengthMs - least))
  return { fromMs: from, toMs: Math.min(lengthMs, Math.max(toMs, from + least)) }
}

export function scaleWithin({ startMs }: TimeScale, { fromMs, toMs }: TimeWindow): TimeScale {
  return { startMs: startMs + fromMs, lengthMs: toMs - fromMs }
}
