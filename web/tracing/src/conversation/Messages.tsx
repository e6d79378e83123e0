import { JsonView } from '@assay/ui/JsonView.tsx'
import { Body } from './Body.tsx'
import type { Conversation } from './conversation.ts'
import { MessageView } from './MessageView.tsx'
import styles from './messages.module.css'

interface Props {
  readonly conversation: Conversation | undefined
  /** What the conversation was found in; shown as it is where there is none. */
  readonly value: unknown
  /** `input`, `output`. */
  readonly label: string
  /** Longer texts are cut until the rest is asked for. */
  readonly foldAt?: number
}

/** What was said, message by message. */
export function Messages({ conversation, value, label, foldAt }: Props) {
  if (conversation === undefined) return <Body value={value} label={label} />
  return (
    <>
      {conversation.messages.map((message, at) => (
        // Messages have no ids and never change places.
        <MessageView key={at} message={message} foldAt={foldAt} />
      ))}
      {conversation.rest !== undefined && (
        <details className={styles.rest}>
          <summary>What else the {label} holds</summary>
          <JsonView value={conversation.rest} label={`rest of the ${label}`} />
        </details>
      )}
    </>
  )
}
