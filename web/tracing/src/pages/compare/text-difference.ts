import { diffWordsWithSpace } from 'diff'
import { diffLists } from './diff-lists.ts'

/*
 * A line diff of two texts, with a word diff of changed lines.
 */

export type Change = 'same' | 'removed' | 'added'

export interface TextPiece {
  readonly is: Change
  readonly text: string
}

export interface TextLine {
  readonly is: Change
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
  const splitLines = (text: string) => text.slice(0, maxCharacters).split('\n')
  const steps = diffLists(splitLines(before), splitLines(after), (line) => line)
  return {
    lines: steps.flatMap(({ onlyA, onlyB, common }) => [
      ...changedLines(onlyA, onlyB),
      ...common.map(([line]) => wholeLine('same', line)),
    ]),
    isCut: Math.max(before.length, after.length) > maxCharacters,
  }
}

/** Runs of equally many removed and added lines are compared word by word. */
function changedLines(removed: readonly string[], added: readonly string[]): readonly TextLine[] {
  if (removed.length !== added.length || removed.length > maxRun) {
    return [
      ...removed.map((line) => wholeLine('removed', line)),
      ...added.map((line) => wholeLine('added', line)),
    ]
  }
  const pairs = removed.map((line, at) => byWords(line, added[at] as string))
  return [...pairs.map(([before]) => before), ...pairs.map(([, after]) => after)]
}

function wholeLine(is: Change, text: string): TextLine {
  return { is, pieces: [{ is, text }] }
}

function byWords(before: string, after: string): readonly [TextLine, TextLine] {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: maxChangedWords })
  if (changes === undefined) return [wholeLine('removed', before), wholeLine('added', after)]
  const pieces = changes.map(({ added, removed, value }): TextPiece => {
    return { is: added ? 'added' : removed ? 'removed' : 'same', text: value }
  })
  return [
    { is: 'removed', pieces: pieces.filter(({ is }) => is !== 'added') },
    { is: 'added', pieces: pieces.filter(({ is }) => is !== 'removed') },
  ]
}
