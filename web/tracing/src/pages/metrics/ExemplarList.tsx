import { TimeText } from '@assay/ui/TimeText.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { spanLink } from '../../parts/span-link.ts'
import { formatInUnit } from './metric-format.ts'
import type { ChartExemplar } from './metric-lines.ts'

interface Props {
  readonly projectId: string
  readonly exemplars: readonly ChartExemplar[]
  readonly unit: string
}

/** Exemplars with links to their traces. */
export function ExemplarList({ projectId, exemplars, unit }: Props) {
  // Exemplars have no ID and may be identical.
  const rows = useMemo(() => exemplars.map((one, at) => ({ ...one, key: `${at}` })), [exemplars])
  if (rows.length === 0) return null
  return (
    <DataTable
      caption="Exemplars"
      noun={['exemplar', 'exemplars']}
      rows={rows}
      rowKey={({ key }) => key}
      columns={[
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
            <Link {...spanLink(projectId, traceId, spanId)} className="mono">
              {traceId}
            </Link>
          ),
        },
      ]}
    />
  )
}
