import type { SpanText } from '../../domain/trace-view/trace-view.ts'
import { wellFormed } from './blocks.ts'
import type { Block, Criterion } from './judge.ts'

/*
 * An answer in passages, so that a judge decides on each under an id that does not depend on the sample.
 */

/** At each end of a long text sentences are single: what precedes or follows one does not change its verdict. */
const singleAtEnd = 10
const groupsOfHalf = 10
const halfLengthMax = 20_000

/** Sentences and blocks of code; of a long text at most 40, with groups of them in the middle. */
export function passagesOf(text: string): readonly string[] {
  const halves =
    text.length > 2 * halfLengthMax
      ? [text.slice(0, halfLengthMax), text.slice(-halfLengthMax)]
          .map(wellFormed)
          .map(splitSentences)
      : inHalves(splitSentences(text))
  const [first = [], second = []] = halves
  return [...groupAfter(first), ...groupAfter(second.toReversed()).map(reversed).reverse()]
    .map((sentences) => sentences.join('').trim())
    .filter((passage) => /[\p{L}\p{N}]/u.test(passage))
}

const reversed = (group: readonly string[]) => group.toReversed()

function inHalves<T>(all: readonly T[]): readonly (readonly T[])[] {
  const middle = Math.ceil(all.length / 2)
  return [all.slice(0, middle), all.slice(middle)]
}

function groupAfter(sentences: readonly string[]): (readonly string[])[] {
  const others = sentences.slice(singleAtEnd)
  const size = Math.ceil(others.length / groupsOfHalf)
  const groups: (readonly string[])[] = sentences.slice(0, singleAtEnd).map((one) => [one])
  for (let at = 0; at < others.length; at += size) groups.push(others.slice(at, at + size))
  return groups
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
