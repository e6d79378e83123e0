import { isBlocking } from '@assay/contract/chat-scan.ts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useDeferredValue } from 'react'
import { formatFindingType } from './finding-labels.ts'
import styles from './thread.module.css'
import { useScan } from './use-scan.ts'

/** Warns quietly while a message is written that will be held back. */
export function ScanHint({ text }: { readonly text: string }) {
  const findings = useScan(useDeferredValue(text)).filter(isBlocking)
  const [first] = findings
  return (
    <p className={styles.hint} role="status">
      {first !== undefined && (
        <>
          <IconAlertTriangle size={14} aria-hidden />
          <span>
            {formatFindingType(first.type)} <code>{first.preview}</code>
            {findings.length > 1 && ` and ${findings.length - 1} more`} found. You will be asked
            before the message is sent.
          </span>
        </>
      )}
    </p>
  )
}
