import { type ChatFinding, isBlocking } from '@assay/contract/chat-scan.ts'
import { useAui } from '@assistant-ui/react'
import { Button, Checkbox, Modal } from '@mantine/core'
import { useState } from 'react'
import type { UploadedAttachment } from './attachment-uploads.ts'
import { formatFinding, replaceFindings } from './finding-labels.ts'
import styles from './thread.module.css'
import { useThreadContext } from './thread-context.ts'
import type { HeldMessage } from './thread-state.ts'
import { useThreadState } from './use-thread-runtime.ts'

/** Asks what to do with a message that was held back because of what it contains. */
export function FindingsDialog() {
  const aui = useAui()
  const { thread, uploads } = useThreadContext()
  const { held } = useThreadState(thread)
  const [last, setLast] = useState(held)
  if (held !== undefined && held !== last) setLast(held)
  function edit(): void {
    thread.dismiss()
    // The editor of another version has its text again.
    if (held === undefined || held.message.editedId !== undefined) return
    const { text } = aui.composer.getState()
    aui.composer.setText(text === '' ? held.message.text : `${held.message.text}\n\n${text}`)
    void uploads.restore(held.message.attachments, (attachment) =>
      aui.composer.addAttachment(attachment),
    )
  }
  return (
    <Modal
      opened={held !== undefined}
      onClose={edit}
      // An editor takes the focus itself.
      returnFocus={last?.message.editedId === undefined}
      title="This message was not sent"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Edit message' }}
    >
      {held !== undefined && <HeldQuestion key={held.message.text} held={held} onEdit={edit} />}
    </Modal>
  )
}

interface Props {
  readonly held: HeldMessage
  readonly onEdit: () => void
}

function HeldQuestion({ held: { message, findings }, onEdit }: Props) {
  const { thread } = useThreadContext()
  const [isSure, setSure] = useState(false)
  const blocking = findings.filter(isBlocking)
  const badFiles = new Set(blocking.flatMap(({ attachment_id }) => attachment_id ?? []))
  const otherFiles = message.attachments.filter(({ id }) => !badFiles.has(id))
  const replaced = replaceFindings(message.text, findings)
  return (
    <div className={styles.held}>
      <p>
        It contains credentials or government identifiers, which the provider of the model would
        receive.
      </p>
      <ul className={styles.findings}>
        {blocking.map((finding) => (
          <li key={`${finding.attachment_id} ${finding.start}`}>
            <code>{finding.preview}</code>
            <span>
              {formatFinding(finding)}
              {formatPlace(finding, message.attachments)}
            </span>
          </li>
        ))}
      </ul>
      {badFiles.size > 0 && (
        <p className="dimmed">
          With these parts replaced, the message is sent without{' '}
          {badFiles.size === 1 ? 'the file that contains one' : 'the files that contain them'}.
        </p>
      )}
      <Checkbox
        checked={isSure}
        onChange={(event) => setSure(event.currentTarget.checked)}
        label="Send it unchanged. This is recorded in the audit log, without the values."
      />
      <div className={styles.heldButtons}>
        <Button variant="default" onClick={onEdit} data-autofocus>
          Edit
        </Button>
        <Button
          variant="default"
          disabled={replaced.trim() === ''}
          onClick={() => thread.send({ ...message, text: replaced, attachments: otherFiles })}
        >
          Send with these parts replaced
        </Button>
        <Button color="red" disabled={!isSure} onClick={() => thread.send(message, true)}>
          Send anyway
        </Button>
      </div>
    </div>
  )
}

function formatPlace(
  { attachment_id }: ChatFinding,
  attachments: readonly UploadedAttachment[],
): string {
  const file = attachments.find(({ id }) => id === attachment_id)
  return file === undefined ? '' : `, in ${file.name}`
}
