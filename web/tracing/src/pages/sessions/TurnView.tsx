import type { Trace } from '@assay/contract/traces.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { formatDuration } from '@assay/ui/time-format.ts'
import { useNearViewport } from '@assay/ui/use-near-viewport.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { turnQuery } from '../../api/trace-sessions.ts'
import { TurnMessages } from '../../conversation/TurnMessages.tsx'
import { CostText } from '../../parts/CostText.tsx'
import { TraceStatus } from '../../parts/TraceStatus.tsx'
import styles from './session.module.css'

interface Props {
  readonly trace: Trace
}

/** One trace of a session. Its messages are fetched when it comes near the viewport. */
export function TurnView({ trace }: Props) {
  const { place, isNearViewport } = useNearViewport<HTMLLIElement>()
  const turn = useQuery({
    ...turnQuery(trace),
    enabled: isNearViewport,
    placeholderData: (last) => last,
  })
  return (
    <li ref={place} className={styles.turn}>
      <header className={styles.turnHead}>
        <Link
          to="/p/$projectId/traces/$traceId"
          params={{ projectId: trace.project_id, traceId: trace.trace_id }}
          className={styles.name}
        >
          {trace.root_name === '' ? trace.trace_id : trace.root_name}
        </Link>
        <TraceStatus trace={trace} />
        <span className={styles.facts}>
          <TimeText at={trace.started_at} withAge />
          <span>{formatDuration(trace.duration_ms)}</span>
          <CostText usd={trace.cost_usd} calls={trace} />
        </span>
      </header>
      <TurnMessages turn={turn} />
    </li>
  )
}
