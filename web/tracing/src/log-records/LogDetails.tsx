import type { LogRecord } from '@assay/contract/logs.ts'
import { isFields } from '@assay/contract/message-parts.ts'
import { JsonView } from '@assay/ui/JsonView.tsx'
import { LongText } from '@assay/ui/LongText.tsx'
import { formatUtc } from '@assay/ui/time-format.ts'
import type { ReactNode } from 'react'
import { AttributeTable } from '../parts/AttributeTable.tsx'
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
      <Members title="Attributes" label="attributes" value={attributes} />
      <Members title="Resource" label="resource attributes" value={flatten(resource)} />
      <Members title="Scope" label="scope attributes" value={flatten(scope)} />
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

/** A resource or scope with its attributes beside its other members. */
function flatten({ attributes, ...members }: MembersProps['value']): MembersProps['value'] {
  return isFields(attributes) ? { ...members, ...attributes } : members
}

interface MembersProps {
  readonly title: string
  /** Names the table. */
  readonly label: string
  readonly value: Readonly<Record<string, unknown>>
}

function Members({ title, label, value }: MembersProps) {
  if (Object.keys(value).length === 0) return null
  return (
    <>
      <h4 className={styles.part}>{title}</h4>
      <AttributeTable attributes={value} label={label} />
    </>
  )
}
