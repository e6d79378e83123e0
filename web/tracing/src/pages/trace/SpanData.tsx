import type { Span } from '@assay/contract/traces.ts'
import { Body } from '../../conversation/Body.tsx'
import styles from './span.module.css'

interface Props {
  readonly span: Span
}

/** Raw input and output. */
export function SpanData({ span }: Props) {
  return (
    <>
      <h3 className={styles.part}>Input</h3>
      <Body value={span.input} label="input" />
      <h3 className={styles.part}>Output</h3>
      <Body value={span.output} label="output" />
    </>
  )
}
