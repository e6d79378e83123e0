import type { ReactNode } from 'react'
import styles from './filling-page.module.css'

/** The number of rows, in the status line of a page that fills its height. */
export function RowCount({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles.count} role="status">
      {children}
    </p>
  )
}
