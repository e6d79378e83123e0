import { Link } from '@tanstack/react-router'
import styles from './dashboard.module.css'
import type { TracesSearch } from './stats-groups.ts'

interface Props {
  readonly projectId: string
  readonly value: string | null
  /** Filters for the trace list; undefined if there is no matching filter. */
  readonly search: TracesSearch | undefined
  /** Relative to the largest value, 0 to 1. */
  readonly share: number
}

/** The name of a group with a bar, linked to its traces. */
export function GroupName({ projectId, value, search, share }: Props) {
  return (
    <>
      {search === undefined ? (
        <span className="dimmed">(none)</span>
      ) : (
        <Link
          to="/p/$projectId/traces"
          params={{ projectId }}
          search={search}
          className={styles.name}
          title={value ?? ''}
        >
          {value}
        </Link>
      )}
      <span className={styles.bar} aria-hidden>
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </>
  )
}
