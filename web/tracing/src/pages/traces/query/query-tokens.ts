import { comparisonByKey } from '../../../parts/filter-bounds.ts'
import { filterByKey } from '../../../parts/filter-definitions.ts'

/*
 * The parts of the text in the search field: words, and filters such as `key:value`, `-key:value`, `key:one,other`,
 * `key>value` and `attr.key:value`. Quotes enclose values with spaces and commas, and make `"key:value"` a plain word.
 */

export type Operator = ':' | '=' | '!=' | '>' | '>=' | '<' | '<='

/** A part of the text and its position. */
export interface Token {
  readonly start: number
  readonly end: number
  /** Absent for plain words. */
  readonly filter?: TokenFilter
  /** The part after the operator, or the word itself, without quotes. */
  readonly value: string
  readonly isQuoted: boolean
}

interface TokenFilter {
  readonly key: string
  readonly operator: Operator
  /** Whether a minus or an exclamation mark precedes the key. */
  readonly isNegated: boolean
  /** The value, split at commas outside of quotes. */
  readonly values: readonly string[]
  /** Where the last of these starts. */
  readonly lastStart: number
}

const tightFilter =
  /^([-!]?)(attr\.(?:"(?:[^"\\]|\\.)+"|[^\s:=<>!"]+)|[A-Za-z]\w*)(:(?!\/\/)|!=|[<>]=?|=)/is
const spacedFilter = /^([-!]?)([A-Za-z]\w*)\s+(!=|[<>]=?|=)/

export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    at += lengthOf(/^\s*/, text, at)
    if (at === text.length) break
    const token = filterAt(text, at) ?? wordAt(text, at)
    tokens.push(token)
    at = token.end
  }
  return tokens
}

function filterAt(text: string, start: number): Token | undefined {
  const rest = text.slice(start)
  const tight = tightFilter.exec(rest)
  const spaced = tight ?? spacedFilter.exec(rest)
  const [head, sign, key, operator] = spaced ?? []
  if (head === undefined || key === undefined) return undefined
  // Between other words, a spaced `=` or `>` is text.
  if (tight === null && !isKnown(key)) return undefined
  const valueStart = start + head.length
  const gap = operator === ':' ? 0 : lengthOf(/^\s*/, text, valueStart)
  const { values, lastStart, end, isQuoted } = valuesAt(text, valueStart + gap)
  return {
    ...{ start, end, isQuoted },
    value: isQuoted && values.length === 1 ? values[0]! : text.slice(valueStart + gap, end),
    filter: {
      ...{ key, operator: operator as Operator, isNegated: sign !== '' },
      ...{ values, lastStart },
    },
  }
}

function isKnown(key: string): boolean {
  return filterByKey(key) !== undefined || comparisonByKey(key) !== undefined
}

function valuesAt(text: string, start: number) {
  const values: string[] = []
  let at = start
  let lastStart = start
  for (;;) {
    lastStart = at
    const { value, length } = text[at] === '"' ? quotedAt(text, at) : bareAt(/^[^\s,]*/, text, at)
    values.push(value)
    at += length
    if (text[at] !== ',') break
    at += 1
  }
  return { values, lastStart, end: at, isQuoted: text[start] === '"' }
}

function wordAt(text: string, start: number): Token {
  const isQuoted = text[start] === '"'
  const { value, length } = isQuoted ? quotedAt(text, start) : bareAt(/^\S*/, text, start)
  return { start, end: start + length, value, isQuoted }
}

interface Part {
  readonly value: string
  readonly length: number
}

function bareAt(pattern: RegExp, text: string, at: number): Part {
  const length = lengthOf(pattern, text, at)
  return { value: text.slice(at, at + length), length }
}

/** An unclosed quote extends to the end: the user is still typing. */
function quotedAt(text: string, at: number): Part {
  const body = /^"((?:[^"\\]|\\.|\\$)*)"?/su.exec(text.slice(at))
  const value = (body?.[1] ?? '').replaceAll(/\\(["\\])/g, '$1')
  return { value, length: body?.[0].length ?? 1 }
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  return pattern.exec(text.slice(at))?.[0].length ?? 0
}

export function quotedIfNeeded(value: string): string {
  // `key://` would read as a URL, which is a plain word.
  const needsMarks = /^(?:$|"|\/\/)|[\s,]/.test(value)
  return needsMarks ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : value
}
