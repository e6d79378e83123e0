import type { ListedSpan } from '@assay/contract/traces.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { spanQuery, traceQuery } from '../../api/traces.ts'
import { Messages } from '../../conversation/Messages.tsx'
import { parseTurnMessages } from '../../conversation/turn-messages.ts'
import { AttributeTable } from '../../parts/AttributeTable.tsx'
import { spanLink } from '../../parts/span-link.ts'
import styles from './review.module.css'

interface Props {
  readonly projectId: string
  readonly traceId: string
}

/** A reviewer reads a few; the page of the trace has them all. */
const spansMax = 100

/** How the answer came about: the spans of the trace, each with its input, output and attributes when it is opened. */
export function ReviewedSpans({ projectId, traceId }: Props) {
  const { data } = useInfiniteQuery(traceQuery(projectId, traceId))
  const [first] = data?.pages ?? []
  if (first === undefined) return null
  const { spans, trace } = first
  return (
    <section className={styles.spans} aria-label="Spans">
      <h3 className={styles.part}>Spans</h3>
      {spans.slice(0, spansMax).map((span) => (
        <SpanDetails key={span.span_id} {...{ projectId, traceId, span }} />
      ))}
      {trace.span_count > spansMax && (
        <p className={styles.note}>
          The first {spansMax} of {formatCount(trace.span_count)} spans.{' '}
          <Link to="/p/$projectId/traces/$traceId" params={{ projectId, traceId }}>
            Open trace
          </Link>
        </p>
      )}
    </section>
  )
}

interface SpanProps extends Props {
  readonly span: ListedSpan
}

function SpanDetails({ projectId, traceId, span }: SpanProps) {
  const [isOpen, setOpen] = useState(false)
  const { kind, name, status, latency_ms: latencyMs } = span
  return (
    <details className={styles.span} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="dimmed">{kind}</span> {name}{' '}
        {status === 'ERROR' && <span className={styles.failed}>Error</span>}{' '}
        <span className="dimmed">{latencyMs === null ? '' : formatDuration(latencyMs)}</span>
      </summary>
      {isOpen && <SpanContents {...{ projectId, traceId }} spanId={span.span_id} />}
    </details>
  )
}

interface ContentsProps extends Props {
  readonly spanId: string
}

/** Long texts are collapsed. */
const collapseAt = 1200

function SpanContents({ projectId, traceId, spanId }: ContentsProps) {
  const { data, error } = useQuery(spanQuery(projectId, traceId, spanId))
  if (error !== null) return <p role="alert">Could not load the span. {error.message}</p>
  if (data === undefined) return <p className={styles.note}>Loading…</p>
  const { input, output, attributes, status_message: problem } = data
  const values = [
    { label: 'input', value: input, role: 'user' },
    { label: 'output', value: output, role: 'assistant' },
  ] as const
  return (
    <div className={styles.contents}>
      {problem !== null && <p className={styles.failed}>{problem}</p>}
      {values.map(({ label, value, role }) => (
        <Messages
          key={label}
          conversation={parseTurnMessages(value, role)}
          {...{ value, label, collapseAt }}
        />
      ))}
      <AttributeTable attributes={attributes} label="attributes" />
      <Link {...spanLink(projectId, traceId, spanId)}>Open span</Link>
    </div>
  )
}
