import styles from './json.module.css'
import { RevealMore } from './RevealMore.tsx'
import { toTextBlocks, wholeCharacters } from './text-blocks.ts'
import { useReveal } from './use-reveal.ts'

interface Props {
  readonly text: string
  readonly maxCharacters?: number
}

const charactersMore = 20_000

/** Preformatted plain text; a long one is truncated, and shown in steps on request. */
export function LongText({ text, maxCharacters = 2000 }: Props) {
  const reveal = useReveal(text.length, maxCharacters, charactersMore)
  const end = wholeCharacters(text, reveal.count)
  const isWhole = end === text.length
  return (
    <span className={styles.text}>
      {end <= maxCharacters ? text.slice(0, end) : <Blocks text={text} end={end} />}
      {!isWhole && '… '}
      <RevealMore reveal={reveal} noun="characters" />
    </span>
  )
}

function Blocks({ text, end }: { readonly text: string; readonly end: number }) {
  return toTextBlocks(text, end).map((block) => (
    <span
      key={block.start}
      className={styles.block}
      // Until the browser has laid it out.
      style={{ containIntrinsicBlockSize: `auto ${estimateLines(block.text)}lh` }}
    >
      {block.text}
    </span>
  ))
}

const charactersPerLine = 80

function estimateLines(text: string): number {
  let lines = Math.ceil(text.length / charactersPerLine)
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
