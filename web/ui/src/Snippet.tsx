import { CopyButton } from './CopyButton.tsx'
import styles from './Snippet.module.css'

interface Props {
  readonly text: string
  /** What is copied: `Copy the curl command`. */
  readonly copyLabel: string
  /** Wraps long lines, for text that is read rather than run. */
  readonly isWrapped?: boolean
}

/** Text to copy, with a copy button. */
export function Snippet({ text, copyLabel, isWrapped = false }: Props) {
  return (
    <div className={styles.root}>
      <pre className={styles.code} data-wrapped={isWrapped || undefined} tabIndex={0}>
        {text}
      </pre>
      <div className={styles.copy}>
        <CopyButton text={text} label={copyLabel} />
      </div>
    </div>
  )
}
