import type { LogRecord } from '@assay/contract/logs.ts'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column, DataTableProps } from '@assay/ui/table/table-model.ts'
import { type ReactNode, useMemo } from 'react'
import { LogDetails } from './LogDetails.tsx'
import { formatBodyLine } from './log-format.ts'
import styles from './log-records.module.css'
import { SeverityMark } from './SeverityMark.tsx'

interface Props
  extends Pick<DataTableProps<LogRecord>, 'caption' | 'rows' | 'empty' | 'isFilling'> {
  readonly formatTime: (log: LogRecord) => ReactNode
  /** Columns between the severity and the record. */
  readonly columns: readonly Column<LogRecord>[]
  readonly isOpen: (log: LogRecord) => boolean
  readonly onToggle: (log: LogRecord) => void
  readonly renderActions?: (log: LogRecord) => ReactNode
}

/** Log records with expandable rows. */
export function LogTable(props: Props) {
  const { formatTime, columns, isOpen, onToggle, renderActions, ...table } = props
  const allColumns = useMemo(
    (): readonly Column<LogRecord>[] => [
      { key: 'time', header: 'Time', width: 150, cell: formatTime, narrow: 'bare' },
      { key: 'severity', header: 'Severity', width: 96, cell: severityCell, narrow: 'bare' },
      ...columns,
      {
        key: 'record',
        header: 'Record',
        isRowHeader: true,
        className: styles.record,
        cell: (log) => <RecordLine log={log} onClick={() => onToggle(log)} />,
      },
    ],
    [formatTime, columns, onToggle],
  )
  return (
    <DataTable
      {...table}
      columns={allColumns}
      rowKey={({ log_id }) => log_id}
      rowName={({ event_name, body }) => event_name ?? formatBodyLine(body)}
      isRowClickable
      details={{
        isOpen,
        onToggle,
        render: (log) => <LogDetails log={log} actions={renderActions?.(log)} />,
      }}
    />
  )
}

function severityCell({ severity, severity_text }: LogRecord): ReactNode {
  return <SeverityMark severity={severity} text={severity_text} />
}

interface LineProps {
  readonly log: LogRecord
  readonly onClick: () => void
}

function RecordLine({ log: { event_name, body }, onClick }: LineProps) {
  const line = formatBodyLine(body)
  return (
    <button type="button" className={styles.line} onClick={onClick}>
      {event_name !== null && <span className={styles.event}>{event_name}</span>}
      <span className={styles.text}>{line === '' ? <i>(no body)</i> : line}</span>
    </button>
  )
}
