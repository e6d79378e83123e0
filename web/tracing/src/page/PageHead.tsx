import type { ReactNode } from 'react'
import styles from './page.module.css'

interface Props {
  readonly title: string
  readonly lead?: ReactNode
  /** The main action, as a button. */
  readonly action?: ReactNode
}

/** The title of a page, with a short description and its main action. */
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
