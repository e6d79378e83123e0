import { Button } from '@mantine/core'
import { IconAlertTriangle, IconFileUnknown, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './Notice.module.css'

interface Props {
  readonly title: string
  /** Whether it is all of the page, whose heading is the title then. */
  readonly isPage?: boolean
  /** Whether something does not exist, which is no failure. */
  readonly isMissing?: boolean
  /** What happened, and what to do. */
  readonly children: ReactNode
  readonly onRetry?: () => void
  readonly actions?: ReactNode
}

/** A failure: what happened, and what to do next. */
export function Problem({ title, isPage, isMissing = false, children, onRetry, actions }: Props) {
  const Heading = isPage === true ? 'h1' : 'h2'
  const Icon = isMissing ? IconFileUnknown : IconAlertTriangle
  return (
    <div className={styles.root} role="alert">
      <div className={isMissing ? styles.icon : `${styles.icon} ${styles.bad}`}>
        <Icon size={20} stroke={1.75} aria-hidden />
      </div>
      <Heading className={styles.title}>{title}</Heading>
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
