import type { ReactNode } from 'react'
import styles from './page.module.css'

interface Props {
  readonly children: ReactNode
  /** Smaller, below. */
  readonly below: ReactNode
}

/** A table cell with a main and a secondary line. */
export function TwoLines({ children, below }: Props) {
  return (
    <span className={styles.twoLines}>
      <span>{children}</span>
      <span className={styles.small}>{below}</span>
    </span>
  )
}
