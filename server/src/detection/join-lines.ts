import type { Match } from './find-matches.ts'
import { looksRandom } from './value-checks.ts'

/*
 * Finds tokens that a line break has split in two or three pieces.
 */

interface Piece {
  readonly start: number
  readonly text: string
}

const longestPiece = 1000
const shortestToken = 16
const pieceCharacter = /[\w./+=~$:%@-]/
const piecePattern = new RegExp(`${pieceCharacter.source}{1,${longestPiece}}`, 'y')
const breakPattern = /\\?\r?\n[ \t>|]{0,20}/y

/** The matches that extend over a line break; `find` is applied to the joined pieces. */
export function findBrokenTokens(text: string, find: (joined: string) => Match[]): Match[] {
  const matches: Match[] = []
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    const pieces = piecesAround(text, at)
    for (let count = pieces.length; count > 1; count -= 1) {
      const found = findAcross(pieces.slice(0, count), find)
      matches.push(...found)
      if (found.length > 0) break
    }
  }
  return matches
}

/** The piece before the line break, and up to two after it. */
function piecesAround(text: string, lineBreak: number): Piece[] {
  let end = lineBreak
  if (text.charAt(end - 1) === '\r') end -= 1
  if (text.charAt(end - 1) === '\\') end -= 1
  let start = end
  while (end - start < longestPiece && pieceCharacter.test(text.charAt(start - 1))) start -= 1
  const pieces = start === end ? [] : [{ start, text: text.slice(start, end) }]
  while (pieces.length > 0 && pieces.length < 3) {
    const breakEnd = matchEnd(breakPattern, text, end)
    const pieceEnd = matchEnd(piecePattern, text, breakEnd)
    if (breakEnd === end || pieceEnd === breakEnd) break
    pieces.push({ start: breakEnd, text: text.slice(breakEnd, pieceEnd) })
    end = pieceEnd
  }
  return pieces
}

function matchEnd(sticky: RegExp, text: string, start: number): number {
  sticky.lastIndex = start
  return sticky.test(text) ? sticky.lastIndex : start
}

function findAcross(pieces: readonly Piece[], find: (joined: string) => Match[]): Match[] {
  const joined = join(pieces)
  if (joined.length < shortestToken || !/\d|[A-Z]{4}|_/.test(joined)) return []
  const firstEnd = pieces[0]?.text.length ?? 0
  const lastStart = joined.length - (pieces.at(-1)?.text.length ?? 0)
  const across = find(joined).filter(({ rule, start, end }) => {
    return 'isPrefixed' in rule && rule.isPrefixed && start < firstEnd && end > lastStart
  })
  if (across.length === 0) return []
  const before = find(join(pieces.slice(0, -1)))
  return across
    .filter(({ rule, end }) => {
      // After a whole token, the next line belongs to it only if it looks like one.
      const isWholeBefore = before.some((one) => one.rule === rule && one.end === lastStart)
      return !isWholeBefore || looksRandom(joined.slice(lastStart, end))
    })
    .map((match) => ({
      ...match,
      start: positionOf(pieces, match.start),
      end: positionOf(pieces, match.end - 1) + 1,
      prefixLength: match.start + match.prefixLength <= firstEnd ? match.prefixLength : 0,
    }))
}

function join(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('')
}

function positionOf(pieces: readonly Piece[], joinedAt: number): number {
  let at = joinedAt
  for (const { start, text } of pieces) {
    if (at < text.length) return start + at
    at -= text.length
  }
  throw new RangeError('The position is after the last piece.')
}
