import type { Conversation } from '@assay/contract/conversation.ts'
import type { Span } from '@assay/contract/traces.ts'
import { Messages } from '../../conversation/Messages.tsx'
import styles from './span.module.css'

interface Props {
  readonly span: Span
  readonly input: Conversation | undefined
  readonly output: Conversation | undefined
}

export function ConversationView({ span, input, output }: Props) {
  return (
    <>
      <Messages conversation={input} value={span.input} label="input" />
      <h3 className={styles.divider}>
        <span>Output</span>
      </h3>
      <Messages conversation={output} value={span.output} label="output" />
    </>
  )
}
