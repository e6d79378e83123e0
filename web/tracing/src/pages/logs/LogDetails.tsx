import type { LogRecord } from '@assay/contract/logs.ts'
import { JsonView } from '@assay/ui/JsonView.tsx'
import { LongText } from '@assay/ui/LongText.tsx'
import { formatUtc } from '@assay/ui/time-format.ts'
import { Button } from '@mantine/core'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { type LogSearch, withText } from './log-search.ts'
import styles from './logs.module.css'

interface Props {
  readonly projectId: string
  readonly log: LogRecord
  readonly search: LogSearch
  readonly onChange: (next: LogSearch) => void
}

/** The full record, with links to its trace and filters for similar records. */
export function LogDetails({ projectId, log, search, onChange }: Props) {
  const { trace_id, span_id, service, event_name, body, attributes, resource, scope } = log
  const { open: _, ...closed } = search
  return (
    <div className={styles.details}>
      <div className={styles.actions}>
        {trace_id !== null && (
          <LinkButton
            to="/p/$projectId/traces/$traceId"
            params={{ projectId, traceId: trace_id }}
            search={span_id === null ? {} : { span: span_id }}
          >
            {span_id === null ? 'Open trace' : 'Open span'}
          </LinkButton>
        )}
        {trace_id !== null && search.trace_id !== trace_id && (
          <Button
            variant="default"
            onClick={() => onChange(withText(closed, 'trace_id', trace_id))}
          >
            Filter to this trace
          </Button>
        )}
        {service !== null && search.service !== service && (
          <Button variant="default" onClick={() => onChange(withText(closed, 'service', service))}>
            Filter to this service
          </Button>
        )}
        {event_name !== null && search.event_name !== event_name && (
          <Button
            variant="default"
            onClick={() => onChange(withText(closed, 'event_name', event_name))}
          >
            Filter to this event
          </Button>
        )}
      </div>
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
