import type { SpanTree } from '../../spans/span-tree.ts'
import type { TimeScale } from '../../spans/time-scale.ts'
import { toRowLine } from './row-line.ts'
import type { TreeRow } from './tree-rows.ts'

/*
 * The waterfall as a small grid: one grid line per row, or one for several rows if there are more rows than lines.
 */

export interface MinimapBar {
  /** Fractions of the width, 0 to 1. */
  readonly from: number
  readonly to: number
  readonly isError: boolean
}

export interface ColoredBar extends MinimapBar {
  /** 1 to 255; 0 means empty. */
  readonly color: number
}

export interface MinimapSize {
  readonly width: number
  readonly height: number
  /** The maximum height of a row. */
  readonly maxRowHeight: number
}

export const maxRowPx = 5

/** Small traces get a lower strip, without an empty rest. */
export function minimapHeight(spanCount: number): number {
  return Math.min(48, Math.max(2, spanCount) * maxRowPx)
}

/** One bar per row. A collapsed row with a hidden error counts as an error. */
export function minimapBars(
  rows: readonly TreeRow[],
  tree: SpanTree,
  { startMs, lengthMs }: TimeScale,
): readonly (MinimapBar & { readonly kind: string })[] {
  return rows.map((row) => {
    const line = toRowLine(row, tree)
    return {
      from: ((line?.startMs ?? startMs) - startMs) / lengthMs,
      to: ((line?.endMs ?? startMs) - startMs) / lengthMs,
      isError: line !== undefined && (line.isError || line.errorsHidden > 0),
      kind: line?.node.span.kind ?? '',
    }
  })
}

/** The minimum width of an error, so that it is visible among thousands of rows. */
const errorWidth = 3

/** The color of each cell, line by line. Errors are drawn on top. */
export function minimapCells(bars: readonly ColoredBar[], size: MinimapSize): Uint8Array {
  const { width, height } = size
  const cells = new Uint8Array(width * height)
  const band = rowHeight(bars.length, size)
  for (const isError of [false, true]) {
    for (const [row, bar] of bars.entries()) {
      if (bar.isError !== isError) continue
      const { left, right } = toColumnRange(bar, width)
      const top = Math.min(height - 1, Math.floor(row * band))
      const bottom = Math.min(height, Math.max(top + 1, Math.ceil((row + 1) * band) - getGap(band)))
      for (let line = top; line < bottom; line += 1) {
        cells.fill(bar.color, line * width + left, line * width + right)
      }
    }
  }
  return cells
}

/** The height of a row; below 1 if rows share a line. */
export function rowHeight(rows: number, { height, maxRowHeight }: MinimapSize): number {
  return Math.min(maxRowHeight, height / Math.max(1, rows))
}

function getGap(band: number): number {
  return band >= 3 ? 1 : 0
}

function toColumnRange({ from, to, isError }: MinimapBar, width: number) {
  const least = isError ? errorWidth : 1
  const left = Math.max(0, Math.min(width - least, Math.floor(from * width)))
  const right = Math.min(width, Math.max(left + least, Math.ceil(to * width)))
  return { left, right }
}
