import type { ReactNode } from 'react'
import styles from './Notice.module.css'

interface Props {
  readonly icon: ReactNode
  readonly title: string
  /** The next step, as buttons or links. */
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** An empty list: why it is empty, and what to do next. */
export function EmptyState({ icon, title, actions, children }: Props) {
  return (
    <div className={styles.root}>
      <div className={styles.icon}>{icon}</div>
      <h2 className={styles.title}>{title}</h2>
      {children !== undefined && <p className={styles.text}>{children}</p>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
