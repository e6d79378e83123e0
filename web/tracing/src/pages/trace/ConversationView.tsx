import type { Span } from '@assay/contract/traces.ts'
import { JsonView } from '@assay/ui/JsonView.tsx'
import { Body } from './Body.tsx'
import type { Conversation } from './conversation.ts'
import { MessageView } from './MessageView.tsx'
import styles from './span.module.css'

interface Props {
  readonly span: Span
  readonly input: Conversation | undefined
  readonly output: Conversation | undefined
}

/** What was said to a model and what it answered. */
export function ConversationView({ span, input, output }: Props) {
  return (
    <>
      <Side conversation={input} value={span.input} label="input" />
      <h3 className={styles.divider}>
        <span>Output</span>
      </h3>
      <Side conversation={output} value={span.output} label="output" />
    </>
  )
}

interface SideProps {
  readonly conversation: Conversation | undefined
  readonly value: unknown
  readonly label: string
}

function Side({ conversation, value, label }: SideProps) {
  if (conversation === undefined) return <Body value={value} label={label} />
  return (
    <>
      {conversation.messages.map((message, at) => (
        // Messages have no ids and never change places.
        <MessageView key={at} message={message} />
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
