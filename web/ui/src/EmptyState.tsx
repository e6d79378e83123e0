import type { ReactNode } from 'react'
import styles from './Notice.module.css'

interface Props {
  readonly icon: ReactNode
  readonly title: string
  /** Whether it is all of the page, whose heading is the title then. */
  readonly isPage?: boolean
  /** The next step, as buttons or links. */
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** An empty list: why it is empty, and what to do next. */
export function EmptyState({ icon, title, isPage, actions, children }: Props) {
  const Heading = isPage === true ? 'h1' : 'h2'
  return (
    <div className={styles.root}>
      <div className={styles.icon}>{icon}</div>
      <Heading className={styles.title}>{title}</Heading>
      {children !== undefined && <p className={styles.text}>{children}</p>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
