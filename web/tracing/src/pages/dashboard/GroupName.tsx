import { Link } from '@tanstack/react-router'
import styles from './dashboard.module.css'
import type { TracesSearch } from './stats-groups.ts'

interface Props {
  readonly projectId: string
  readonly value: string | null
  /** The traces behind it; undefined where the list cannot be narrowed to them. */
  readonly search: TracesSearch | undefined
  /** From 0 to 1: how much of the greatest it is. */
  readonly share: number
}

/** What a row of figures is of, as the link to its traces, with its bar. */
export function GroupName({ projectId, value, search, share }: Props) {
  return (
    <>
      {search === undefined ? (
        <span className="dimmed">None named</span>
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
