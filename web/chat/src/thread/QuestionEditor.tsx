import { ComposerPrimitive, MessagePrimitive } from '@assistant-ui/react'
import { Button } from '@mantine/core'
import styles from './thread.module.css'
import { useMessage } from './thread-context.ts'

/** Edits a message of the person. The first version is kept. */
export function QuestionEditor() {
  const { attachments } = useMessage()
  return (
    <MessagePrimitive.Root className={styles.editor}>
      <ComposerPrimitive.Root className={styles.box}>
        <ComposerPrimitive.Input
          className={styles.input}
          aria-label="Edit message"
          addAttachmentOnPaste={false}
          maxRows={14}
          autoFocus
        />
        <div className={styles.editorButtons}>
          <span className="dimmed">
            {attachments.length > 0
              ? 'The edited message is sent without the attachments of the first version.'
              : 'The first version and its replies are kept.'}
          </span>
          <ComposerPrimitive.Cancel asChild>
            <Button variant="default">Cancel</Button>
          </ComposerPrimitive.Cancel>
          <ComposerPrimitive.Send asChild>
            <Button>Send</Button>
          </ComposerPrimitive.Send>
        </div>
      </ComposerPrimitive.Root>
    </MessagePrimitive.Root>
  )
}
