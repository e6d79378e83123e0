import { formatBytes } from '@assay/ui/number-format.ts'
import { ActionIcon } from '@mantine/core'
import { IconFile, IconX } from '@tabler/icons-react'
import styles from './thread.module.css'
import type { MessageAttachment } from './thread-state.ts'

interface Props {
  readonly attachments: readonly MessageAttachment[]
  readonly onRemove?: (id: string) => void
}

/** The attachments of a message that was sent. */
export function MessageFiles({ attachments, onRemove }: Props) {
  if (attachments.length === 0) return null
  return (
    <ul className={styles.files} aria-label="Attachments">
      {attachments.map(({ id, name, size, truncated }) => (
        <li key={id} className={styles.file}>
          <IconFile size={14} aria-hidden />
          <span className={styles.fileName} title={name}>
            {name}
          </span>
          <span className="dimmed">{formatBytes(size)}</span>
          {truncated && (
            <span className="dimmed" title="Only the beginning of its text is sent">
              shortened
            </span>
          )}
          {onRemove !== undefined && (
            <ActionIcon size="xs" aria-label={`Remove ${name}`} onClick={() => onRemove(id)}>
              <IconX size={12} />
            </ActionIcon>
          )}
        </li>
      ))}
    </ul>
  )
}
