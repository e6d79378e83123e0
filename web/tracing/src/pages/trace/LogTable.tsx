import type { LogRecord } from '@assay/contract/logs.ts'
import { JsonView } from '@assay/ui/JsonView.tsx'
import { LongText } from '@assay/ui/LongText.tsx'
import { formatDuration, formatUtc, instantMs } from '@assay/ui/time-format.ts'
import {
  IconAlertTriangle,
  IconBug,
  IconChevronDown,
  IconChevronRight,
  IconInfoCircle,
  IconOctagon,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { SpanTree } from '../../spans/span-tree.ts'
import { scaleOf } from '../../spans/time-scale.ts'
import { AttributeTable } from './AttributeTable.tsx'
import { bodyText, severityOf } from './log-severity.ts'
import styles from './logs.module.css'

interface Props {
  readonly records: readonly LogRecord[]
  readonly tree: SpanTree
  readonly onSelect: (spanId: string) => void
}

/** Log records, oldest first, with expandable rows. */
export function LogTable({ records, tree, onSelect }: Props) {
  const { startMs } = scaleOf(tree)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  function toggle(id: string): void {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">Log records, oldest first</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Details</th>
          <th scope="col">Time since start</th>
          <th scope="col">Severity</th>
          <th scope="col">Record</th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <LogRow
            key={record.log_id}
            record={record}
            startMs={startMs}
            tree={tree}
            isOpen={open.has(record.log_id)}
            onToggle={() => toggle(record.log_id)}
            onSelect={onSelect}
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  readonly record: LogRecord
  readonly startMs: number
  readonly tree: SpanTree
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly onSelect: (spanId: string) => void
}

function LogRow({ record, startMs, tree, isOpen, onToggle, onSelect }: RowProps) {
  const { level, word } = severityOf(record)
  const afterMs = instantMs(record.at) - startMs
  const span = tree.nodes[tree.positionOf.get(record.span_id ?? '') ?? -1]?.span
  const body = bodyText(record)
  return (
    <>
      <tr data-level={level}>
        <td>
          <button
            type="button"
            className={styles.fold}
            aria-expanded={isOpen}
            aria-label="Details"
            onClick={onToggle}
          >
            {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          </button>
        </td>
        <td className={styles.time}>
          <time dateTime={record.at} title={formatUtc(record.at)}>
            {afterMs < 0 ? '−' : '+'}
            {formatDuration(Math.abs(afterMs))}
          </time>
        </td>
        <td>
          <span className={styles.severity}>
            <SeverityIcon level={level} /> {word}
          </span>
        </td>
        <td className={styles.body}>
          {record.event_name !== null && <code>{record.event_name}</code>}{' '}
          {body !== undefined && <LongText text={body} maxCharacters={isOpen ? 4000 : 300} />}
          {span !== undefined && (
            <button type="button" className={styles.span} onClick={() => onSelect(span.span_id)}>
              {span.name}
            </button>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={4} className={styles.more}>
            {body === undefined && record.body !== null && (
              <JsonView value={record.body} label="body" />
            )}
            <AttributeTable attributes={record.attributes} label="log attributes" />
            {Object.keys(record.resource).length > 0 && (
              <details>
                <summary>Resource{record.service !== null && ` (${record.service})`}</summary>
                <AttributeTable attributes={record.resource} label="resource attributes" />
              </details>
            )}
          </td>
        </tr>
      )}
    </>
  )
}

function SeverityIcon({ level }: { readonly level: 'quiet' | 'info' | 'warn' | 'bad' }) {
  if (level === 'bad') return <IconOctagon size={14} aria-hidden />
  if (level === 'warn') return <IconAlertTriangle size={14} aria-hidden />
  if (level === 'info') return <IconInfoCircle size={14} aria-hidden />
  return <IconBug size={14} aria-hidden />
}
