/*
 * A text that was made from another one, in which every position is known in the original.
 */

export interface MappedText {
  readonly text: string
  /** Convert a range of `text` into a range of the original text. */
  readonly toOriginalStart: (start: number) => number
  readonly toOriginalEnd: (end: number) => number
}

/** A range of the original that starts at `at` in the result. */
interface Piece {
  readonly at: number
  readonly start: number
  readonly end: number
  /** Whether it is copied, so that every character has its own position. */
  readonly isSame: boolean
}

/** The text with a replacement for each match of the pattern, which is global; undefined keeps the match. */
export function replaceMapped(
  original: string,
  pattern: RegExp,
  toReplacement: (match: RegExpExecArray) => string | undefined,
): MappedText {
  const pieces: Piece[] = []
  let text = ''
  let copiedTo = 0
  const add = (end: number, replacement?: string) => {
    const by = replacement ?? original.slice(copiedTo, end)
    if (by !== '') {
      pieces.push({ at: text.length, start: copiedTo, end, isSame: replacement === undefined })
      text += by
    }
    copiedTo = end
  }
  for (const match of original.matchAll(pattern)) {
    const replacement = toReplacement(match)
    if (replacement === undefined || replacement === match[0]) continue
    add(match.index)
    add(match.index + match[0].length, replacement)
  }
  if (copiedTo === 0) return unchanged(original)
  add(original.length)
  return {
    text,
    toOriginalStart: (position) => {
      const piece = pieceAt(pieces, position)
      return piece.isSame ? piece.start + position - piece.at : piece.start
    },
    toOriginalEnd: (position) => {
      const piece = pieceAt(pieces, position - 1)
      return piece.isSame ? piece.start + position - piece.at : piece.end
    },
  }
}

export function unchanged(text: string): MappedText {
  return { text, toOriginalStart: identity, toOriginalEnd: identity }
}

function identity(position: number): number {
  return position
}

/** The last piece that does not start after the position. */
function pieceAt(pieces: readonly Piece[], position: number): Piece {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((pieces[middle]?.at ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return pieces[low] ?? { at: 0, start: 0, end: 0, isSame: true }
}
