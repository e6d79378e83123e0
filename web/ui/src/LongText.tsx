import { useState } from 'react'
import styles from './json.module.css'
import { formatCount } from './number-format.ts'

interface Props {
  readonly text: string
  readonly maxCharacters?: number
}

/** Preformatted plain text; a long one is truncated until expanded. */
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
