import { limits } from '@assay/contract/limits.ts'
import type { TraceListFilters, TraceSearch } from '../trace-search.ts'
import {
  type FilterName,
  filterByKey,
  filters,
  type Term,
  termsOf,
  withTerm,
} from './filter-definitions.ts'

/*
 * The text of the query box and the filters it means: words to search for, and `key:value` for everything
 * else. Quotation marks keep a value with spaces together, and take words with a colon as words.
 */

/** A stretch of the text between white space, with where it stands. */
export interface Token {
  readonly start: number
  readonly end: number
  /** Absent for words. */
  readonly key?: string
  /** What stands behind the colon, or the words themselves, without the marks around them. */
  readonly value: string
  readonly isQuoted: boolean
}

export interface Reading {
  /** What the text means as far as it can be understood. */
  readonly terms: readonly Term[]
  /** What cannot, in words for a person. */
  readonly problems: readonly string[]
}

const keyAhead = /^([A-Za-z]\w*):(?!\/\/)/

export function tokensOf(text: string): readonly Token[] {
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

/** A mark that is never closed reaches to the end: it is what somebody is still typing. */
function quotedAt(text: string, at: number): { readonly value: string; readonly length: number } {
  const body = /^"((?:[^"\\]|\\.|\\$)*)"?/su.exec(text.slice(at))
  const value = (body?.[1] ?? '').replaceAll(/\\(["\\])/g, '$1')
  return { value, length: body?.[0].length ?? 1 }
}

/** What a text means. Nothing of it is lost: each of its tokens is a term or has a problem. */
export function readQuery(text: string): Reading {
  const terms: Term[] = []
  const problems: string[] = []
  const words: string[] = []
  for (const token of tokensOf(text)) {
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

/** The list narrowed by these terms on top. */
export function addTerms(search: TraceSearch, terms: readonly Term[]): TraceSearch {
  return terms.reduce((narrowed, term) => withTerm(narrowed, term), search)
}

/** The text that means this, with the words at its end. */
export function printQuery(search: TraceListFilters): string {
  return termsOf(search).map(printTerm).join(' ')
}

export function printTerm(term: Term): string {
  const { key, takes } = filters[term.name]
  const value = String(term.value)
  if (term.name === 'q' && isPlainText(value)) return value
  if (term.name === 'min_duration_ms') return `${key}:${value}ms`
  return `${key}:${takes.form === 'choice' ? value.toLowerCase() : quotedIfNeeded(value)}`
}

function isPlainText(q: string): boolean {
  const tokens = tokensOf(q)
  const isPlain = tokens.every(({ key, isQuoted }) => key === undefined && !isQuoted)
  return isPlain && tokens.map(({ value }) => value).join(' ') === q
}

/** A value as it stands behind its key. */
export function quotedIfNeeded(value: string): string {
  // Two slashes after a colon would make an address of it, which is a word.
  const needsMarks = /^(?:$|"|\/\/)|\s/.test(value)
  return needsMarks ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : value
}

function unknownKey(key: string): string {
  return `There is no filter “${key}”. To search for it as a word, put it in quotation marks.`
}

const longest: Readonly<Partial<Record<FilterName, number>>> = {
  name: limits.rootNameLength.value,
  tag: limits.tagLength.value,
  q: limits.traceSearchLength.value,
}

/** What `key:value` means, or why it means nothing. */
export function readTerm(name: FilterName, value: string): Term | string {
  const { key, takes, hint, label } = filters[name]
  if (value === '') return `“${key}:” needs a value: ${hint}.`
  switch (takes.form) {
    case 'text': {
      const max = longest[name] ?? Number.POSITIVE_INFINITY
      if (value.length > max) return `${label} can have ${max} characters at most.`
      return { name, value } as Term
    }
    case 'choice': {
      const found = Object.keys(takes.choices).find(
        (one) => one.toLowerCase() === value.toLowerCase(),
      )
      if (found !== undefined) return { name, value: found } as Term
      const words = Object.keys(takes.choices).map((one) => one.toLowerCase())
      return `“${value}” is no ${label.toLowerCase()}. It can be ${listed(words)}.`
    }
    case 'amount': {
      const amount = amountOf(value, takes.units)
      if (amount !== undefined) return { name, value: amount } as Term
      const noun = label.split(',')[0]?.toLowerCase()
      return `“${value}” cannot be read as ${noun}: ${hint}.`
    }
    case 'instant': {
      const atMs = Date.parse(value.length === 10 ? `${value}T00:00` : value)
      if (!Number.isNaN(atMs)) return { name, value: new Date(atMs).toISOString() } as Term
      return `“${value}” is no date or time for “${key}”: ${hint}.`
    }
  }
}

function amountOf(value: string, units: Readonly<Record<string, number>>): number | undefined {
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
