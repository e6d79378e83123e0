import { use } from 'react'
import { CopyButton } from '../CopyButton.tsx'
import { CodeParts } from './CodeParts.tsx'
import { highlightableLength } from './highlightable-length.ts'
import styles from './markdown.module.css'
import { OpenBlock } from './open-block.ts'
import { useHighlighted } from './use-highlighted.ts'
import type { WholeCode } from './whole-code.ts'

export function CodeBlock({ code: text, language }: WholeCode) {
  const length = highlightableLength(text, use(OpenBlock))
  const found = useHighlighted(text.slice(0, length), language)
  const highlighted = found?.parts !== undefined && text.startsWith(found.code) ? found : undefined
  return (
    <figure className={styles.code}>
      <figcaption>
        <span>{language ?? 'Text'}</span>
        <CopyButton text={text.replace(/\n$/, '')} label="Copy code" />
      </figcaption>
      {/* With a tab stop, wide code is scrolled with the keyboard. */}
      <pre tabIndex={0}>
        <code>
          {highlighted?.parts !== undefined && (
            <span className={styles.lines}>
              <CodeParts parts={highlighted.parts} />
            </span>
          )}
          {splitLines(text.slice(highlighted?.code.length ?? 0)).map((lines, place) => (
            // Lines are only appended.
            <span key={place} className={styles.lines}>
              {lines}
            </span>
          ))}
        </code>
      </pre>
    </figure>
  )
}

const linesPerBlock = 100

/** Blocks of lines: while long code is written, the browser then lays out the last one only. */
function splitLines(text: string): readonly string[] {
  const blocks: string[] = []
  let [start, count] = [0, 0]
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) {
    count += 1
    if (count % linesPerBlock !== 0) continue
    blocks.push(text.slice(start, end + 1))
    start = end + 1
  }
  return start === text.length ? blocks : [...blocks, text.slice(start)]
}
