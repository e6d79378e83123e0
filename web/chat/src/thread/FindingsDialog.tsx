import { isBlocking } from '@assay/contract/chat-scan.ts'
import { useAui } from '@assistant-ui/react'
import { Button, Checkbox, Modal } from '@mantine/core'
import { useState } from 'react'
import { filesWithFindings, formatFinding, formatPlace, replaceFindings } from './finding-labels.ts'
import styles from './thread.module.css'
import { useThreadContext } from './thread-context.ts'
import type { HeldTurn } from './thread-state.ts'
import { useThreadState } from './use-thread-runtime.ts'

/** Asks what to do with a request that was held back because of what its message or context contains. */
export function FindingsDialog() {
  const aui = useAui()
  const { thread, uploads } = useThreadContext()
  const { held } = useThreadState(thread)
  const [last, setLast] = useState(held)
  if (held !== undefined && held !== last) setLast(held)
  function edit(): void {
    thread.dismiss()
    const message = held?.turn.message
    // The editor of another version has its text again.
    if (message === undefined || message.editedId !== undefined) return
    const { text } = aui.composer.getState()
    aui.composer.setText(text === '' ? message.text : `${message.text}\n\n${text}`)
    void uploads.restore(message.attachments, (attachment) =>
      aui.composer.addAttachment(attachment),
    )
  }
  return (
    <Modal
      opened={held !== undefined}
      onClose={edit}
      // An editor takes the focus itself.
      returnFocus={last?.turn.message?.editedId === undefined}
      title={last?.turn.message === undefined ? 'No new reply' : 'This message was not sent'}
      size="lg"
      closeButtonProps={{
        'aria-label': last?.turn.message === undefined ? 'Close' : 'Edit message',
      }}
    >
      {held !== undefined && <HeldBack key={held.turn.clientMessageId} held={held} onEdit={edit} />}
    </Modal>
  )
}

interface Props {
  readonly held: HeldTurn
  readonly onEdit: () => void
}

function HeldBack({ held: { turn, findings }, onEdit }: Props) {
  const { thread } = useThreadContext()
  const [isSure, setSure] = useState(false)
  const { message } = turn
  const blocking = findings.filter(isBlocking)
  const files = filesWithFindings(message?.attachments ?? [], blocking)
  const isInHistory = blocking.some(({ source }) => source === 'history')
  return (
    <div className={styles.held}>
      <p>
        Credentials or government identifiers were found, which the provider of the model would
        receive.
      </p>
      <ul className={styles.findings}>
        {blocking.map((finding) => (
          <li key={`${finding.attachment_id} ${finding.source} ${finding.start}`}>
            <code>{finding.preview}</code>
            <span>
              {formatFinding(finding)}
              {formatPlace(finding, files)}
            </span>
          </li>
        ))}
      </ul>
      {isInHistory ? (
        <p className="dimmed">
          Earlier messages are sent along and stay as they are. To leave these parts out, edit the
          message that contains them.
        </p>
      ) : (
        files.length > 0 && (
          <p className="dimmed">
            With these parts replaced, the message is sent without{' '}
            {files.length === 1 ? 'the file that contains one' : 'the files that contain them'}.
          </p>
        )
      )}
      <Checkbox
        checked={isSure}
        onChange={(event) => setSure(event.currentTarget.checked)}
        label="Send it unchanged. This is recorded in the audit log, without the values."
      />
      <div className={styles.heldButtons}>
        <Button variant="default" onClick={onEdit} data-autofocus>
          {message === undefined ? 'Cancel' : 'Edit'}
        </Button>
        {message !== undefined && !isInHistory && (
          <Button
            variant="default"
            disabled={replaceFindings(message.text, findings).trim() === ''}
            onClick={() =>
              thread.send({
                ...message,
                text: replaceFindings(message.text, findings),
                attachments: message.attachments.filter((one) => !files.includes(one)),
              })
            }
          >
            Send with these parts replaced
          </Button>
        )}
        <Button color="red" disabled={!isSure} onClick={() => thread.override()}>
          Send anyway
        </Button>
      </div>
    </div>
  )
}
