import { Button } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './Notice.module.css'

interface Props {
  readonly title: string
  /** What happened, and what to do. */
  readonly children: ReactNode
  readonly onRetry?: () => void
  readonly actions?: ReactNode
}

/** A failure: what happened, and what to do next. */
export function Problem({ title, children, onRetry, actions }: Props) {
  return (
    <div className={styles.root} role="alert">
      <div className={`${styles.icon} ${styles.bad}`}>
        <IconAlertTriangle size={20} stroke={1.75} aria-hidden />
      </div>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>{children}</p>
      <div className={styles.actions}>
        {onRetry !== undefined && (
          <Button variant="default" leftSection={<IconRefresh size={14} />} onClick={onRetry}>
            Retry
          </Button>
        )}
        {actions}
      </div>
    </div>
  )
}
