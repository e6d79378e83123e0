import { useEffect, useRef } from 'react'
import styles from './synthetic.module.css'

interface Props {
  readonly text: string
  /** Of the highlighted part, in UTF-16 units. */
  readonly start?: number | null
  readonly end?: number | null
}

/** The text of a source, with a part of it highlighted and scrolled into view. */
export function SourceText({ text, start = null, end = null }: Props) {
  const box = useRef<HTMLPreElement>(null)
  const mark = useRef<HTMLElement>(null)
  useEffect(() => {
    if (box.current === null || mark.current === null || start === null) return
    const { clientHeight } = box.current
    box.current.scrollTop = mark.current.offsetTop - clientHeight / 3
    box.current.scrollIntoView({ block: 'nearest' })
  }, [start])
  return (
    <pre ref={box} className={styles.text} tabIndex={0} aria-label="Text of the source">
      {start === null || end === null ? (
        text
      ) : (
        <>
          {text.slice(0, start)}
          <mark ref={mark}>{text.slice(start, end)}</mark>
          {text.slice(end)}
        </>
      )}
    </pre>
  )
}
