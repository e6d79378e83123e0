import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import type { Column, Sort } from './table-model.ts'
import { withSortedColumn } from './table-sort.ts'

/** In narrower tables, rows are cards: the container query of the style sheet. */
const cardsBelowPx = 600

/** The columns for which the table is wide enough; on cards, also the one that rows are sorted by. */
export function useFittingColumns<Row>(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly Column<Row>[],
  sort: Sort | undefined,
): readonly Column<Row>[] {
  const sortKey = sort?.key
  const isLimited = columns.some(({ minTableWidth }) => minTableWidth !== undefined)
  const [widthPx, setWidth] = useState(Number.POSITIVE_INFINITY)
  useLayoutEffect(() => {
    const box = scroller.current
    if (box === null || !isLimited) return
    const update = () => setWidth(box.clientWidth)
    update()
    const sizes = new ResizeObserver(update)
    sizes.observe(box)
    return () => sizes.disconnect()
  }, [scroller, isLimited])
  return useMemo(
    () => withSortedColumn(fitColumns(columns, widthPx), sortKey),
    [columns, widthPx, sortKey],
  )
}

export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  widthPx: number,
): readonly Column<Row>[] {
  if (widthPx < cardsBelowPx) return columns
  const fits = ({ minTableWidth = 0 }: Column<Row>) => widthPx >= minTableWidth
  return columns.every(fits) ? columns : columns.filter(fits)
}
