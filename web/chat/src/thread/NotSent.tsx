import { useAui } from '@assistant-ui/react'
import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect } from 'react'
import { isContinuation } from '../api/chat-stream.ts'
import { childrenOf } from './message-tree.ts'
import styles from './thread.module.css'
import { useThreadContext } from './thread-context.ts'
import type { RefusedTurn, SentMessage } from './thread-state.ts'
import { findShownReply, useThreadState } from './use-thread-runtime.ts'

/** A message that the service refused. Its text is in the field or editor again. */
export function NotSent() {
  const aui = useAui()
  const { thread, uploads } = useThreadContext()
  const { refused, tree } = useThreadState(thread)
  useEffect(() => {
    const message = refused?.turn.message
    if (message === undefined || message.editedId !== undefined) return
    if (!aui.composer.getState().isEmpty) return
    aui.composer.setText(message.text)
    void uploads.restore(message.attachments, (attachment) =>
      aui.composer.addAttachment(attachment),
    )
  }, [aui, uploads, refused])
  if (refused === undefined) return null
  const { message } = refused.turn
  // The messages that this window did not have are loaded after the refusal.
  const hasGoneOn =
    isContinuation(refused.turn) && childrenOf(tree, refused.turn.parentId).length > 0
  return (
    <Alert
      className={styles.notSent}
      color="red"
      p="xs"
      icon={<IconAlertTriangle size={16} />}
      role="alert"
    >
      <div className={styles.endText}>
        {message !== undefined && hasGoneOn ? (
          <GoneOn message={message} />
        ) : (
          <Refused refused={refused} />
        )}
      </div>
    </Alert>
  )
}

function Refused({ refused: { error, turn } }: { readonly refused: RefusedTurn }) {
  const { thread } = useThreadContext()
  const clearField = useClearField()
  return (
    <>
      <span>
        {turn.message === undefined ? 'No new reply' : 'Not sent'}: {error.message}
      </span>
      <span className={styles.endButtons}>
        <Button variant="default" onClick={() => thread.dismiss()}>
          Dismiss
        </Button>
        {/* An editor has a button of its own, and perhaps another text by now. */}
        {turn.message?.editedId === undefined && (
          <Button
            onClick={() => {
              clearField(turn.message)
              thread.retry()
            }}
          >
            Retry
          </Button>
        )}
      </span>
    </>
  )
}

/** Another window has continued the conversation, which this one did not show when it sent the message. */
function GoneOn({ message }: { readonly message: SentMessage }) {
  const { thread } = useThreadContext()
  const state = useThreadState(thread)
  const clearField = useClearField()
  function send(changes: Partial<SentMessage>): void {
    clearField(message)
    thread.send({ ...message, ...changes })
  }
  return (
    <>
      <span>
        Not sent: the conversation was continued in another window. Read the new messages above,
        then choose where yours goes.
      </span>
      <span className={styles.endButtons}>
        <Button variant="default" onClick={() => send({ isBranch: true })}>
          Send as a separate branch
        </Button>
        <Button
          disabled={findShownReply(state) !== undefined}
          onClick={() => send({ parentId: state.tree.selectedId })}
        >
          Send after them
        </Button>
      </span>
    </>
  )
}

/** Removes the message from the field, unless the person has changed it there. */
function useClearField() {
  const aui = useAui()
  return (message: SentMessage | undefined) => {
    if (aui.composer.getState().text === message?.text) void aui.composer.reset()
  }
}
