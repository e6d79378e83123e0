import { TimeText } from '@assay/ui/TimeText.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { formatInUnit } from './metric-format.ts'
import type { ChartExemplar } from './metric-lines.ts'
import styles from './metrics.module.css'

interface Props {
  readonly projectId: string
  readonly exemplars: readonly ChartExemplar[]
  readonly unit: string
}

/** Exemplars with links to their traces. */
export function ExemplarList({ projectId, exemplars, unit }: Props) {
  const columns = useMemo(() => columnsOf(projectId, unit), [projectId, unit])
  // Exemplars have no ID and may be identical.
  const rows = useMemo(() => exemplars.map((one, at) => ({ ...one, key: `${at}` })), [exemplars])
  if (rows.length === 0) return null
  return (
    <section aria-label="Exemplars">
      <h3 className={styles.tableTitle}>Exemplars</h3>
      <DataTable
        caption="Exemplars"
        noun={['exemplar', 'exemplars']}
        rows={rows}
        columns={columns}
        rowKey={({ key }) => key}
      />
    </section>
  )
}

function columnsOf(projectId: string, unit: string): readonly Column<ChartExemplar>[] {
  return [
    {
      key: 'time',
      header: 'Time',
      cell: ({ at }) => <TimeText at={new Date(at).toISOString()} withAge />,
    },
    {
      key: 'value',
      header: 'Value',
      align: 'end',
      cell: ({ value }) => formatInUnit(value, unit),
      sortValue: ({ value }) => value,
    },
    {
      key: 'trace',
      header: 'Trace',
      cell: ({ traceId, spanId }) => (
        <Link
          to="/p/$projectId/traces/$traceId"
          params={{ projectId, traceId }}
          search={spanId === null ? {} : { span: spanId }}
          className="mono"
        >
          {traceId}
        </Link>
      ),
    },
  ]
}
