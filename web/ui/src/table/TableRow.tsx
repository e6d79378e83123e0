import { ActionIcon, Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { openRow } from './row-click.ts'
import styles from './table.module.css'
import { type Column, type RowAction, rowHeaderIndex } from './table-model.ts'
import type { Branch, TableTree } from './table-tree.ts'

interface Props<Row> {
  readonly row: Row
  readonly index: number
  /** The name of the row in the labels of its controls. */
  readonly name: string
  readonly columns: readonly Column<Row>[]
  readonly tree: TableTree<Row> | undefined
  readonly className: string | undefined
  readonly isClickable: boolean
  /** Undefined where rows cannot be selected. */
  readonly isSelected: boolean | undefined
  readonly onSelect: (isRange: boolean) => void
  /** Undefined where rows have no details. */
  readonly isOpen: boolean | undefined
  /** Undefined where the details have no button of their own. */
  readonly onToggle: (() => void) | undefined
  readonly actions: readonly RowAction[] | undefined
}

export function TableRow<Row>(props: Props<Row>) {
  const { row, index, name, columns, tree, isClickable, isSelected, isOpen, actions } = props
  const branch = tree?.branchOf(row)
  return (
    <tr
      className={props.className === undefined ? styles.row : `${styles.row} ${props.className}`}
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
              onChange={({ nativeEvent }) => props.onSelect(isShiftClick(nativeEvent))}
            />
          </label>
        </td>
      )}
      {isOpen !== undefined && props.onToggle !== undefined && (
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
      <Cells {...{ row, name, columns, ...branch }} onToggleBranch={tree?.onToggle} />
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

function isShiftClick(event: Event): boolean {
  return event instanceof MouseEvent && event.shiftKey
}

interface CellsProps<Row> extends Partial<Branch> {
  readonly row: Row
  readonly name: string
  readonly columns: readonly Column<Row>[]
  /** Undefined where rows are no tree. */
  readonly onToggleBranch: ((row: Row) => void) | undefined
}

/** Cells re-render only when the row or the columns change, not on scroll. */
const Cells = memo(function Cells<Row>(props: CellsProps<Row>) {
  const { row, columns, onToggleBranch } = props
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
        {isHeader && onToggleBranch !== undefined ? (
          <BranchCell {...props} onToggleBranch={() => onToggleBranch(row)}>
            {cell(row)}
          </BranchCell>
        ) : (
          cell(row)
        )}
      </Cell>
    )
  })
}) as <Row>(props: CellsProps<Row>) => ReturnType<typeof TableRow>

interface BranchCellProps extends Partial<Branch> {
  readonly name: string
  readonly onToggleBranch: () => void
  readonly children: ReactNode
}

const indentPx = 14
const maxIndents = 10

/** The row header of a tree: indented, with a button that collapses the rows below. */
function BranchCell({ depth = 0, isExpanded, name, onToggleBranch, children }: BranchCellProps) {
  return (
    <div className={styles.branch} style={{ paddingLeft: Math.min(depth, maxIndents) * indentPx }}>
      {isExpanded === undefined ? (
        <span className={styles.toggle} />
      ) : (
        <button
          type="button"
          className={styles.toggle}
          data-branch-toggle
          aria-expanded={isExpanded}
          aria-label={`Children of ${name}`}
          onClick={onToggleBranch}
        >
          {isExpanded ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
        </button>
      )}
      {children}
    </div>
  )
}

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
