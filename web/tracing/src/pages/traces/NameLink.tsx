import type { Trace } from '@assay/contract/traces.ts'
import { Link } from '@tanstack/react-router'
import styles from './traces.module.css'

interface Props {
  readonly projectId: string
  readonly trace: Trace
  readonly onFocus: (traceId: string) => void
}

/** Links to a trace by its name, or by its ID if it has none. */
export function NameLink({ projectId, trace, onFocus }: Props) {
  const name = trace.root_name === '' ? trace.trace_id : trace.root_name
  return (
    <Link
      to="/p/$projectId/traces/$traceId"
      params={{ projectId, traceId: trace.trace_id }}
      preload={false}
      className={styles.name}
      title={name}
      onFocus={() => onFocus(trace.trace_id)}
    >
      {name}
    </Link>
  )
}
