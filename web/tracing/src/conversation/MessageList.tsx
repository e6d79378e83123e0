import type { Message } from '@assay/contract/conversation.ts'
import { RevealMore } from '@assay/ui/RevealMore.tsx'
import { useReveal } from '@assay/ui/use-reveal.ts'
import { MessageView } from './MessageView.tsx'
import styles from './messages.module.css'

interface Props {
  readonly messages: readonly Message[]
  /** Longer texts are collapsed. */
  readonly collapseAt?: number | undefined
}

const messagesAtOnce = 50
/** Of very many messages: instructions and the first question. */
const firstMessages = 5

/** Messages in order; of very many, the first and the last, and more in between on request. */
export function MessageList({ messages, collapseAt }: Props) {
  const reveal = useReveal(messages.length, messagesAtOnce, messagesAtOnce)
  const lastFrom = Math.max(firstMessages, messages.length - (reveal.count - firstMessages))
  const view = (message: Message, at: number) => (
    // Messages have no IDs and are never reordered.
    <MessageView key={at} message={message} collapseAt={collapseAt} />
  )
  return (
    <>
      {messages.slice(0, firstMessages).map((message, at) => view(message, at))}
      {lastFrom > firstMessages && (
        <p className={styles.between}>
          <RevealMore reveal={reveal} noun="messages" />
        </p>
      )}
      {messages.slice(lastFrom).map((message, at) => view(message, lastFrom + at))}
    </>
  )
}
