import type { Message } from '@assay/contract/conversation.ts'
import { RevealMore } from '@assay/ui/RevealMore.tsx'
import { useReveal } from '@assay/ui/use-reveal.ts'
import { MessageView } from './MessageView.tsx'

interface Props {
  readonly messages: readonly Message[]
  /** Longer texts are collapsed. */
  readonly collapseAt?: number | undefined
}

const messagesAtOnce = 50

/** Messages in order; of very many, the first, and more on request. */
export function MessageList({ messages, collapseAt }: Props) {
  const reveal = useReveal(messages.length, messagesAtOnce, messagesAtOnce)
  return (
    <>
      {messages.slice(0, reveal.count).map((message, at) => (
        // Messages have no IDs and are never reordered.
        <MessageView key={at} message={message} collapseAt={collapseAt} />
      ))}
      <RevealMore reveal={reveal} noun="messages" />
    </>
  )
}
