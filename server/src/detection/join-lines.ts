import type { Match } from './find-matches.ts'
import { looksRandom } from './value-checks.ts'

/*
 * Finds tokens that line breaks or tabs have split: in two or three pieces, or in the lines of an encoded text, which
 * have one length.
 */

interface Piece {
  readonly start: number
  readonly text: string
}

/** Finds tokens with a public part. */
type Find = (joined: string) => Match[]

const longestPiece = 1000
const shortestToken = 16
const pieceCharacter = /[\w./+=~$:%@-]/
const piecePattern = new RegExp(`${pieceCharacter.source}{1,${longestPiece}}`, 'y')
const breaks = /\r\n?|[\n\t\v\f]/g
/** With the marks of a continued line: a backslash in a shell, `>` and `|` in quotations and tables. */
const breakPattern = /\\?(?:\r\n?|[\n\t\v\f])[ \t>|]{0,20}/y

/** The matches that extend over a break; `find` is applied to the joined pieces. */
export function findBrokenTokens(text: string, find: Find): Match[] {
  const matches = findWrapped(text, find)
  for (const { index } of text.matchAll(breaks)) {
    const pieces = piecesAround(text, index)
    for (let count = pieces.length; count > 1; count -= 1) {
      const found = findAcross(pieces.slice(0, count), find)
      const kept = text.charAt(index) === '\t' ? found.filter(hasPrefixAndMore(index)) : found
      matches.push(...kept)
      if (kept.length > 0) break
    }
  }
  return matches
}

/** The piece before the break, and up to two after it. */
function piecesAround(text: string, breakAt: number): Piece[] {
  const first = pieceBefore(text, breakAt)
  const second = first && pieceAfter(text, endOf(first))
  const third = second && pieceAfter(text, endOf(second))
  return [first, second, third].filter((piece) => piece !== undefined)
}

function pieceBefore(text: string, breakAt: number): Piece | undefined {
  const end = text.charAt(breakAt - 1) === '\\' ? breakAt - 1 : breakAt
  let start = end
  while (end - start < longestPiece && pieceCharacter.test(text.charAt(start - 1))) start -= 1
  return start === end ? undefined : { start, text: text.slice(start, end) }
}

/** The one after the break that is at `end`. */
function pieceAfter(text: string, end: number): Piece | undefined {
  const start = matchEnd(breakPattern, text, end)
  const pieceEnd = start === end ? start : matchEnd(piecePattern, text, start)
  return pieceEnd === start ? undefined : { start, text: text.slice(start, pieceEnd) }
}

function matchEnd(sticky: RegExp, text: string, start: number): number {
  sticky.lastIndex = start
  return sticky.test(text) ? sticky.lastIndex : start
}

function endOf({ start, text }: Piece): number {
  return start + text.length
}

function findAcross(pieces: readonly Piece[], find: Find): Match[] {
  const joined = join(pieces)
  if (joined.length < shortestToken || !/\d|[A-Z]{4}|_/.test(joined)) return []
  const firstEnd = pieces[0]?.text.length ?? 0
  const lastStart = joined.length - (pieces.at(-1)?.text.length ?? 0)
  const across = find(joined).filter(({ start, end }) => {
    return start < firstEnd && end > lastStart
  })
  if (across.length === 0) return []
  const before = find(join(pieces.slice(0, -1)))
  const isNext = startsToken(pieces.at(-1), find)
  return across
    .filter(({ rule, end }) => {
      // After a whole token, the next line belongs to it only if it looks like one.
      const isWholeBefore = before.some((one) => one.rule === rule && one.end === lastStart)
      return !isWholeBefore || (!isNext && looksRandom(joined.slice(lastStart, end)))
    })
    .map((match) => toText(match, pieces))
}

function startsToken(piece: Piece | undefined, find: Find): boolean {
  return find(piece?.text ?? '').some(({ start }) => start === 0)
}

/** The cells of a table are values of their own: a short word at the end of one is not a prefix. */
function hasPrefixAndMore(tabAt: number) {
  return ({ start, prefixLength }: Match) => start + prefixLength + 4 <= tabAt
}

const shortestLine = 40
/** More than any token has. */
const mostLines = 100

/** Tokens in more pieces: all lines have one length, but other text can precede the first, and the last can be shorter. */
function findWrapped(text: string, find: Find): Match[] {
  const matches: Match[] = []
  let searchedTo = 0
  for (const { index } of text.matchAll(breaks)) {
    if (index < searchedTo) continue
    const lines = linesAfter(text, index)
    if (lines.length < 3) continue
    searchedTo = endOf(lines.at(-2) ?? lines[0]!)
    const before = pieceBefore(text, index)
    matches.push(...findInLines(lines, find))
    if (before !== undefined) matches.push(...findInLines([before, ...lines], find))
  }
  return matches
}

/** Lines of one length, and the one after them. */
function linesAfter(text: string, breakAt: number): Piece[] {
  const lines: Piece[] = []
  let next = pieceAfter(text, breakAt)
  while (next !== undefined && next.text.length >= shortestLine && lines.length < mostLines) {
    lines.push(next)
    next = pieceAfter(text, endOf(next))
    if (next?.text.length !== lines[0]?.text.length) break
  }
  return next === undefined ? lines : [...lines, next]
}

function findInLines(lines: readonly Piece[], find: Find): Match[] {
  const starts = new Set(lines.filter((line) => startsToken(line, find)).map(({ start }) => start))
  return find(join(lines))
    .map((match) => toText(match, lines))
    .filter(({ start, end }) => {
      const crossed = lines.filter((line) => line.start > start && line.start < end)
      return crossed.length > 0 && !crossed.some((line) => starts.has(line.start))
    })
}

function join(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('')
}

/** The match in the joined pieces as one in their text. */
function toText(match: Match, pieces: readonly Piece[]): Match {
  const start = positionOf(pieces, match.start)
  const prefixEnd = positionOf(pieces, match.start + Math.max(0, match.prefixLength - 1)) + 1
  return {
    ...match,
    start,
    end: positionOf(pieces, match.end - 1) + 1,
    prefixLength: prefixEnd - start === match.prefixLength ? match.prefixLength : 0,
  }
}

function positionOf(pieces: readonly Piece[], joinedAt: number): number {
  let at = joinedAt
  for (const { start, text } of pieces) {
    if (at < text.length) return start + at
    at -= text.length
  }
  throw new RangeError('The position is after the last piece.')
}
