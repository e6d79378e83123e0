import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useDragOrder } from '../use-drag-order.ts'
import styles from './table.module.css'
import type { Column, Selection, Sort } from './table-model.ts'

interface Props<Row> {
  readonly columns: readonly Column<Row>[]
  readonly sort: Sort | undefined
  readonly onSort: (column: Column<Row>) => void
  readonly onMoveColumn: ((key: string, ontoKey: string) => void) | undefined
  readonly rows: readonly Row[]
  readonly selection: Selection<Row> | undefined
  readonly hasDetails: boolean
  readonly hasActions: boolean
}

export function TableHead<Row>(props: Props<Row>) {
  const { columns, rows, sort, onSort, onMoveColumn, selection, hasDetails, hasActions } = props
  const keys = columns.map(({ key }) => key)
  const order = useDragOrder(keys, (key, onto) => onMoveColumn?.(key, onto))
  return (
    <>
      <colgroup>
        {selection !== undefined && <col className={styles.control} />}
        {hasDetails && <col className={styles.control} />}
        {columns.map(({ key, width }) => (
          <col key={key} style={width === undefined ? {} : { width }} />
        ))}
        {hasActions && <col />}
      </colgroup>
      <thead>
        <tr>
          {selection !== undefined && (
            <th scope="col" className={styles.control}>
              <SelectAll rows={rows} selection={selection} />
            </th>
          )}
          {hasDetails && <HiddenHeader>Details</HiddenHeader>}
          {columns.map((column) => (
            <Header
              key={column.key}
              column={column}
              direction={column.key === sort?.key ? sort.direction : 'none'}
              onSort={() => onSort(column)}
              dragProps={onMoveColumn === undefined ? {} : order.itemProps(column.key)}
            />
          ))}
          {hasActions && <HiddenHeader className={styles.actionsHead}>Actions</HiddenHeader>}
        </tr>
      </thead>
    </>
  )
}

interface HeaderProps<Row> {
  readonly column: Column<Row>
  readonly direction: Sort['direction'] | 'none'
  readonly onSort: () => void
  readonly dragProps: object
}

function Header<Row>({ column, direction, onSort, dragProps }: HeaderProps<Row>) {
  const { header, hint, align, sortValue } = column
  const isSortable = sortValue !== undefined
  const Arrow = direction === 'ascending' ? IconArrowUp : IconArrowDown
  return (
    <th
      scope="col"
      title={hint}
      data-align={align}
      {...dragProps}
      {...(isSortable ? { 'aria-sort': direction } : {})}
    >
      {isSortable ? (
        <button type="button" className={styles.sort} onClick={onSort}>
          {header}
          <Arrow size={12} aria-hidden data-off={direction === 'none' || undefined} />
        </button>
      ) : (
        header
      )}
    </th>
  )
}

interface HiddenProps {
  readonly className?: string | undefined
  readonly children: string
}

function HiddenHeader({ className, children }: HiddenProps) {
  return (
    <th scope="col" className={className}>
      <span className="visually-hidden">{children}</span>
    </th>
  )
}

interface SelectAllProps<Row> {
  readonly rows: readonly Row[]
  readonly selection: Selection<Row>
}

function SelectAll<Row>({ rows, selection: { isSelected, onToggleAll } }: SelectAllProps<Row>) {
  if (onToggleAll === undefined) return <span className="visually-hidden">Selected</span>
  const count = rows.filter(isSelected).length
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        aria-label="Select all loaded rows"
        checked={count === rows.length}
        ref={(box) => {
          if (box !== null) box.indeterminate = count > 0 && count < rows.length
        }}
        onChange={() => onToggleAll(rows, count < rows.length)}
      />
    </label>
  )
}
