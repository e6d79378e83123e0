import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { ReplyMarkdown } from '@assay/ui/markdown/ReplyMarkdown.tsx'
import { MessagePrimitive } from '@assistant-ui/react'
import { ActionIcon } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { BranchPicker } from './BranchPicker.tsx'
import { ReplyDetails } from './ReplyDetails.tsx'
import { ReplyEnd } from './ReplyEnd.tsx'
import styles from './thread.module.css'
import { useLiveReply, useMessage, useThreadNotices } from './thread-context.ts'
import { useRegenerate } from './use-regenerate.ts'

/** A reply of a model, also while it is written. */
export function ReplyMessage() {
  const message = useMessage()
  const live = useLiveReply(message.id)
  const pastNotices = useThreadNotices(message.id)
  const text = live?.text ?? message.content
  const reasoning = live?.reasoning ?? message.reasoning ?? ''
  const regenerate = useRegenerate(message)
  const isWriting = live !== undefined
  return (
    <MessagePrimitive.Root className={styles.reply} aria-label="Reply" role="article">
      {(live?.notices ?? pastNotices).map((notice) => (
        <p key={notice} className={styles.notice}>
          {notice}
        </p>
      ))}
      {reasoning !== '' && <Reasoning text={reasoning} isRunning={isWriting && text === ''} />}
      <ReplyMarkdown text={text} isOpen={isWriting} />
      {live !== undefined && (
        <p className={styles.progress} data-writing={text !== ''}>
          {live.isReconnecting
            ? 'Connection lost. Reconnecting…'
            : text === ''
              ? 'Waiting for the model…'
              : ''}
        </p>
      )}
      {!isWriting && <ReplyEnd message={message} />}
      <div className={styles.replyFooter}>
        {!isWriting && <ReplyDetails message={message} />}
        <div className={styles.actions}>
          <BranchPicker messageId={message.id} />
          {!isWriting && (
            <>
              <CopyButton text={text} label="Copy reply" />
              <ActionIcon
                size="sm"
                aria-label="Regenerate reply"
                title="Regenerate reply"
                disabled={regenerate === undefined}
                onClick={regenerate}
              >
                <IconRefresh size={14} />
              </ActionIcon>
            </>
          )}
        </div>
      </div>
    </MessagePrimitive.Root>
  )
}

interface ReasoningProps {
  readonly text: string
  readonly isRunning: boolean
}

function Reasoning({ text, isRunning }: ReasoningProps) {
  return (
    <details className={styles.reasoning}>
      <summary>{isRunning ? 'Reasoning…' : 'Reasoning'}</summary>
      <div className={styles.reasoningText}>{text}</div>
    </details>
  )
}
