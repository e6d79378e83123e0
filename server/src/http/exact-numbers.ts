import { randomBytes } from 'node:crypto'

/*
 * Parses JSON without rounding numbers that a double cannot represent. A reviver would be simpler, but V8 calls it for
 * every value of the text: one such number would make parsing many times slower.
 */

declare global {
  interface JSON {
    /** Of ECMAScript's "JSON.parse source text access", in V8 since Node 21 and not yet in TypeScript's library. */
    rawJSON(text: string): unknown
  }
}

/** Sixteen digits, or an exponent of three, may be more than a double can represent. */
const mayExceedDouble = /\d{16}|\d[eE][+-]?\d{3}/g
const numberCharacter = /[-+.\deE]/
const restOfNumber = /[-+.\deE]*/y

/**
 * While the text is parsed, a list replaces such a number, because it is an object key nowhere. Its only item is this
 * and the position of the number in another list. Clients cannot guess it.
 */
const mark = `${randomBytes(16).toString('hex')}:`

/**
 * Like `JSON.parse`, but a number that a double cannot represent keeps its text and is serialized
 * unchanged.
 */
export function parseExactly(text: string): unknown {
  const kept: unknown[] = []
  const marked = markNumbers(text, kept)
  const value: unknown = JSON.parse(marked)
  return kept.length === 0 ? value : restored(value, kept)
}

/** Replaces the numbers that a double cannot represent, and adds them to `kept`. */
function markNumbers(text: string, kept: unknown[]): string {
  const pieces: string[] = []
  let copied = 0
  // Outside of strings, and the start of the next one.
  let at = 0
  let quote = quoteFrom(text, 0)
  mayExceedDouble.lastIndex = 0
  for (let match = mayExceedDouble.exec(text); match !== null; match = mayExceedDouble.exec(text)) {
    while (quote < match.index) {
      at = afterString(text, quote + 1)
      quote = quoteFrom(text, at)
    }
    if (at > match.index) {
      mayExceedDouble.lastIndex = at
      continue
    }
    let start = match.index
    while (start > at && numberCharacter.test(text[start - 1]!)) start--
    restOfNumber.lastIndex = start
    const source = restOfNumber.exec(text)?.[0] ?? ''
    at = start + source.length
    mayExceedDouble.lastIndex = at
    if (isExact(source)) continue
    pieces.push(text.slice(copied, start), `["${mark}${kept.length}"]`)
    kept.push(JSON.rawJSON(source))
    copied = at
  }
  return copied === 0 ? text : pieces.join('') + text.slice(copied)
}

function quoteFrom(text: string, at: number): number {
  const found = text.indexOf('"', at)
  return found === -1 ? text.length : found
}

function afterString(text: string, start: number): number {
  let at = start
  for (;;) {
    const close = text.indexOf('"', at)
    if (close === -1) return text.length
    let escapes = close
    while (text[escapes - 1] === '\\') escapes--
    at = close + 1
    if ((close - escapes) % 2 === 0) return at
  }
}

function isExact(source: string): boolean {
  const value = Number(source)
  return /^-?\d+$/.test(source) ? String(value) === source : Number.isFinite(value)
}

/** Puts the kept numbers back in place of their marks. */
function restored(value: unknown, kept: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const members = value as Record<string, unknown>
  const first = members[0]
  if (typeof first === 'string' && first.startsWith(mark))
    return kept[Number(first.slice(mark.length))]
  for (const key of Object.keys(members)) {
    const member = members[key]
    const exact = restored(member, kept)
    // An assignment to `__proto__` would not replace the member.
    if (exact !== member) Object.defineProperty(members, key, { value: exact, ...ordinary })
  }
  return value
}

const ordinary = { writable: true, enumerable: true, configurable: true }
