import type { SpanText } from '../../domain/trace-view/trace-view.ts'
import type { Block, Criterion } from './judge.ts'

/*
 * An answer in passages, so that a judge decides on each under an id that does not depend on the sample.
 */

const passagesMax = 30
const lengthMax = 40_000

/** Sentences and blocks of code; of a long text, groups of them. */
export function passagesOf(text: string): readonly string[] {
  const sentences = splitSentences(text.slice(0, lengthMax))
  const size = Math.ceil(sentences.length / passagesMax)
  const passages: string[] = []
  for (let at = 0; at < sentences.length; at += size) {
    const passage = sentences.slice(at, at + size).join('')
    if (/[\p{L}\p{N}]/u.test(passage)) passages.push(passage.trim())
  }
  return passages
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Together they are the text. */
function splitSentences(text: string): string[] {
  return text
    .split(/(```[\s\S]*?(?:```|$))/)
    .flatMap((part) =>
      part.startsWith('```') ? [part] : Array.from(segmenter.segment(part), (one) => one.segment),
    )
}

export function passageBlock({ spanId }: SpanText, passages: readonly string[]): Block {
  const segments = passages.map((text, index) => ({ spanId, title: idOf(index), text }))
  return { name: 'answer', segments }
}

/** One criterion for each passage; `ask` gets its id. */
export function passageCriteria(
  passages: readonly string[],
  ask: (id: string) => string,
): readonly Criterion[] {
  return passages.map((text, index) => {
    const id = idOf(index)
    return { id, question: ask(id), subject: text.slice(0, subjectMax).toWellFormed() }
  })
}

export const subjectMax = 300

function idOf(index: number): string {
  return `passage-${index + 1}`
}
