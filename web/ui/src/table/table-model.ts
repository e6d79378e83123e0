import type { ReactNode, RefObject } from 'react'

/*
 * The data model of a table.
 */

export interface Column<Row> {
  readonly key: string
  /** The header, and the label of the value where rows are stacked. */
  readonly header: string
  /** A tooltip of the header. */
  readonly hint?: string
  readonly cell: (row: Row) => ReactNode
  /** `end` for numbers: aligned right, with digits of equal width. */
  readonly align?: 'end'
  /**
   * A CSS width. Where rows are virtual, columns without one share the rest; if all have one, a narrower table
   * scrolls to the side.
   */
  readonly width?: number | string
  /** Left out where the table is narrower than this many pixels; not where rows are cards. */
  readonly minTableWidth?: number
  /** Makes the column sortable; rows with null come last. */
  readonly sortValue?: (row: Row) => SortValue
  /** Its cells are the row headers. Defaults to the first column. */
  readonly isRowHeader?: boolean
  /** In narrow tables: with its header as a label (default), without it, or not at all. */
  readonly narrow?: 'labeled' | 'bare' | 'hidden'
  /** An additional class for its cells. */
  readonly className?: string | undefined
}

export type SortValue = string | number | null

export interface Sort {
  readonly key: string
  readonly direction: 'ascending' | 'descending'
}

/** The result of a query, paginated or not, as TanStack Query returns it. */
export interface TableQuery<Row> {
  readonly data: readonly Row[] | undefined
  readonly isPending: boolean
  readonly error: Error | null
  readonly refetch: () => unknown
  /** The rows belong to the previous filters. */
  readonly isPlaceholderData?: boolean
  readonly hasNextPage?: boolean
  readonly isFetchingNextPage?: boolean
  readonly isFetchNextPageError?: boolean
  readonly fetchNextPage?: () => unknown
}

export interface RowAction {
  readonly label: string
  readonly onSelect: () => void
  readonly isDanger?: boolean
  readonly isPending?: boolean
  /** Disables the action and explains why. */
  readonly disabledReason?: string | undefined
}

export interface Selection<Row> {
  readonly isSelected: (row: Row) => boolean
  readonly onToggle: (row: Row) => void
  /**
   * Adds a checkbox to the header that selects or deselects all loaded rows. With Shift, a row is then selected with
   * all rows from the last one.
   */
  readonly onToggleAll?: (rows: readonly Row[], isSelected: boolean) => void
}

export interface Details<Row> {
  readonly isOpen: (row: Row) => boolean
  /** Adds a column of buttons. Omitted where a cell has the button. */
  readonly onToggle?: (row: Row) => void
  readonly render: (row: Row) => ReactNode
}

export interface DataTableProps<Row> {
  /** The name of the table for assistive technology. */
  readonly caption: string
  readonly rows: readonly Row[] | TableQuery<Row>
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  /** The name of a row in the labels of its controls: `Remove Ana`. Defaults to its key. */
  readonly rowName?: (row: Row) => string
  /** Shown when there are no rows. */
  readonly empty?: ReactNode
  /** Singular and plural, for a row count above the table. */
  readonly noun?: readonly [one: string, many: string]
  /** Follows the count. */
  readonly countNote?: ReactNode
  readonly actions?: ((row: Row) => readonly RowAction[]) | undefined
  readonly selection?: Selection<Row> | undefined
  readonly details?: Details<Row> | undefined
  /** Makes headers draggable; called with the keys of the moved column and of the one whose place it takes. */
  readonly onMoveColumn?: (key: string, ontoKey: string) => void
  /**
   * Rows are the nodes of a tree in display order, with this depth: row headers are indented, and rows with
   * children can be collapsed.
   */
  readonly depthOf?: (row: Row) => number
  /** An additional class for a row. */
  readonly rowClass?: (row: Row) => string | undefined
  /** A click anywhere on a row activates the link or button in its header cell, or else opens its details. */
  readonly isRowClickable?: boolean
  /** The sort order, if the page controls it, for example in the URL. */
  readonly sort?: Sort | undefined
  readonly onSort?: (sort: Sort) => void
  /**
   * The table fills the height of its parent, scrolls by itself and loads further pages as their rows come near.
   * The row keys (`j`, `k`, arrows, `x`) work on the whole page.
   */
  readonly isFilling?: boolean
  /** The number of rows including those not loaded; null if unknown. Defaults to the visible rows once all are loaded. */
  readonly totalRows?: number | null
  readonly rowHeightPx?: number
  /** The scrollable box and its initial position, for pages that restore it. */
  readonly scrollerRef?: RefObject<HTMLDivElement | null>
  readonly scrollId?: string
  readonly initialScrollTop?: number
}

/** The index of the row header column. */
export function rowHeaderIndex(columns: readonly Column<never>[]): number {
  const marked = columns.findIndex(({ isRowHeader }) => isRowHeader === true)
  return Math.max(0, marked)
}
