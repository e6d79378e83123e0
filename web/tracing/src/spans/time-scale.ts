import type { SpanTree } from './span-tree.ts'

/*
 * Positions spans on the time axis of a trace.
 */

export interface TimeScale {
  readonly startMs: number
  /** Never 0, even for a trace of one instant. */
  readonly lengthMs: number
}

export interface Bar {
  readonly leftPercent: number
  readonly widthPercent: number
}

/** From the first start to the last end. */
export function toTimeScale({
  startMs: starts,
  endMs: ends,
}: Pick<SpanTree, 'startMs' | 'endMs'>): TimeScale {
  let startMs = Infinity
  let endMs = -Infinity
  for (const one of starts) startMs = Math.min(startMs, one)
  for (const one of ends) endMs = Math.max(endMs, one)
  if (startMs > endMs) return { startMs: 0, lengthMs: 1 }
  return { startMs, lengthMs: endMs - startMs || 1 }
}

/** Clipped to the scale; undefined if outside. */
export function toBar(scale: TimeScale, startMs: number, endMs: number): Bar | undefined {
  const from = startMs - scale.startMs
  const to = endMs - scale.startMs
  if (to < 0 || from > scale.lengthMs) return undefined
  const left = percent(scale, from)
  return { leftPercent: left, widthPercent: percent(scale, to) - left }
}

function percent({ lengthMs }: TimeScale, offsetMs: number): number {
  return Math.min(100, Math.max(0, (offsetMs / lengthMs) * 100))
}

/** Beyond this fraction there is no room for a tick label. */
const lastMark = 0.85

/** Round offsets for tick marks, starting at 0. */
export function ticks({ lengthMs }: TimeScale, most: number): readonly number[] {
  const stepMs = roundStep(lengthMs / most)
  const marks: number[] = []
  for (let at = 0; at * stepMs <= lengthMs * lastMark && at < most; at += 1) marks.push(at * stepMs)
  return marks
}

const niceMs = [
  1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000,
  3_600_000, 7_200_000, 14_400_000, 21_600_000, 43_200_000, 86_400_000,
]

/** Rounds up to 1, 2 or 5 times a power of ten, or to a clock unit. */
function roundStep(shortestMs: number): number {
  if (shortestMs > 500) {
    const nice = niceMs.find((one) => one >= shortestMs)
    if (nice !== undefined) return nice
  }
  const power = 10 ** Math.floor(Math.log10(shortestMs))
  return ([1, 2, 5, 10].find((one) => one * power >= shortestMs) ?? 10) * power
}
