import { diffWordsWithSpace } from 'diff'
import { commonSequence } from './common-sequence.ts'

/*
 * A line diff of two texts, with a word diff of changed lines.
 */

export type Side = 'same' | 'removed' | 'added'

export interface TextPiece {
  readonly is: Side
  readonly text: string
}

export interface TextLine {
  readonly is: Side
  readonly pieces: readonly TextPiece[]
}

export interface TextDifference {
  readonly lines: readonly TextLine[]
  /** The texts were truncated before the comparison. */
  readonly isCut: boolean
}

const maxCharacters = 200_000
/** Lines with more changed words, and longer runs of changed lines, are marked as a whole. */
const maxChangedWords = 500
const maxRun = 200

export function textDifference(before: string, after: string): TextDifference {
  const isCut = before.length > maxCharacters || after.length > maxCharacters
  const a = before.slice(0, maxCharacters).split('\n')
  const b = after.slice(0, maxCharacters).split('\n')
  const lines: TextLine[] = []
  let nextA = 0
  let nextB = 0
  for (const [atA, atB] of [...commonSequence(a, b), [a.length, b.length] as const]) {
    const between = replaced(a.slice(nextA, atA), b.slice(nextB, atB))
    for (const line of between) lines.push(line)
    if (atA < a.length) lines.push(whole('same', a[atA] as string))
    nextA = atA + 1
    nextB = atB + 1
  }
  return { lines, isCut }
}

/** Runs of equally many removed and added lines are compared word by word. */
function replaced(removed: readonly string[], added: readonly string[]): readonly TextLine[] {
  if (removed.length !== added.length || removed.length > maxRun) {
    return [
      ...removed.map((line) => whole('removed', line)),
      ...added.map((line) => whole('added', line)),
    ]
  }
  const pairs = removed.map((line, at) => byWords(line, added[at] as string))
  return [...pairs.map(([before]) => before), ...pairs.map(([, after]) => after)]
}

function whole(is: Side, text: string): TextLine {
  return { is, pieces: [{ is, text }] }
}

function byWords(before: string, after: string): readonly [TextLine, TextLine] {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: maxChangedWords })
  if (changes === undefined) return [whole('removed', before), whole('added', after)]
  const pieces = changes.map(({ added, removed, value }) => ({
    is: added ? ('added' as const) : removed ? ('removed' as const) : ('same' as const),
    text: value,
  }))
  return [
    { is: 'removed', pieces: pieces.filter(({ is }) => is !== 'added') },
    { is: 'added', pieces: pieces.filter(({ is }) => is !== 'removed') },
  ]
}
