import { tokenizeBytes } from '../../byte-words.ts'
import { inflate } from '../blocks.ts'
import { findContentRange } from '../body-text.ts'
import type { SourceBlock } from './index-backlog.ts'
import type { PostingLists } from './posting-lists.ts'

/** Adds the words of a block's spans, one doc per span. */
export function indexTerms({ block, spans }: SourceBlock, words: PostingLists): void {
  const bytes = inflate(block)
  let text = ''
  let textBytes = Buffer.alloc(0)
  for (const { name, statusMessage, bodyOffset, bodyBytes } of spans) {
    words.beginDoc()
    const own = statusMessage === null ? name : `${name}\n${statusMessage}`
    if (own !== text) {
      text = own
      textBytes = Buffer.from(own)
    }
    tokenizeBytes(textBytes, 0, textBytes.length, false, words)
    const { inputStart, inputEnd, outputEnd } = findContentRange(
      bytes,
      bodyOffset,
      bodyOffset + bodyBytes,
    )
    tokenizeBytes(bytes, inputStart, inputEnd, true, words)
    tokenizeBytes(bytes, inputEnd, outputEnd, true, words)
  }
}
