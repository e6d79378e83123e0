import type { ReactNode } from 'react'
import styles from './filling-page.module.css'

interface Props {
  readonly title: string
  readonly filters: ReactNode
  readonly buttons: ReactNode
  /** Between the filters and the list: what is shown, and how. */
  readonly status: ReactNode
  readonly children: ReactNode
}

/** A page with one list that fills its height and scrolls by itself. */
export function FillingPage({ title, filters, buttons, status, children }: Props) {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>{title}</h1>
        <div className={styles.filters} role="search" aria-label={`Filter ${title.toLowerCase()}`}>
          {filters}
        </div>
        <div className={styles.buttons}>{buttons}</div>
      </header>
      <div className={styles.status}>{status}</div>
      {children}
    </div>
  )
}
