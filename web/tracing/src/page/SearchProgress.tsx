import type { ReactNode } from 'react'
import styles from './filling-page.module.css'

/** Below the rows: how far a search has got. */
export function SearchProgress({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.progress} role="status">
      {children}
    </div>
  )
}
