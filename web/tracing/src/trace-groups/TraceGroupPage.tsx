import { TimeText } from '@assay/ui/TimeText.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column, TableQuery } from '@assay/ui/table/table-model.ts'
import type { ReactNode } from 'react'
import type { TraceGroup, TraceGroups } from '../api/trace-sessions.ts'
import { PageHead } from '../page/PageHead.tsx'
import page from '../page/page.module.css'

interface Props {
  readonly title: string
  readonly lead: string
  /** `session`. */
  readonly one: string
  readonly columns: readonly Column<TraceGroup>[]
  readonly list: Omit<TableQuery<TraceGroup>, 'data'> & { readonly data: TraceGroups | undefined }
  /** Shown if there are none yet. */
  readonly empty: ReactNode
}

/** A list of trace groups (sessions or users), most recent first. */
export function TraceGroupPage({ title, lead, one, columns, list, empty }: Props) {
  const completeFrom = list.data?.completeFrom ?? null
  return (
    <div className={`${page.page} ${page.large}`}>
      <PageHead title={title} lead={lead} />
      <DataTable
        caption={title}
        noun={[one, `${one}s`]}
        rows={{ ...list, data: list.data?.groups }}
        columns={columns}
        rowKey={({ id }) => id}
        isRowClickable
        empty={empty}
      />
      {completeFrom !== null && (
        <p className="dimmed" role="status">
          Partial: traces before <TimeText at={completeFrom} /> are not included.
        </p>
      )}
    </div>
  )
}
