import { ActionIcon, Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { memo } from 'react'
import { openRow } from './row-click.ts'
import styles from './table.module.css'
import { type Column, type RowAction, rowHeaderIndex } from './table-model.ts'

interface Props<Row> {
  readonly row: Row
  readonly index: number
  /** The name of the row in the labels of its controls. */
  readonly name: string
  readonly columns: readonly Column<Row>[]
  readonly isClickable: boolean
  /** Undefined where rows cannot be selected. */
  readonly isSelected: boolean | undefined
  readonly onSelect: () => void
  /** Undefined where rows have no details. */
  readonly isOpen: boolean | undefined
  readonly onToggle: () => void
  readonly actions: readonly RowAction[] | undefined
}

export function TableRow<Row>(props: Props<Row>) {
  const { row, index, name, columns, isClickable, isSelected, isOpen, actions } = props
  return (
    <tr
      className={styles.row}
      aria-rowindex={index + 2}
      data-selected={isSelected || undefined}
      data-open={isOpen || undefined}
      {...(isClickable ? { 'data-clickable': true, onClick: openRow, onAuxClick: openRow } : {})}
    >
      {isSelected !== undefined && (
        <td className={styles.control}>
          <label className={styles.check}>
            <input
              type="checkbox"
              aria-label={`Select ${name}`}
              checked={isSelected}
              onChange={props.onSelect}
            />
          </label>
        </td>
      )}
      {isOpen !== undefined && (
        <td className={styles.control}>
          <ActionIcon
            size="sm"
            aria-expanded={isOpen}
            aria-label={`Details of ${name}`}
            onClick={props.onToggle}
          >
            {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          </ActionIcon>
        </td>
      )}
      <Cells row={row} columns={columns} />
      {actions !== undefined && (
        <td className={styles.actions}>
          {actions.map((action) => (
            <ActionButton key={action.label} action={action} name={name} />
          ))}
        </td>
      )}
    </tr>
  )
}

interface CellsProps<Row> {
  readonly row: Row
  readonly columns: readonly Column<Row>[]
}

/** Cells re-render only when the row or the columns change, not on scroll. */
const Cells = memo(function Cells<Row>({ row, columns }: CellsProps<Row>) {
  const headerIndex = rowHeaderIndex(columns)
  return columns.map(({ key, header, cell, align, narrow = 'labeled', className }, index) => {
    const isHeader = index === headerIndex
    const Cell = isHeader ? 'th' : 'td'
    return (
      <Cell
        key={key}
        className={className}
        data-align={align}
        data-narrow={isHeader ? 'title' : narrow}
        data-label={header}
        {...(isHeader ? { scope: 'row' } : {})}
      >
        {cell(row)}
      </Cell>
    )
  })
}) as <Row>(props: CellsProps<Row>) => ReturnType<typeof TableRow>

function ActionButton({ action, name }: { readonly action: RowAction; readonly name: string }) {
  const { label, onSelect, isDanger = false, isPending = false, disabledReason } = action
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      {...(isDanger ? { color: 'red' } : {})}
      loading={isPending}
      disabled={disabledReason !== undefined}
      title={disabledReason}
      aria-label={`${label} ${name}`}
      onClick={onSelect}
    >
      {label}
    </Button>
  )
}
