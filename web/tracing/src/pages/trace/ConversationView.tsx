import type { Span } from '@assay/contract/traces.ts'
import { TextButton } from '@assay/ui/TextButton.tsx'
import { useRef } from 'react'
import { Messages } from '../../conversation/Messages.tsx'
import { RawSwitch } from '../../conversation/RawSwitch.tsx'
import type { SpanMessages } from '../../conversation/turn-messages.ts'
import styles from './span.module.css'

interface Props {
  readonly span: Span
  readonly messages: SpanMessages
}

export function ConversationView({ span, messages: { input, output } }: Props) {
  const outputHeading = useRef<HTMLHeadingElement>(null)
  function goToOutput(): void {
    outputHeading.current?.scrollIntoView()
    outputHeading.current?.focus({ preventScroll: true })
  }
  return (
    <>
      <div className={styles.display}>
        {input !== undefined && output !== undefined && (
          <TextButton onClick={goToOutput}>Go to output</TextButton>
        )}
        <RawSwitch />
      </div>
      <Messages conversation={input} value={span.input} label="input" />
      <h3 ref={outputHeading} className={styles.divider} tabIndex={-1}>
        <span>Output</span>
      </h3>
      <Messages conversation={output} value={span.output} label="output" />
    </>
  )
}
