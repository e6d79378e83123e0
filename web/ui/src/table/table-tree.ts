import { useMemo, useState } from 'react'

/*
 * Rows as a tree: a flat list in display order, each row with its depth.
 */

/** The place of a row in the tree. */
export interface Branch {
  readonly depth: number
  /** Undefined for a row without children. */
  readonly isExpanded: boolean | undefined
}

export interface TableTree<Row> {
  readonly branchOf: (row: Row) => Branch
  /** Expands or collapses a row. */
  readonly onToggle: (row: Row) => void
}

/** The rows that are not below a collapsed one; all rows where `depthOf` is undefined. */
export function useTableTree<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  depthOf: ((row: Row) => number) | undefined,
): readonly [visible: readonly Row[], tree: TableTree<Row> | undefined] {
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const [toggle] = useState(() => (row: Row) => {
    setCollapsed((before) => before.symmetricDifference(new Set([rowKey(row)])))
  })
  return useMemo(() => {
    if (depthOf === undefined) return [rows, undefined]
    const isCollapsed = (row: Row) => collapsed.has(rowKey(row))
    const parents = new Set(rows.filter((row, at) => isParent(row, rows[at + 1], depthOf)))
    const branchOf = (row: Row) => ({
      depth: depthOf(row),
      isExpanded: parents.has(row) ? !isCollapsed(row) : undefined,
    })
    return [visibleRows(rows, depthOf, isCollapsed), { branchOf, onToggle: toggle }]
  }, [rows, rowKey, depthOf, collapsed, toggle])
}

function isParent<Row>(row: Row, next: Row | undefined, depthOf: (row: Row) => number): boolean {
  return next !== undefined && depthOf(next) > depthOf(row)
}

/** Leaves out the rows that are deeper than a collapsed row above them. */
export function visibleRows<Row>(
  rows: readonly Row[],
  depthOf: (row: Row) => number,
  isCollapsed: (row: Row) => boolean,
): readonly Row[] {
  let maxDepth = Number.POSITIVE_INFINITY
  return rows.filter((row) => {
    const depth = depthOf(row)
    if (depth > maxDepth) return false
    maxDepth = isCollapsed(row) ? depth : Number.POSITIVE_INFINITY
    return true
  })
}
