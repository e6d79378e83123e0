import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { ActionBarPrimitive, MessagePrimitive } from '@assistant-ui/react'
import { ActionIcon } from '@mantine/core'
import { IconFile, IconPencil } from '@tabler/icons-react'
import { BranchPicker } from './BranchPicker.tsx'
import styles from './thread.module.css'
import { useMessage } from './thread-context.ts'

/** A message of the person. */
export function QuestionMessage() {
  const { content, attachments } = useMessage()
  return (
    <MessagePrimitive.Root className={styles.question} aria-label="Your message" role="article">
      {attachments.length > 0 && (
        <ul className={styles.files} aria-label="Attachments">
          {attachments.map(({ id, name, truncated }) => (
            <li key={id} className={styles.file}>
              <IconFile size={14} aria-hidden />
              <span className={styles.fileName}>{name}</span>
              {truncated && <span className="dimmed">shortened</span>}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.questionText}>{content}</div>
      <div className={styles.actions}>
        <BranchPicker />
        <CopyButton text={content} label="Copy message" />
        <ActionBarPrimitive.Edit asChild>
          <ActionIcon size="sm" aria-label="Edit message" title="Edit message">
            <IconPencil size={14} />
          </ActionIcon>
        </ActionBarPrimitive.Edit>
      </div>
    </MessagePrimitive.Root>
  )
}
