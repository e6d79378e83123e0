import type { Span } from '@assay/contract/traces.ts'
import { Body } from '../../conversation/Body.tsx'
import { RawSwitch } from '../../conversation/RawSwitch.tsx'
import styles from './span.module.css'

interface Props {
  readonly span: Span
}

/** Input and output, whatever they are. */
export function SpanData({ span }: Props) {
  return (
    <>
      {[span.input, span.output].some((one) => typeof one === 'string') && (
        <div className={styles.display}>
          <RawSwitch />
        </div>
      )}
      <h3 className={styles.part}>Input</h3>
      <Body value={span.input} label="input" />
      <h3 className={styles.part}>Output</h3>
      <Body value={span.output} label="output" />
    </>
  )
}
