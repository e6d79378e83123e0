import type { ConversationMessage } from '@assay/contract/conversations.ts'
import { limits } from '@assay/contract/limits.ts'
import { Button, Textarea } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { MessageFiles } from './MessageFiles.tsx'
import { ScanHint } from './ScanHint.tsx'
import styles from './thread.module.css'
import { useThreadContext } from './thread-context.ts'
import type { EditDraft } from './thread-state.ts'

interface Props {
  readonly message: ConversationMessage
  readonly draft: EditDraft
}

/** Writes another version of a message of the person. The first is kept. */
export function QuestionEditor({ message, draft }: Props) {
  const { thread, modelConfigId } = useThreadContext()
  const [text, setText] = useState(draft.text)
  const [attachments, setAttachments] = useState(draft.attachments)
  const isSendable = text.trim() !== '' && text.length <= limits.chatTextLength.value
  const isHeld = useSyncExternalStore(
    thread.subscribe,
    () => thread.getState().held?.turn.message?.editedId === message.id,
  )
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isHeld || field.current === null) return
    field.current.focus()
    field.current.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [isHeld])
  const cancel = () => thread.cancelEdit(message.id)
  function send(): void {
    if (!isSendable) return
    const { id: editedId, parent_id: parentId } = message
    thread.send({ text, attachments, parentId, editedId, modelConfigId })
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') cancel()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    send()
  }
  return (
    <>
      <div className={styles.box}>
        <MessageFiles
          attachments={attachments}
          onRemove={(id) => setAttachments(attachments.filter((one) => one.id !== id))}
        />
        <Textarea
          variant="unstyled"
          classNames={{ input: styles.input }}
          aria-label="Edit message"
          autosize
          maxRows={14}
          ref={field}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div className={styles.editorButtons}>
          <span className="dimmed">The first version and its replies are kept.</span>
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button disabled={!isSendable} onClick={send}>
            Send
          </Button>
        </div>
      </div>
      <ScanHint text={text} />
    </>
  )
}
