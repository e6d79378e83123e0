import type { Trace } from '@assay/contract/traces.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './trace.module.css'
import type { TraceViewName } from './view-search.ts'

interface Props {
  readonly to: Trace | undefined
  readonly word: string
  /** The view to open; defaults to the spans. */
  readonly view?: TraceViewName | undefined
  readonly children: ReactNode
}

/** A link to a neighboring trace, or its place where there is none. */
export function TraceStep({ to, word, view, children }: Props) {
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
      search={view === undefined ? {} : { view }}
      className={styles.step}
      aria-label={word}
      title={`${word}: ${to.root_name || to.trace_id}`}
    >
      {children}
    </Link>
  )
}
