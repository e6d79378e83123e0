import type { ReviewItem } from '@assay/contract/review-queues.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { formatDuration } from '@assay/ui/time-format.ts'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { turnQuery } from '../../api/trace-sessions.ts'
import { TurnMessages } from '../../conversation/TurnMessages.tsx'
import { CostText } from '../../parts/CostText.tsx'
import { TraceStatus } from '../../parts/TraceStatus.tsx'
import { ReviewedSpans } from './ReviewedSpans.tsx'
import styles from './review.module.css'

interface Props {
  readonly projectId: string
  readonly item: ReviewItem
}

/** What the reviewer reads: the messages of the trace. */
export function ReviewedTrace({ projectId, item: { trace, trace_id } }: Props) {
  if (trace === null) {
    return (
      <EmptyState icon={<IconTrash size={20} stroke={1.75} />} title="Trace deleted">
        Trace <code>{trace_id}</code> no longer exists. Continue with the next one.
      </EmptyState>
    )
  }
  return <Loaded projectId={projectId} trace={trace} />
}

function Loaded({ projectId, trace }: { readonly projectId: string; readonly trace: Trace }) {
  const turn = useQuery(turnQuery(trace))
  return (
    <section className={styles.trace} aria-label="Trace">
      <div className={styles.facts}>
        <h2 className={styles.name}>
          <Link to="/p/$projectId/traces/$traceId" params={{ projectId, traceId: trace.trace_id }}>
            {trace.root_name === '' ? trace.trace_id : trace.root_name}
          </Link>
        </h2>
        <TraceStatus trace={trace} />
        <TimeText at={trace.started_at} withAge />
        <span>{formatDuration(trace.duration_ms)}</span>
        <CostText usd={trace.cost_usd} calls={trace} />
        {[...new Set([trace.environment, trace.user_id, ...trace.tags])].map(
          (label) =>
            label !== null && (
              <span key={label} className="dimmed">
                {label}
              </span>
            ),
        )}
      </div>
      <TurnMessages turn={turn} />
      <ReviewedSpans projectId={projectId} traceId={trace.trace_id} />
    </section>
  )
}
