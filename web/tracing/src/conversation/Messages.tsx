import type { Conversation } from '@assay/contract/conversation.ts'
import { JsonView } from '@assay/ui/JsonView.tsx'
import { Body } from './Body.tsx'
import { MessageList } from './MessageList.tsx'
import styles from './messages.module.css'

interface Props {
  readonly conversation: Conversation | undefined
  /** The raw value, shown if it is not a conversation. */
  readonly value: unknown
  /** `input`, `output`. */
  readonly label: string
  /** Longer texts are collapsed. */
  readonly collapseAt?: number
}

export function Messages({ conversation, value, label, collapseAt }: Props) {
  if (conversation === undefined) return <Body value={value} label={label} />
  return (
    <>
      <MessageList messages={conversation.messages} collapseAt={collapseAt} />
      {conversation.rest !== undefined && (
        <details className={styles.collapsed}>
          <summary>Other {label} fields</summary>
          <JsonView value={conversation.rest} label={`other ${label} fields`} />
        </details>
      )}
    </>
  )
}
