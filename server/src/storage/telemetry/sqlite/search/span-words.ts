import { scanWords } from '../../../../domain/scan-words.ts'
import { inflated } from '../blocks.ts'
import { contentPlaceOf } from '../body-text.ts'
import type { SourceBlock } from './missing.ts'
import type { WordLists } from './word-lists.ts'

/** Takes the words of a block's spans, each span a doc. */
export function takeWords({ block, spans }: SourceBlock, words: WordLists): void {
  const bytes = inflated(block)
  let text = ''
  let textBytes = Buffer.alloc(0)
  for (const { name, statusMessage, bodyOffset, bodyBytes } of spans) {
    words.beginDoc()
    const own = statusMessage === null ? name : `${name}\n${statusMessage}`
    if (own !== text) {
      text = own
      textBytes = Buffer.from(own)
    }
    scanWords(textBytes, 0, textBytes.length, false, words)
    const { inputStart, inputEnd, outputEnd } = contentPlaceOf(
      bytes,
      bodyOffset,
      bodyOffset + bodyBytes,
    )
    scanWords(bytes, inputStart, inputEnd, true, words)
    scanWords(bytes, inputEnd, outputEnd, true, words)
  }
}
