import type { ListedSpan } from '@assay/contract/traces.ts'
import { LongText } from '@assay/ui/LongText.tsx'
import { IconAlertTriangle } from '@tabler/icons-react'
import styles from './span.module.css'

interface Props {
  readonly span: ListedSpan
}

/** The error message of a failed span; nothing for other spans. */
export function ErrorBox({ span }: Props) {
  if (span.status !== 'ERROR') return null
  return (
    <div className={styles.error}>
      <IconAlertTriangle size={16} stroke={1.75} role="img" aria-label="Error" />
      {span.status_message === null || span.status_message === '' ? (
        'No error message'
      ) : (
        <LongText text={span.status_message} />
      )}
    </div>
  )
}
