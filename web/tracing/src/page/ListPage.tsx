import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { DataTableProps } from '@assay/ui/table/table-model.ts'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { PageHead } from './PageHead.tsx'
import styles from './page.module.css'

interface Props<Row> extends Omit<DataTableProps<Row>, 'caption' | 'empty'> {
  readonly title: string
  readonly lead?: ReactNode
  /** Between the head and the list: explains missing actions. */
  readonly note?: ReactNode
  readonly filters?: ReactNode
  /** The main action, in the head; while the list is empty, below its text instead. */
  readonly action?: ReactNode
  readonly empty: EmptyList
  /** For tables with many columns. */
  readonly isWide?: boolean
  /** Dialogs. */
  readonly children?: ReactNode
}

interface EmptyList {
  readonly Icon: Icon
  readonly title: string
  readonly text: ReactNode
  /** In place of the action of the page. */
  readonly action?: ReactNode
}

/** A page with one list: a description, an action to add to it, and its rows. */
export function ListPage<Row>(props: Props<Row>) {
  const { title, lead, note, filters, action, empty, isWide = false, children, ...table } = props
  const { Icon: EmptyIcon, title: emptyTitle, text, action: emptyAction = action } = empty
  const rows = 'isPending' in table.rows ? table.rows.data : table.rows
  // An action of the empty list replaces that of the page, unless it is another one.
  const isEmpty = rows?.length === 0 && emptyAction === action
  return (
    <div className={isWide ? `${styles.page} ${styles.large}` : styles.page}>
      <PageHead title={title} lead={lead} action={!isEmpty && action} />
      {note}
      {filters}
      <DataTable
        {...table}
        caption={title}
        empty={
          <EmptyState
            icon={<EmptyIcon size={20} stroke={1.75} />}
            title={emptyTitle}
            actions={emptyAction}
          >
            {text}
          </EmptyState>
        }
      />
      {children}
    </div>
  )
}
