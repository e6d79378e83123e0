import type { Trace } from '@assay/contract/traces.ts'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { neighborsQuery } from '../../api/trace-neighbors.ts'
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
      <Step to={query.data?.previous} word="Previous trace in session">
        <IconChevronLeft size={15} aria-hidden />
      </Step>
      <Link
        to="/p/$projectId/sessions/$sessionId"
        params={{ projectId: trace.project_id, sessionId: trace.session_id }}
        className={styles.session}
        title={`Session ${trace.session_id}`}
      >
        Session
      </Link>
      <Step to={query.data?.next} word="Next trace in session">
        <IconChevronRight size={15} aria-hidden />
      </Step>
    </nav>
  )
}

interface StepProps {
  readonly to: Trace | undefined
  readonly word: string
  readonly children: ReactNode
}

function Step({ to, word, children }: StepProps) {
  if (to === undefined) {
    return (
      <span className={styles.step} aria-hidden data-off>
        {children}
      </span>
    )
  }
  return (
    <Link
      to="/p/$projectId/traces/$traceId"
      params={{ projectId: to.project_id, traceId: to.trace_id }}
      className={styles.step}
      aria-label={word}
      title={`${word}: ${to.root_name || to.trace_id}`}
    >
      {children}
    </Link>
  )
}
