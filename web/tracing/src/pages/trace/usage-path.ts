import type { UsagePoint } from './usage-series.ts'

export interface UsageFrame {
  readonly widthPx: number
  readonly heightPx: number
  /** Padding above the highest value. */
  readonly topPx: number
  readonly lengthMs: number
  /** The value at the top. */
  readonly most: number
}

/** The SVG path of a step chart. */
export function stepPath(
  points: readonly UsagePoint[],
  valueOf: (point: UsagePoint) => number,
  { widthPx, heightPx, topPx, lengthMs, most }: UsageFrame,
): string {
  const y = (value: number) => rounded(heightPx - 1 - (value / most) * (heightPx - 1 - topPx))
  const steps = points.map(
    (point) => `H${rounded((point.atMs / lengthMs) * widthPx)}V${y(valueOf(point))}`,
  )
  return `M0,${y(0)}${steps.join('')}H${rounded(widthPx)}`
}

function rounded(px: number): number {
  return Math.round(px * 10) / 10
}
