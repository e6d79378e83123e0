/*
 * Checks JSON before it is parsed. A small body can hold millions of empty arrays, which `JSON.parse` takes seconds
 * and hundreds of megabytes to build, or nest so deeply that recursive code overflows the stack. Counting brackets
 * takes tens of milliseconds at worst.
 */

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

export interface JsonBounds {
  readonly maxDepth: number
  /** Objects and arrays together. */
  readonly maxContainers: number
}

export type JsonScan = 'ok' | 'too-deep' | 'too-many'

/**
 * Counts the brackets outside strings. Does not check whether the bytes are JSON: the parser rejects the rest.
 */
export function scanJson(bytes: Uint8Array, { maxDepth, maxContainers }: JsonBounds): JsonScan {
  const end = bytes.length
  let depth = 0
  let containers = 0
  let at = 0
  while (at < end) {
    const byte = bytes[at++] as number
    // One comparison skips most bytes outside strings: digits, signs, commas, spaces.
    if (byte !== quote && byte < openBracket) continue
    if (byte === quote) {
      at = closingQuote(bytes, at) + 1
    } else if (byte === openBracket || byte === openBrace) {
      if (++depth > maxDepth) return 'too-deep'
      if (++containers > maxContainers) return 'too-many'
    } else if (byte === closeBracket || byte === closeBrace) {
      depth--
    }
  }
  return 'ok'
}

/**
 * Whether a document has more than `max` values, members of objects included. Slower than scanJson, which skips lists of
 * numbers: validating them can take seconds, too.
 */
export function hasManyValues(bytes: Uint8Array, max: number): boolean {
  // At least as many as there are values.
  let starts = 1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) at = closingQuote(bytes, at + 1)
    else if (byte === comma || byte === openBracket || byte === openBrace) starts++
    if (starts > max) return true
  }
  return false
}

/** For strings longer than this, the native search is faster than a loop. */
const shortString = 48

/** The end of the string that starts at `start`, or the end of the bytes. */
function closingQuote(bytes: Uint8Array, start: number): number {
  const end = bytes.length
  let at = start
  while (at < end) {
    const near = Math.min(end, at + shortString)
    for (; at < near; at++) {
      const byte = bytes[at]
      if (byte === quote) return at
      if (byte === backslash) at++
    }
    if (at >= end) return end
    const found = bytes.indexOf(quote, at)
    if (found === -1) return end
    if (!isEscaped(bytes, at, found)) return found
    at = found + 1
  }
  return end
}

/** Whether the character at `at` is escaped, with backslashes counted back to `start`. */
function isEscaped(bytes: Uint8Array, start: number, at: number): boolean {
  let first = at
  while (first > start && bytes[first - 1] === backslash) first--
  return (at - first) % 2 === 1
}
