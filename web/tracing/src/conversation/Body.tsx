import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { JsonView } from '@assay/ui/JsonView.tsx'
import { LongText } from '@assay/ui/LongText.tsx'
import styles from './messages.module.css'

interface Props {
  readonly value: unknown
  readonly label: string
}

/** Strings as text, everything else as JSON. */
export function Body({ value, label }: Props) {
  if (value === null || value === undefined) return <p className={styles.none}>No {label}</p>
  if (typeof value !== 'string') return <JsonView value={value} label={label} />
  return (
    <div className={styles.plain}>
      <LongText text={value} />
      <div className={styles.plainCopy}>
        <CopyButton text={value} label={`Copy ${label}`} />
      </div>
    </div>
  )
}
