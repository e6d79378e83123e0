import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './filter-link.module.css'
import type { TraceSearch } from './trace-search.ts'

interface Props {
  readonly projectId: string
  readonly search: TraceSearch
  /** What the traces have in common: `model`. */
  readonly name: string
  readonly children: ReactNode
}

/** A value that leads to the traces that have it. */
export function FilterLink({ projectId, search, name, children }: Props) {
  return (
    <Link
      to="/p/$projectId/traces"
      params={{ projectId }}
      search={search}
      className={styles.link}
      title={`Traces with the same ${name}`}
    >
      {children}
    </Link>
  )
}
