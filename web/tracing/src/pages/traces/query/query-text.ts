import { limits } from '@assay/contract/limits.ts'
import {
  type FilterName,
  filterByKey,
  filters,
  listTerms,
  type Term,
  withTerm,
} from '../../../parts/filter-definitions.ts'
import type { TraceListFilters, TraceSearch } from '../../../parts/trace-search.ts'

/*
 * The query language of the search field: plain words for full-text search and `key:value` for filters. Quotes
 * enclose values with spaces, and make `"key:value"` plain words.
 */

/** A whitespace-separated part of the text and its position. */
export interface Token {
  readonly start: number
  readonly end: number
  /** Absent for plain words. */
  readonly key?: string
  /** The part after the colon, or the word itself, without quotes. */
  readonly value: string
  readonly isQuoted: boolean
}

export interface Reading {
  /** The valid parts of the text. */
  readonly terms: readonly Term[]
  /** Error messages for the invalid parts. */
  readonly problems: readonly string[]
}

const keyAhead = /^([A-Za-z]\w*):(?!\/\/)/

export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0
    if (at === text.length) break
    const start = at
    const key = keyAhead.exec(text.slice(at))?.[1]
    if (key !== undefined) at += key.length + 1
    const isQuoted = text[at] === '"'
    const { value, length } = isQuoted ? quotedAt(text, at) : bareAt(text, at)
    at += length
    tokens.push({ start, end: at, ...(key === undefined ? {} : { key }), value, isQuoted })
  }
  return tokens
}

function bareAt(text: string, at: number): { readonly value: string; readonly length: number } {
  const value = /^\S*/.exec(text.slice(at))?.[0] ?? ''
  return { value, length: value.length }
}

/** An unclosed quote extends to the end: the user is still typing. */
function quotedAt(text: string, at: number): { readonly value: string; readonly length: number } {
  const body = /^"((?:[^"\\]|\\.|\\$)*)"?/su.exec(text.slice(at))
  const value = (body?.[1] ?? '').replaceAll(/\\(["\\])/g, '$1')
  return { value, length: body?.[0].length ?? 1 }
}

/** Parses the text. Each token becomes a term or an error message. */
export function readQuery(text: string): Reading {
  const terms: Term[] = []
  const problems: string[] = []
  const words: string[] = []
  for (const token of tokenize(text)) {
    if (token.key === undefined) {
      words.push(token.value)
      continue
    }
    const name = filterByKey(token.key)
    const read = name === undefined ? unknownKey(token.key) : readTerm(name, token.value)
    if (typeof read === 'string') problems.push(read)
    else terms.push(read)
  }
  const q = words.filter((word) => word !== '').join(' ')
  if (q !== '') {
    const read = readTerm('q', q)
    if (typeof read === 'string') problems.push(read)
    else terms.push(read)
  }
  return { terms, problems }
}

export function addTerms(search: TraceSearch, terms: readonly Term[]): TraceSearch {
  return terms.reduce((narrowed, term) => withTerm(narrowed, term), search)
}

/** The inverse of `readQuery`, with plain words at the end. */
export function printQuery(search: TraceListFilters): string {
  return listTerms(search).map(printTerm).join(' ')
}

export function printTerm(term: Term): string {
  const { key, takes } = filters[term.name]
  const value = String(term.value)
  if (term.name === 'q' && isPlainText(value)) return value
  if (term.name === 'min_duration_ms') return `${key}:${value}ms`
  return `${key}:${takes.form === 'choice' ? value.toLowerCase() : quotedIfNeeded(value)}`
}

function isPlainText(q: string): boolean {
  const tokens = tokenize(q)
  const isPlain = tokens.every(({ key, isQuoted }) => key === undefined && !isQuoted)
  return isPlain && tokens.map(({ value }) => value).join(' ') === q
}

export function quotedIfNeeded(value: string): string {
  // `key://` would read as a URL, which is a plain word.
  const needsMarks = /^(?:$|"|\/\/)|\s/.test(value)
  return needsMarks ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : value
}

function unknownKey(key: string): string {
  return `Unknown filter “${key}”. Use quotes to search for it as text.`
}

const longest: Readonly<Partial<Record<FilterName, number>>> = {
  name: limits.rootNameLength.value,
  tag: limits.tagLength.value,
  q: limits.traceSearchLength.value,
}

/** The term for `key:value`, or an error message. */
export function readTerm(name: FilterName, value: string): Term | string {
  const { key, takes, hint, label } = filters[name]
  if (value === '') return `“${key}:” needs a value: ${hint}.`
  switch (takes.form) {
    case 'text': {
      const max = longest[name] ?? Number.POSITIVE_INFINITY
      if (value.length > max) return `${label} can have at most ${max} characters.`
      return { name, value } as Term
    }
    case 'choice': {
      const found = Object.keys(takes.choices).find(
        (one) => one.toLowerCase() === value.toLowerCase(),
      )
      if (found !== undefined) return { name, value: found } as Term
      const words = Object.keys(takes.choices).map((one) => one.toLowerCase())
      return `“${value}” is not a valid ${label.toLowerCase()}. Use ${listed(words)}.`
    }
    case 'amount': {
      const amount = parseAmount(value, takes.units)
      if (amount !== undefined) return { name, value: amount } as Term
      return `“${value}” is not a valid ${label.toLowerCase()}: ${hint}.`
    }
    case 'instant': {
      const atMs = Date.parse(value.length === 10 ? `${value}T00:00` : value)
      if (!Number.isNaN(atMs)) return { name, value: new Date(atMs).toISOString() } as Term
      return `“${value}” is not a valid date or time for “${key}”: ${hint}.`
    }
  }
}

function parseAmount(value: string, units: Readonly<Record<string, number>>): number | undefined {
  const found = /^\$?(\d*\.?\d+(?:e[+-]?\d+)?)\s*([a-z]*)$/i.exec(value)
  const unit = found?.[2]?.toLowerCase() ?? ''
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined
  if (found === null || factor === undefined) return undefined
  const amount = Number(found[1]) * factor
  return Number.isFinite(amount) ? amount : undefined
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
