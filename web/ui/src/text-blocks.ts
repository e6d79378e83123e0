/*
 * Splits text into blocks that a browser lays out one by one, where a single one of a million characters would freeze
 * the page.
 */

export interface TextBlock {
  /** The offset in the text. */
  readonly start: number
  readonly text: string
}

const maxBlockLength = 2000

/** The blocks of the first `end` characters. They end after a line, else after a word, and never within a character. */
export function toTextBlocks(text: string, end: number): readonly TextBlock[] {
  const blocks: TextBlock[] = []
  let start = 0
  while (start < end) {
    const limit = start + maxBlockLength
    const next = limit >= end ? end : endOfBlock(text, start, limit)
    blocks.push({ start, text: text.slice(start, next) })
    start = next
  }
  return blocks
}

function endOfBlock(text: string, start: number, limit: number): number {
  const block = text.slice(start, limit)
  const quarter = block.length / 4
  for (const separator of ['\n', ' ']) {
    const at = block.lastIndexOf(separator) + 1
    if (at > quarter) return start + at
  }
  return wholeCharacters(text, limit)
}

/** For names, which senders do not limit: the beginning of a longer text. */
export function cutText(text: string, length = 200): string {
  return text.length <= length ? text : `${text.slice(0, wholeCharacters(text, length))}…`
}

// Firefox has it since version 125.
const graphemes = 'Segmenter' in Intl ? new Intl.Segmenter() : undefined
/** Longer combinations of code points, which nothing limits, are cut. */
const longestCharacter = 200

/** The largest offset up to `limit` that is not within a character as a person sees it, such as a flag. */
export function wholeCharacters(text: string, limit: number): number {
  if (limit >= text.length) return text.length
  if (graphemes === undefined) return limit
  const from = Math.max(0, limit - longestCharacter)
  const around = text.slice(from, limit + longestCharacter)
  const found = graphemes.segment(around).containing(limit - from)
  return found === undefined || found.index === 0 ? limit : from + found.index
}
