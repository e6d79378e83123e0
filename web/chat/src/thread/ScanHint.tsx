import { isBlocking } from '@assay/contract/chat-scan.ts'
import { limits } from '@assay/contract/limits.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useDeferredValue } from 'react'
import { formatFindingType } from './finding-labels.ts'
import styles from './thread.module.css'
import { useScan } from './use-scan.ts'

/** Warns quietly while a message is written that is too long, or will be held back. */
export function ScanHint({ text }: { readonly text: string }) {
  const findings = useScan(useDeferredValue(text)).filter(isBlocking)
  const { value: maxLength } = limits.chatTextLength
  const [first] = findings
  return (
    <p className={styles.hint} role="status">
      {text.length > maxLength && (
        <>
          <IconAlertTriangle size={14} aria-hidden />
          This message is too long: at most {formatCount(maxLength)} characters can be sent.
        </>
      )}
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
