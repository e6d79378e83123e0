import { use, useMemo, useState } from 'react'
import { FailureView } from '../failure-view.tsx'
import { formatCount } from '../number-format.ts'
import { TableSkeleton } from '../TableSkeleton.tsx'
import { Continuation } from './Continuation.tsx'
import { TableBox } from './TableBox.tsx'
import styles from './table.module.css'
import type { DataTableProps, Sort, TableQuery } from './table-model.ts'
import { sortRows } from './table-sort.ts'
import { useTableTree } from './table-tree.ts'

/** More rows than this are virtual. */
const maxRenderedRows = 100

/**
 * A table of data. Pass a query for its loading, failed and empty states and its further pages, or rows that are
 * already there:
 *
 *     const columns: readonly Column<Member>[] = [
 *       { key: 'name', header: 'Member', cell: ({ name }) => name, sortValue: ({ name }) => name },
 *       { key: 'joined', header: 'Joined', cell: ({ joined_at }) => <TimeText at={joined_at} />, narrow: 'hidden' },
 *     ]
 *     <DataTable
 *       caption="Members"
 *       noun={['member', 'members']}
 *       rows={useQuery(membersQuery(orgId))}
 *       columns={columns}
 *       rowKey={({ user_id }) => user_id}
 *       rowName={({ name }) => name}
 *       actions={(member) => [{ label: 'Remove', isDanger: true, onSelect: () => removing.open(member) }]}
 *       empty={<EmptyState … />}
 *     />
 *
 * Infinite queries flatten their pages with `select`. Only rows in view are rendered where there are more than a
 * hundred; give their columns a `width`. Where the table is narrow, each row becomes a card of labeled values.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows: source, columns, noun, countNote, onSort, isFilling = false, empty = null } = props
  const query = 'isPending' in source ? source : undefined
  const rows = 'isPending' in source ? source.data : source
  const [ownSort, setOwnSort] = useState<Sort>()
  const sort = onSort === undefined ? ownSort : props.sort
  const sorted = useMemo(() => sortRows(rows ?? [], columns, sort), [rows, columns, sort])
  const [visible, tree] = useTableTree(sorted, props.rowKey, props.depthOf)
  if (rows === undefined) return <NoRows query={query} rowHeightPx={props.rowHeightPx} />
  // A page without rows is not the end of a list that is read in steps.
  const isEnd = isFilling || query?.hasNextPage !== true
  if (rows.length === 0 && isEnd) return empty
  return (
    <>
      {noun !== undefined && (
        <p className={styles.count} role="status">
          {formatCount(rows.length)} {noun[rows.length === 1 ? 0 : 1]}
          {query?.hasNextPage === true && ' loaded'}
          {countNote}
        </p>
      )}
      <TableBox
        {...props}
        query={query}
        rows={visible}
        tree={tree}
        sort={sort}
        onSort={onSort ?? setOwnSort}
        isVirtual={isFilling || rows.length > maxRenderedRows}
      />
      {!isFilling && query !== undefined && <Continuation query={query} />}
    </>
  )
}

interface NoRowsProps {
  readonly query: TableQuery<unknown> | undefined
  readonly rowHeightPx: number | undefined
}

function NoRows({ query, rowHeightPx = 44 }: NoRowsProps) {
  const showFailure = use(FailureView)
  if (query?.error === null || query === undefined) {
    return <TableSkeleton rows={4} rowHeightPx={rowHeightPx} />
  }
  return showFailure(query.error, () => void query.refetch())
}
