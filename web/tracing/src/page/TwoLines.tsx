import type { ReactNode } from 'react'
import styles from './page.module.css'

interface Props {
  readonly children: ReactNode
  /** What tells more, smaller below. */
  readonly below: ReactNode
}

/** A cell of a table that says two things. */
export function TwoLines({ children, below }: Props) {
  return (
    <span className={styles.two}>
      <span>{children}</span>
      <span className={styles.small}>{below}</span>
    </span>
  )
}
