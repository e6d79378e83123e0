import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

interface Options<Row> {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly rows: readonly Row[]
  /** Only the function of the first render is used. */
  readonly rowKey: (row: Row) => string
  readonly rowHeightPx: number
  readonly initialScrollTop: number
  /** Otherwise, all rows are rendered. */
  readonly isVirtual: boolean
}

export interface RowWindow {
  readonly indexes: readonly number[]
  /** The height of the rows that are not rendered. */
  readonly beforePx: number
  readonly afterPx: number
  readonly measure: ((element: HTMLElement | null) => void) | undefined
  readonly reveal: (index: number) => void
}

/** The rows in view. They keep their position while others are inserted above. */
export function useVirtualRows<Row>(options: Options<Row>): RowWindow {
  const { scroller, rows, rowKey, rowHeightPx, initialScrollTop, isVirtual } = options
  const [keyOf] = useState(() => rowKey)
  // The virtualizer recomputes all keys for a new function, and every scroll step renders this.
  const getItemKey = useCallback(
    (index: number) => {
      const row = rows[index]
      return row === undefined ? index : keyOf(row)
    },
    [rows, keyOf],
  )
  // oxlint-disable-next-line react/incompatible-library -- the compiler is not in use, and nothing here is memoized on what the virtualizer returns
  const virtual = useVirtualizer({
    count: rows.length,
    enabled: isVirtual,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    getItemKey,
    overscan: 12,
    initialOffset: initialScrollTop,
  })

  const before = useRef(rows)
  useLayoutEffect(() => {
    const old = before.current
    before.current = rows
    const element = scroller.current
    if (!isVirtual || old === rows || element === null || element.scrollTop === 0) return
    const at = Math.min(old.length - 1, Math.floor(element.scrollTop / rowHeightPx))
    const anchor = old[at]
    if (anchor === undefined) return
    const now = rows.findIndex((row) => keyOf(row) === keyOf(anchor))
    if (now > at) element.scrollBy({ top: (now - at) * rowHeightPx })
  }, [scroller, rows, keyOf, isVirtual, rowHeightPx])

  if (!isVirtual) {
    const indexes = rows.map((_, index) => index)
    return { indexes, beforePx: 0, afterPx: 0, measure: undefined, reveal: () => undefined }
  }
  const items = virtual.getVirtualItems()
  return {
    indexes: items.map(({ index }) => index),
    beforePx: items[0]?.start ?? 0,
    afterPx: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    measure: virtual.measureElement,
    reveal: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  }
}
