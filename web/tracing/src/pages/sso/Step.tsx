import type { ReactNode } from 'react'
import page from '../../page/page.module.css'
import styles from './sso.module.css'

interface Props {
  readonly title: string
  /** The prerequisite. The step is dimmed and empty until it is met. */
  readonly waitsFor?: string | undefined
  readonly children: ReactNode
}

/** One of several numbered steps. */
export function Step({ title, waitsFor, children }: Props) {
  return (
    <li className={styles.step} data-waiting={waitsFor !== undefined || undefined}>
      <h2 className={page.heading}>{title}</h2>
      <div className={styles.body}>
        {waitsFor === undefined ? children : <p className={page.note}>{waitsFor}</p>}
      </div>
    </li>
  )
}
