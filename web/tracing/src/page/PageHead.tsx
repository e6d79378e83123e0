import type { ReactNode } from 'react'
import styles from './page.module.css'

interface Props {
  readonly title: string
  readonly lead?: ReactNode
  /** What the page is mostly opened for, as a button. */
  readonly action?: ReactNode
}

/** What a page is about, in its first lines. */
export function PageHead({ title, lead, action }: Props) {
  return (
    <header className={styles.head}>
      <div>
        <h1 className={styles.title}>{title}</h1>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
      </div>
      {action}
    </header>
  )
}
