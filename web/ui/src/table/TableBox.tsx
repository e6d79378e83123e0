import { Loader } from '@mantine/core'
import { use, useEffect, useRef } from 'react'
import { FailureView } from '../failure-view.tsx'
import { TableHead } from './TableHead.tsx'
import { TableRows } from './TableRows.tsx'
import styles from './table.module.css'
import type { DataTableProps, TableQuery } from './table-model.ts'
import { nextSort } from './table-sort.ts'
import type { TableTree } from './table-tree.ts'
import { useFittingColumns } from './use-fitting-columns.ts'
import { useOverflowCue } from './use-overflow-cue.ts'
import { useRangeSelect } from './use-range-select.ts'
import { useRowFocus } from './use-row-focus.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

interface Props<Row> extends DataTableProps<Row> {
  readonly rows: readonly Row[]
  readonly query: TableQuery<Row> | undefined
  readonly isVirtual: boolean
  readonly tree: TableTree<Row> | undefined
}

/** Loads the next page when this many rows are left; more after the first scroll, which may be fast. */
const rowsAhead = { atRest: 50, scrolled: 250 }

/** The table in a scrollable box. */
export function TableBox<Row>(props: Props<Row>) {
  const { caption, rows, rowKey, query, selection, sort, onSort, isVirtual } = props
  const { isFilling = false, rowHeightPx = 40, initialScrollTop = 0 } = props
  const { totalRows = query?.hasNextPage === true ? null : rows.length } = props
  const ownScroller = useRef<HTMLDivElement>(null)
  const scroller = props.scrollerRef ?? ownScroller
  const table = useRef<HTMLTableElement>(null)
  useOverflowCue(scroller)
  const columns = useFittingColumns(scroller, props.columns, sort)
  const select = useRangeSelect(rows, rowKey, selection)
  const visible = useVirtualRows({
    ...{ scroller, rows, rowKey, rowHeightPx, initialScrollTop, isVirtual },
  })
  useRowFocus({
    table,
    rowCount: rows.length,
    isPageWide: isFilling,
    reveal: visible.reveal,
    onToggle: select,
  })
  const ahead = visible.beforePx === 0 ? rowsAhead.atRest : rowsAhead.scrolled
  useNextPage(query, isFilling && (visible.indexes.at(-1) ?? 0) >= rows.length - ahead)
  const isStale = query?.isPlaceholderData === true
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      data-filling={isFilling || undefined}
      data-virtual={isVirtual || undefined}
      data-stale={isStale || undefined}
      data-scroll-restoration-id={props.scrollId}
    >
      <table
        ref={table}
        className={styles.table}
        aria-busy={isStale}
        {...(isVirtual ? { 'aria-rowcount': totalRows === null ? -1 : totalRows + 1 } : {})}
      >
        <caption className="visually-hidden">{caption}</caption>
        <TableHead
          {...{ columns, rows, sort, selection }}
          onMoveColumn={props.onMoveColumn}
          onSort={(column) => onSort?.(nextSort(column, sort))}
          hasDetails={props.details?.onToggle !== undefined}
          hasActions={props.actions !== undefined}
        />
        <TableRows {...props} {...{ columns, visible }} onSelect={select} />
      </table>
      {isFilling && query !== undefined && <FillingEnd query={query} />}
    </div>
  )
}

function useNextPage(query: TableQuery<unknown> | undefined, isNearEnd: boolean): void {
  const { hasNextPage = false, isFetchingNextPage, error, fetchNextPage } = query ?? {}
  const isDue = isNearEnd && hasNextPage && isFetchingNextPage !== true && error === null
  useEffect(() => {
    if (isDue) void fetchNextPage?.()
  }, [isDue, fetchNextPage])
}

function FillingEnd({ query }: { readonly query: TableQuery<unknown> }) {
  const showFailure = use(FailureView)
  if (query.error !== null) {
    const retry = query.isFetchNextPageError === true ? query.fetchNextPage : query.refetch
    return showFailure(query.error, () => void retry?.())
  }
  if (query.isFetchingNextPage !== true) return null
  return (
    <div className={styles.loading} role="status">
      <Loader size="xs" /> Loading more
    </div>
  )
}
