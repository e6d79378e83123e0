import type { SpanTree } from '../../spans/span-tree.ts'
import type { TimeScale } from '../../spans/time-scale.ts'
import { lineOf } from './row-line.ts'
import type { TreeRow } from './tree-rows.ts'

/*
 * The whole waterfall as a small grid: a line of the grid for each row, or one for many rows where there are
 * more rows than lines.
 */

export interface MinimapBar {
  /** Shares of the width, 0 to 1. */
  readonly from: number
  readonly to: number
  readonly isError: boolean
}

export interface ColoredBar extends MinimapBar {
  /** 1 to 255; 0 stays for what is empty. */
  readonly color: number
}

export interface MinimapSize {
  readonly width: number
  readonly height: number
  /** A row is never drawn higher than this, however few there are. */
  readonly maxRowHeight: number
}

/** A bar for each row, with the kind whose color it has. What hides an error counts as one. */
export function minimapBars(
  rows: readonly TreeRow[],
  tree: SpanTree,
  { startMs, lengthMs }: TimeScale,
): readonly (MinimapBar & { readonly kind: string })[] {
  return rows.map((row) => {
    const line = lineOf(row, tree)
    return {
      from: ((line?.startMs ?? startMs) - startMs) / lengthMs,
      to: ((line?.endMs ?? startMs) - startMs) / lengthMs,
      isError: line !== undefined && (line.isError || line.errorsHidden > 0),
      kind: line?.node.span.kind ?? '',
    }
  })
}

/** An error among thousands of rows has to be seen: its bar is at least this wide. */
const errorWidth = 3

/** The color of each cell, line by line. Errors lie on top of all else. */
export function minimapCells(bars: readonly ColoredBar[], size: MinimapSize): Uint8Array {
  const { width, height } = size
  const cells = new Uint8Array(width * height)
  const band = rowHeight(bars.length, size)
  for (const isError of [false, true]) {
    for (const [row, bar] of bars.entries()) {
      if (bar.isError !== isError) continue
      const { left, right } = columnsOf(bar, width)
      const top = Math.min(height - 1, Math.floor(row * band))
      const bottom = Math.min(height, Math.max(top + 1, Math.ceil((row + 1) * band) - gapOf(band)))
      for (let line = top; line < bottom; line += 1) {
        cells.fill(bar.color, line * width + left, line * width + right)
      }
    }
  }
  return cells
}

/** How high a row is drawn; below 1 where rows share a line. */
export function rowHeight(rows: number, { height, maxRowHeight }: MinimapSize): number {
  return Math.min(maxRowHeight, height / Math.max(1, rows))
}

function gapOf(band: number): number {
  return band >= 3 ? 1 : 0
}

function columnsOf({ from, to, isError }: MinimapBar, width: number) {
  const least = isError ? errorWidth : 1
  const left = Math.max(0, Math.min(width - least, Math.floor(from * width)))
  const right = Math.min(width, Math.max(left + least, Math.ceil(to * width)))
  return { left, right }
}
