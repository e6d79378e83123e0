/*
 * Where points and their labels are in a chart, in pixels, so that none covers another.
 */

export interface Point {
  readonly label: string
  readonly x: number
  readonly y: number
}

export type Placed<P extends Point> = P & {
  /** Of the point at which there is room for the label; undefined if there is none. */
  readonly side: Side | undefined
}

const sides = ['right', 'left', 'above', 'below'] as const
export type Side = (typeof sides)[number]

export const pointSize = 18
const charWidth = 7
const lineHeight = 16
const gap = 3

/** @param points the most important ones first: they get the best places. */
export function placePoints<P extends Point>(
  points: readonly P[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly Placed<P>[] {
  const apart = separate(points, width)
  const taken = apart.map(pointBox)
  return apart.map((point) => {
    const side = sides.find((one) => {
      const box = labelBox(point, one)
      const isInside =
        box.left >= 0 && box.right <= width && box.top >= -lineHeight && box.bottom <= height
      return isInside && taken.every((other) => !overlap(box, other))
    })
    if (side !== undefined) taken.push(labelBox(point, side))
    return { ...point, side }
  })
}

/** Points that would cover another one are moved beside it, toward the middle. */
function separate<P extends Point>(points: readonly P[], width: number): readonly P[] {
  const apart: P[] = []
  for (const point of points) {
    const step = point.x > width / 2 ? -1 : 1
    let moved = point
    while (apart.some((other) => overlap(pointBox(moved), pointBox(other)))) {
      moved = { ...moved, x: moved.x + step }
    }
    apart.push(moved)
  }
  return apart
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

function pointBox({ x, y }: Point): Box {
  const half = pointSize / 2
  return { left: x - half, right: x + half, top: y - half, bottom: y + half }
}

function labelBox({ label, x, y }: Point, side: Side): Box {
  const labelWidth = label.length * charWidth
  const away = pointSize / 2 + gap
  const [left, top] = {
    right: [x + away, y - lineHeight / 2],
    left: [x - away - labelWidth, y - lineHeight / 2],
    above: [x - labelWidth / 2, y - away - lineHeight],
    below: [x - labelWidth / 2, y + away],
  }[side] as [number, number]
  return { left, top, right: left + labelWidth, bottom: top + lineHeight }
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}
