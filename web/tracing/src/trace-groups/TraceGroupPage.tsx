import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column, TableQuery } from '@assay/ui/table/table-model.ts'
import type { ReactNode } from 'react'
import type { TraceGroup } from '../api/trace-sessions.ts'
import { PageHead } from '../page/PageHead.tsx'
import page from '../page/page.module.css'

interface Props {
  readonly title: string
  readonly lead: string
  /** `session`. */
  readonly one: string
  readonly columns: readonly Column<TraceGroup>[]
  readonly list: TableQuery<TraceGroup>
  /** Shown if there are none yet. */
  readonly empty: ReactNode
}

/** A list of trace groups (sessions or users), most recent first. */
export function TraceGroupPage({ title, lead, one, columns, list, empty }: Props) {
  return (
    <div className={`${page.page} ${page.large}`}>
      <PageHead title={title} lead={lead} />
      <DataTable
        caption={title}
        noun={[one, `${one}s`]}
        rows={list}
        columns={columns}
        rowKey={({ id }) => id}
        isRowClickable
        empty={empty}
      />
    </div>
  )
}
