import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { useFocusAfter } from '@assay/ui/use-focus-after.ts'
import { MessagePrimitive } from '@assistant-ui/react'
import { ActionIcon } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { unreadable } from '../api/chat-conversation.ts'
import { BranchPicker } from './BranchPicker.tsx'
import { isLocal } from './conversation-thread.ts'
import { MessageFiles } from './MessageFiles.tsx'
import { QuestionEditor } from './QuestionEditor.tsx'
import { QuestionText } from './QuestionText.tsx'
import styles from './thread.module.css'
import { useMessage, useThreadContext } from './thread-context.ts'

/** A message of the person, or its editor. */
export function QuestionMessage() {
  const { thread } = useThreadContext()
  const message = useMessage()
  const { id, content, attachments } = message
  const draft = useSyncExternalStore(thread.subscribe, () => thread.getState().edits.get(id))
  const editButton = useFocusAfter<HTMLButtonElement>(draft !== undefined)
  if (draft !== undefined) {
    return (
      <MessagePrimitive.Root className={styles.editor}>
        <QuestionEditor message={message} draft={draft} />
      </MessagePrimitive.Root>
    )
  }
  return (
    <MessagePrimitive.Root className={styles.question} aria-label="Your message" role="article">
      <MessageFiles attachments={attachments} />
      <QuestionText messageId={id} text={content} />
      <div className={styles.actions}>
        <BranchPicker messageId={id} />
        <CopyButton text={content} label="Copy message" />
        <ActionIcon
          ref={editButton}
          size="sm"
          aria-label="Edit message"
          title="Edit message"
          disabled={isLocal(id) || content === unreadable}
          onClick={() => thread.beginEdit(id)}
        >
          <IconPencil size={14} />
        </ActionIcon>
      </div>
    </MessagePrimitive.Root>
  )
}
