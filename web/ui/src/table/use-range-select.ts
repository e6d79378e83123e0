import { useRef } from 'react'
import type { Selection } from './table-model.ts'

/** Selects a row, or, as a range, all rows from the one selected before to it. Both take the index of the row. */
export function useRangeSelect<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  selection: Selection<Row> | undefined,
): (index: number, isRange: boolean) => void {
  const anchorKey = useRef<string>(undefined)
  return (index, isRange) => {
    const row = rows[index]
    if (row === undefined || selection === undefined) return
    const { isSelected, onToggle, onToggleAll } = selection
    const anchor = rows.findIndex((one) => rowKey(one) === anchorKey.current)
    anchorKey.current = rowKey(row)
    if (!isRange || anchor === -1 || onToggleAll === undefined) onToggle(row)
    else {
      const [from, to] = [Math.min(anchor, index), Math.max(anchor, index)]
      onToggleAll(rows.slice(from, to + 1), !isSelected(row))
    }
  }
}
