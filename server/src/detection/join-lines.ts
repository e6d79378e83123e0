import type { Match } from './find-matches.ts'

/*
 * Finds tokens that a line break has split in two or three pieces.
 */

interface Piece {
  readonly start: number
  readonly text: string
}

/** Longer than the tokens that people copy by hand. */
const longestPiece = 300
const shortestToken = 16

/** The matches that extend over a line break; `find` is applied to the joined pieces. */
export function findBrokenTokens(text: string, find: (joined: string) => Match[]): Match[] {
  const matches: Match[] = []
  for (const lineBreak of text.matchAll(/\\?\r?\n[ \t>|]{0,20}/g)) {
    const pieces = piecesFrom(text, lineBreak.index, lineBreak.index + lineBreak[0].length)
    for (let count = pieces.length; count > 1; count -= 1) {
      const found = findAcross(pieces.slice(0, count), find)
      matches.push(...found)
      if (found.length > 0) break
    }
  }
  return matches
}

/** The piece before the break, and up to two after it. */
function piecesFrom(text: string, breakStart: number, breakEnd: number): Piece[] {
  const [before = ''] =
    /[\w./+=-]+$/.exec(text.slice(Math.max(0, breakStart - longestPiece), breakStart)) ?? []
  if (before === '') return []
  const pieces = [{ start: breakStart - before.length, text: before }]
  let at = breakEnd
  while (pieces.length < 3) {
    const rest = text.slice(at, at + longestPiece)
    const [piece = ''] = /^[\w./+=-]+/.exec(rest) ?? []
    if (piece === '') break
    pieces.push({ start: at, text: piece })
    const [lineBreak] = /^\\?\r?\n[ \t>|]{0,20}/.exec(rest.slice(piece.length)) ?? []
    if (lineBreak === undefined) break
    at += piece.length + lineBreak.length
  }
  return pieces
}

function findAcross(pieces: readonly Piece[], find: (joined: string) => Match[]): Match[] {
  const joined = pieces.map(({ text }) => text).join('')
  if (joined.length < shortestToken || !/\d|[A-Z]{4}|_/.test(joined)) return []
  const lastStart = joined.length - (pieces.at(-1)?.text.length ?? 0)
  const firstEnd = pieces[0]?.text.length ?? 0
  return find(joined)
    .filter(({ rule, start, end }) => {
      return 'isPrefixed' in rule && rule.isPrefixed && start < firstEnd && end > lastStart
    })
    .map((match) => ({
      ...match,
      start: positionOf(pieces, match.start),
      end: positionOf(pieces, match.end - 1) + 1,
      prefixLength: match.start + match.prefixLength <= firstEnd ? match.prefixLength : 0,
    }))
}

function positionOf(pieces: readonly Piece[], joinedAt: number): number {
  let at = joinedAt
  for (const { start, text } of pieces) {
    if (at < text.length) return start + at
    at -= text.length
  }
  throw new RangeError('The position is after the last piece.')
}
