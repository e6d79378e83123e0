import { useAui } from '@assistant-ui/react'
import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect } from 'react'
import styles from './thread.module.css'
import { useThreadContext } from './thread-context.ts'
import { useThreadState } from './use-thread-runtime.ts'

/** A message that the service refused. Its text is in the field again. */
export function NotSent() {
  const aui = useAui()
  const { thread, uploads } = useThreadContext()
  const { refused } = useThreadState(thread)
  useEffect(() => {
    const message = refused?.turn.message
    if (message === undefined || !aui.composer.getState().isEmpty) return
    aui.composer.setText(message.text)
    void uploads.restore(message.attachments, (attachment) =>
      aui.composer.addAttachment(attachment),
    )
  }, [aui, uploads, refused])
  if (refused === undefined) return null
  const { error, turn } = refused
  function retry(): void {
    const { text } = aui.composer.getState()
    if (text === turn.message?.text) void aui.composer.reset()
    thread.retry()
  }
  return (
    <Alert
      className={styles.notSent}
      color="red"
      p="xs"
      icon={<IconAlertTriangle size={16} />}
      role="alert"
    >
      <div className={styles.endText}>
        <span>
          {turn.message === undefined ? 'No new reply' : 'Not sent'}: {error.message}
        </span>
        <span className={styles.endButtons}>
          <Button variant="default" onClick={() => thread.dismiss()}>
            Dismiss
          </Button>
          <Button onClick={retry}>Retry</Button>
        </span>
      </div>
    </Alert>
  )
}
