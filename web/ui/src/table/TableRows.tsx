import { TableRow } from './TableRow.tsx'
import styles from './table.module.css'
import type { DataTableProps } from './table-model.ts'
import type { TableTree } from './table-tree.ts'
import type { RowWindow } from './use-virtual-rows.ts'

interface Props<Row> extends DataTableProps<Row> {
  readonly rows: readonly Row[]
  readonly visible: RowWindow
  readonly tree: TableTree<Row> | undefined
  readonly onSelect: (index: number, isRange: boolean) => void
}

/** The rows in view, with the details of open ones. */
export function TableRows<Row>(props: Props<Row>) {
  const { rows, columns, rowKey, rowName = rowKey, selection, details, actions, visible } = props
  const onToggle = details?.onToggle
  // Exact: a larger span would add empty columns to the fixed layout of virtual rows.
  const columnCount =
    columns.length + [selection, onToggle, actions].filter((one) => one !== undefined).length
  return (
    <>
      <Spacer heightPx={visible.beforePx} />
      {visible.indexes.map((index) => {
        const row = rows[index]
        if (row === undefined) return null
        const isOpen = details?.isOpen(row)
        return (
          <tbody key={rowKey(row)} ref={visible.measure} data-index={index} data-row={rowKey(row)}>
            <TableRow
              {...{ row, index, columns, isOpen }}
              tree={props.tree}
              className={props.rowClass?.(row)}
              name={rowName(row)}
              isClickable={props.isRowClickable === true}
              isSelected={selection?.isSelected(row)}
              onSelect={(isRange) => props.onSelect(index, isRange)}
              onToggle={onToggle && (() => onToggle(row))}
              actions={actions?.(row)}
            />
            {isOpen === true && (
              <tr>
                <td className={styles.details} colSpan={columnCount}>
                  {details?.render(row)}
                </td>
              </tr>
            )}
          </tbody>
        )
      })}
      <Spacer heightPx={visible.afterPx} />
    </>
  )
}

/** Replaces the rows that are not rendered. */
function Spacer({ heightPx }: { readonly heightPx: number }) {
  if (heightPx <= 0) return null
  return (
    <tbody aria-hidden>
      <tr style={{ height: heightPx }} />
    </tbody>
  )
}
