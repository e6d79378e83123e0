import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import type { Column } from './table-model.ts'

/** In narrower tables, rows are cards: the container query of the style sheet. */
const cardsBelowPx = 600

/** The columns for which the table is wide enough. */
export function useFittingColumns<Row>(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly Column<Row>[],
): readonly Column<Row>[] {
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
  return useMemo(() => fitColumns(columns, widthPx), [columns, widthPx])
}

export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  widthPx: number,
): readonly Column<Row>[] {
  if (widthPx < cardsBelowPx) return columns
  const fits = ({ minTableWidth = 0 }: Column<Row>) => widthPx >= minTableWidth
  return columns.every(fits) ? columns : columns.filter(fits)
}
