import { limits } from '@assay/contract/limits.ts'
import {
  type AssistantState,
  AuiIf,
  ComposerPrimitive,
  useAui,
  useAuiState,
} from '@assistant-ui/react'
import { ActionIcon } from '@mantine/core'
import { IconArrowUp, IconPaperclip, IconPlayerStopFilled } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { ComposerFile } from './ComposerFile.tsx'
import { useDroppedFiles } from './dropped-files.ts'
import { ScanHint } from './ScanHint.tsx'
import { takePaste } from './take-paste.ts'
import styles from './thread.module.css'
import { useThreadContext } from './thread-context.ts'
import { useComposerFiles } from './use-composer-files.ts'
import { useDraft } from './use-draft.ts'
import { findShownReply, useThreadState } from './use-thread-runtime.ts'

interface Props {
  readonly draftKey: string
  readonly modelPicker: ReactNode
  readonly onReadyChange: (isReady: boolean) => void
}

const isRunning = ({ thread }: Pick<AssistantState, 'thread'>) => thread.isRunning
const isIdle = (state: AssistantState) => !isRunning(state)

const maxLength = limits.chatTextLength.value
/** As assistant-ui decides what Enter does. */
const isTouchOnly = () => matchMedia('(pointer: coarse) and (not (any-pointer: fine))').matches

/** The field for the next message, with its attachments. */
export function Composer({ draftKey, modelPicker, onReadyChange }: Props) {
  useDraft(draftKey)
  const aui = useAui()
  const areReady = useComposerFiles()
  const needsText = useAuiState(
    ({ composer }) => composer.attachments.length > 0 && composer.text.trim() === '',
  )
  const hasFailed = useAuiState(({ composer }) =>
    composer.attachments.some(({ status }) => status.type === 'incomplete'),
  )
  const isTooLong = useAuiState(({ composer }) => composer.text.length > maxLength)
  const isReady = areReady && !needsText && !isTooLong
  useEffect(() => onReadyChange(isReady), [isReady, onReadyChange])
  // A file that cannot be attached shows why.
  const attach = (file: File) => void aui.composer.addAttachment(file).catch(() => {})
  const isDragging = useDroppedFiles((files) => files.forEach(attach))
  const field = useRef<HTMLTextAreaElement>(null)
  function onKeyDown(event: KeyboardEvent): void {
    const isSending = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing
    // The message cannot be sent yet, and the key would add a line.
    if (isSending && !isTouchOnly() && isRunning({ thread: aui.thread.getState() })) {
      event.preventDefault()
    }
  }
  return (
    <ComposerPrimitive.Root className={styles.composer} data-dragging={isDragging || undefined}>
      <div className={styles.box}>
        <ul className={styles.files} aria-label="Attachments">
          <ComposerPrimitive.Attachments>{() => <ComposerFile />}</ComposerPrimitive.Attachments>
        </ul>
        <ComposerPrimitive.Input
          className={styles.input}
          placeholder={needsText ? 'Message to send with the files' : 'Message'}
          aria-label="Message"
          ref={field}
          minRows={1}
          maxRows={12}
          // There is no Shift+Enter without a keyboard.
          unstable_insertNewlineOnTouchEnter
          onKeyDown={onKeyDown}
          addAttachmentOnPaste={false}
          onPaste={(event) => takePaste(event, attach)}
          autoFocus
        />
        <div className={styles.composerButtons}>
          <ComposerPrimitive.AddAttachment asChild>
            <ActionIcon aria-label="Attach files" title="Attach files">
              <IconPaperclip size={16} />
            </ActionIcon>
          </ComposerPrimitive.AddAttachment>
          {modelPicker}
          <span className={styles.space} />
          <AuiIf condition={isIdle}>
            <ComposerPrimitive.Send asChild>
              <ActionIcon
                variant="filled"
                color="indigo"
                aria-label="Send"
                title={areReady ? 'Send' : 'Wait for the uploads, or remove failed files'}
              >
                <IconArrowUp size={16} />
              </ActionIcon>
            </ComposerPrimitive.Send>
          </AuiIf>
          <AuiIf condition={isRunning}>
            <StopButton onStop={() => isTouchOnly() || field.current?.focus()} />
          </AuiIf>
        </div>
      </div>
      {hasFailed && (
        <p className={styles.hint} role="status">
          Some files could not be attached. Remove them to send the message.
        </p>
      )}
      <FieldHint />
    </ComposerPrimitive.Root>
  )
}

/** Apart, because it is rendered for each letter. */
function FieldHint() {
  return <ScanHint text={useAuiState(({ composer }) => composer.text)} />
}

function StopButton({ onStop }: { readonly onStop: () => void }) {
  const { thread } = useThreadContext()
  const state = useThreadState(thread)
  const shown = findShownReply(state)
  const isStopping = shown !== undefined && state.stopping.has(shown)
  return (
    <ComposerPrimitive.Cancel asChild disabled={isStopping}>
      <ActionIcon
        variant="filled"
        color="gray"
        loading={isStopping}
        aria-label="Stop"
        title="Stop (Esc)"
        // The button goes away with the focus.
        onClick={onStop}
      >
        <IconPlayerStopFilled size={14} />
      </ActionIcon>
    </ComposerPrimitive.Cancel>
  )
}
