import { parsed } from '@assay/contract/message-parts.ts'
import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { parseExactly } from '@assay/ui/exact-json.ts'
import { JsonView } from '@assay/ui/JsonView.tsx'
import { useMemo } from 'react'
import { MessageText } from './MessageText.tsx'
import styles from './messages.module.css'
import { useRawText } from './use-raw-text.ts'

interface Props {
  readonly value: unknown
  readonly label: string
}

/** Strings as messages are shown, everything else as JSON. */
export function Body({ value, label }: Props) {
  const { isRaw } = useRawText()
  const read = useMemo(() => (isRaw ? value : parsed(value, parseExactly)), [isRaw, value])
  if (value === null || value === undefined) return <p className={styles.none}>No {label}</p>
  if (value === '') return <p className={styles.none}>Empty text</p>
  if (typeof value !== 'string' || typeof read !== 'string') {
    return <JsonView value={read} label={label} />
  }
  return (
    <div className={styles.plain}>
      <MessageText text={value} />
      <div className={styles.plainCopy}>
        <CopyButton text={value} label={`Copy ${label}`} />
      </div>
    </div>
  )
}
