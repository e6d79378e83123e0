import type { Trace } from '@assay/contract/traces.ts'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { neighborsQuery } from '../../api/trace-neighbors.ts'
import { TraceStep } from './TraceStep.tsx'
import styles from './trace.module.css'

interface Props {
  readonly trace: Trace
}

/** Links to the previous and next trace of the session; nothing without a session. */
export function SessionSteps({ trace }: Props) {
  const query = useQuery(neighborsQuery(trace))
  if (trace.session_id === null) return null
  return (
    <nav className={styles.steps} aria-label="Session">
      <TraceStep to={query.data?.previous} word="Previous trace in session">
        <IconChevronLeft size={15} aria-hidden />
      </TraceStep>
      <Link
        to="/p/$projectId/sessions/$sessionId"
        params={{ projectId: trace.project_id, sessionId: trace.session_id }}
        className={styles.session}
        title={`Session ${trace.session_id}`}
      >
        Session
      </Link>
      <TraceStep to={query.data?.next} word="Next trace in session">
        <IconChevronRight size={15} aria-hidden />
      </TraceStep>
    </nav>
  )
}
