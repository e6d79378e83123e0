import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './chips.module.css'

interface Filter {
  readonly key: string
  readonly text: string
  readonly title?: string
  readonly onRemove: () => void
}

interface Props {
  readonly filters: readonly Filter[]
  readonly children?: ReactNode
}

/** The active filters with a remove button each; nothing if there are none. */
export function Chips({ filters, children }: Props) {
  if (filters.length === 0) return null
  return (
    <ul className={styles.chips} aria-label="Active filters">
      {filters.map(({ key, text, title, onRemove }) => (
        <li key={key}>
          <button
            type="button"
            className={styles.chip}
            title={title}
            aria-label={`Remove filter ${text}`}
            onClick={onRemove}
          >
            <span className={styles.text}>{text}</span>
            <IconX size={12} aria-hidden />
          </button>
        </li>
      ))}
      {children !== undefined && <li>{children}</li>}
    </ul>
  )
}
