import type { ReactNode } from 'react'
import styles from './sso.module.css'

interface Props {
  readonly number: number
  readonly title: string
  /** The prerequisite. The step is dimmed and empty until it is met. */
  readonly waitsFor?: string | undefined
  readonly children: ReactNode
}

/** One of several steps. */
export function Step({ number, title, waitsFor, children }: Props) {
  return (
    <li className={styles.step} data-waiting={waitsFor !== undefined || undefined}>
      <h2 className={styles.stepTitle}>
        <span className={styles.number} aria-hidden>
          {number}
        </span>
        {title}
      </h2>
      <div className={styles.body}>
        {waitsFor === undefined ? children : <p className={styles.text}>{waitsFor}</p>}
      </div>
    </li>
  )
}
