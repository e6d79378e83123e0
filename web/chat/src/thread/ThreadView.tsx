import {
  AssistantRuntimeProvider,
  type AssistantState,
  AuiIf,
  ThreadPrimitive,
} from '@assistant-ui/react'
import { ActionIcon } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Composer } from './Composer.tsx'
import { isLocal } from './conversation-thread.ts'
import { FindingsDialog } from './FindingsDialog.tsx'
import { MessageList } from './MessageList.tsx'
import { type MessageTree, selectedBranch } from './message-tree.ts'
import { NotSent } from './NotSent.tsx'
import { ReplyAnnouncer } from './ReplyAnnouncer.tsx'
import styles from './thread.module.css'
import { ThreadContext, type ThreadContextValue } from './thread-context.ts'
import { useFollowEnd } from './use-follow-end.ts'
import { useShownMessages } from './use-shown-messages.ts'
import { useThreadRuntime, useThreadState } from './use-thread-runtime.ts'

const isEmpty = ({ thread }: AssistantState) => thread.isEmpty

interface Props extends ThreadContextValue {
  /** Identifies the draft of the message. */
  readonly draftKey: string
  readonly modelPicker: ReactNode
  /** What a person has to know before the next message. */
  readonly notice: ReactNode
  /** What is shown without messages. */
  readonly children: ReactNode
}

/** The reply that this page has requested, until the service has it. */
const findSent = ({ selectedId }: MessageTree) =>
  selectedId !== null && isLocal(selectedId) ? selectedId : undefined

/** The messages of a conversation, and the field for the next one. */
export function ThreadView({ draftKey, modelPicker, notice, children, ...context }: Props) {
  const [isReady, setReady] = useState(true)
  const { tree } = useThreadState(context.thread)
  const { viewport, content } = useFollowEnd(findSent(tree))
  const total = selectedBranch(tree).length
  const { count, showEarlier } = useShownMessages(total)
  const runtime = useThreadRuntime({
    thread: context.thread,
    modelConfigId: context.modelConfigId,
    uploads: context.uploads,
    isSendDisabled: !isReady,
    messageCount: count,
  })
  return (
    <ThreadContext value={context}>
      <AssistantRuntimeProvider runtime={runtime}>
        <ThreadPrimitive.Root className={styles.root}>
          <ThreadPrimitive.Viewport
            ref={viewport}
            autoScroll={false}
            className={styles.viewport}
            tabIndex={0}
            aria-label="Messages"
          >
            <AuiIf condition={isEmpty}>{children}</AuiIf>
            <div ref={content} className={styles.messages}>
              <MessageList viewport={viewport} total={total} onShowEarlier={showEarlier} />
            </div>
          </ThreadPrimitive.Viewport>
          <div className={styles.bottom}>
            <ThreadPrimitive.ScrollToBottom asChild>
              <ActionIcon
                variant="default"
                radius="xl"
                className={styles.toBottom}
                aria-label="Scroll to the end"
              >
                <IconArrowDown size={16} />
              </ActionIcon>
            </ThreadPrimitive.ScrollToBottom>
            {notice}
            <NotSent />
            <Composer draftKey={draftKey} modelPicker={modelPicker} onReadyChange={setReady} />
          </div>
        </ThreadPrimitive.Root>
        <FindingsDialog />
        <ReplyAnnouncer />
      </AssistantRuntimeProvider>
    </ThreadContext>
  )
}
