import type { LogRecord } from '@assay/contract/logs.ts'
import { JsonView } from '@assay/ui/JsonView.tsx'
import { LongText } from '@assay/ui/LongText.tsx'
import { formatUtc } from '@assay/ui/time-format.ts'
import type { ReactNode } from 'react'
import styles from './log-records.module.css'

interface Props {
  readonly log: LogRecord
  readonly actions: ReactNode
}

/** The full record. */
export function LogDetails({ log, actions }: Props) {
  const { trace_id, span_id, service, event_name, body, attributes, resource, scope } = log
  return (
    <div className={styles.details}>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      <dl className={styles.facts}>
        <Fact name="Time" text={formatUtc(log.at)} />
        <Fact name="Observed" text={log.observed_at === null ? null : formatUtc(log.observed_at)} />
        <Fact name="Severity" text={`${log.severity_text ?? ''} (${log.severity})`.trim()} />
        <Fact name="Event" text={event_name} />
        <Fact name="Service" text={service} />
        <Fact name="Trace" text={trace_id} />
        <Fact name="Span" text={span_id} />
      </dl>
      <h4 className={styles.part}>Body</h4>
      {typeof body === 'string' ? (
        <div className={styles.body}>
          <LongText text={body} />
        </div>
      ) : (
        <JsonView value={body} label="body" />
      )}
      <Members title="Attributes" value={attributes} />
      <Members title="Resource" value={resource} />
      <Members title="Scope" value={scope} />
    </div>
  )
}

function Fact({ name, text }: { readonly name: string; readonly text: string | null }) {
  if (text === null) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd className="mono">{text}</dd>
    </div>
  )
}

interface MembersProps {
  readonly title: string
  readonly value: Readonly<Record<string, unknown>>
}

function Members({ title, value }: MembersProps) {
  if (Object.keys(value).length === 0) return null
  return (
    <>
      <h4 className={styles.part}>{title}</h4>
      <JsonView value={value} label={title.toLowerCase()} />
    </>
  )
}
