import type { Span } from '@assay/contract/traces.ts'
import { Messages } from '../../conversation/Messages.tsx'
import { RawSwitch } from '../../conversation/RawSwitch.tsx'
import type { SpanMessages } from '../../conversation/turn-messages.ts'
import styles from './span.module.css'

interface Props {
  readonly span: Span
  readonly messages: SpanMessages
}

export function ConversationView({ span, messages: { input, output } }: Props) {
  return (
    <>
      <div className={styles.display}>
        <RawSwitch />
      </div>
      <Messages conversation={input} value={span.input} label="input" />
      <h3 className={styles.divider}>
        <span>Output</span>
      </h3>
      <Messages conversation={output} value={span.output} label="output" />
    </>
  )
}
