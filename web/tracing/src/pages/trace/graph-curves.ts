import type { Box } from './graph-boxes.ts'

/*
 * The edges of a call graph as curves, and their labels where these cover neither a node nor each other.
 */

export interface Point {
  readonly x: number
  readonly y: number
}

/** The four control points of a cubic curve. */
export type Curve = readonly [Point, Point, Point, Point]

/** From the right of the caller to the left of the callee; the other way around for a call back to an earlier layer. */
export function toCurve(from: Box, to: Box): Curve {
  const isBack = to.x <= from.x
  const start = { x: from.x + (isBack ? 0 : from.width), y: from.y + from.height / 2 }
  const end = { x: to.x + (isBack ? to.width : 0), y: to.y + to.height / 2 }
  const bend = Math.max(30, Math.abs(end.x - start.x) / 2) * (isBack ? -1 : 1)
  return [start, { x: start.x + bend, y: start.y }, { x: end.x - bend, y: end.y }, end]
}

export function toPath([start, first, second, end]: Curve): string {
  const text = ({ x, y }: Point) => `${x},${y}`
  return `M${text(start)} C${text(first)} ${text(second)} ${text(end)}`
}

export interface Label {
  readonly id: string
  readonly text: string
  readonly curve: Curve
  /** Preferred at the start of the curve, by default at its end. */
  readonly isAtStart?: boolean
}

const letterPx = 7
const marginPx = 4
const heightPx = 14
/** Shares of the curve to try, from its end. */
const shares = [0.88, 0.78, 0.66, 0.5, 0.34, 0.22, 0.12]

/** The centers of the labels, by id, without those that have no room. */
export function placeLabels(
  labels: readonly Label[],
  nodes: readonly Box[],
): ReadonlyMap<string, Point> {
  const taken = [...nodes]
  const centers = new Map<string, Point>()
  for (const { id, text, curve, isAtStart } of labels) {
    const width = text.length * letterPx + 2 * marginPx
    for (const share of shares) {
      const center = pointAt(curve, isAtStart === true ? 1 - share : share)
      const box = { x: center.x - width / 2, y: center.y - heightPx / 2, width, height: heightPx }
      if (taken.some((one) => overlap(one, box))) continue
      taken.push(box)
      centers.set(id, center)
      break
    }
  }
  return centers
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  )
}

function pointAt([start, first, second, end]: Curve, share: number): Point {
  const rest = 1 - share
  const weights = [rest ** 3, 3 * rest ** 2 * share, 3 * rest * share ** 2, share ** 3]
  const at = (one: (point: Point) => number) =>
    [start, first, second, end].reduce((sum, point, n) => sum + one(point) * (weights[n] ?? 0), 0)
  return { x: at(({ x }) => x), y: at(({ y }) => y) }
}
