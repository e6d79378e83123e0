import { commonSequence } from './common-sequence.ts'

/*
 * Two texts as one, line by line, with the words that changed within lines that took each other's place.
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
  /** The texts are longer than is compared: what lies behind was left out. */
  readonly isCut: boolean
}

const maxCharacters = 200_000
/** Longer lines are compared as a whole, and so are the lines of longer runs. */
const maxWords = 2000
const maxRun = 200

/** All lines of both texts in order; of a longer text, the beginning. */
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

/** Lines that took each other's place are compared word by word where there are as many on both sides. */
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
  const a = wordsOf(before)
  const b = wordsOf(after)
  if (a.length > maxWords || b.length > maxWords) {
    return [whole('removed', before), whole('added', after)]
  }
  const pairs = commonSequence(a, b)
  const common = { a: new Set(pairs.map(([at]) => at)), b: new Set(pairs.map(([, at]) => at)) }
  return [
    { is: 'removed', pieces: pieces(a, common.a, 'removed') },
    { is: 'added', pieces: pieces(b, common.b, 'added') },
  ]
}

function wordsOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []
}

/** Neighbors of one side joined into one piece. */
function pieces(words: readonly string[], common: ReadonlySet<number>, is: Side): TextPiece[] {
  const joined: { is: Side; text: string }[] = []
  for (const [at, word] of words.entries()) {
    const side = common.has(at) ? 'same' : is
    const last = joined.at(-1)
    if (last?.is === side) last.text += word
    else joined.push({ is: side, text: word })
  }
  return joined
}
