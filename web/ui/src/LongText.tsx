import { useState } from 'react'
import styles from './json.module.css'
import { formatCount } from './number-format.ts'

interface Props {
  readonly text: string
  readonly maxCharacters?: number
}

/** Plain text, kept as it was written; a long one is cut until the rest is asked for. */
export function LongText({ text, maxCharacters = 2000 }: Props) {
  const [isWhole, setWhole] = useState(false)
  if (isWhole || text.length <= maxCharacters) return <span className={styles.text}>{text}</span>
  return (
    <span className={styles.text}>
      {text.slice(0, maxCharacters)}…{' '}
      <button type="button" className={styles.more} onClick={() => setWhole(true)}>
        Show all {formatCount(text.length)} characters
      </button>
    </span>
  )
}
