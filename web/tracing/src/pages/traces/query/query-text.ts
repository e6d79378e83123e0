import { toBound } from '../../../parts/filter-bounds.ts'
import { type FilterName, filters } from '../../../parts/filter-definitions.ts'
import { isAccumulated, listTerms, type Term, withTerm } from '../../../parts/filter-terms.ts'
import type { TraceListFilters, TraceSearch } from '../../../parts/trace-search.ts'
import { quotedIfNeeded, type Token, tokenize } from './query-tokens.ts'
import { readFilter, readTerm } from './read-term.ts'

/*
 * The query language of the search field: plain words for full-text search, filters as in query-tokens.ts, and AND, OR
 * and NOT between them. Text that is not understood is reported, and never searched for instead.
 */

export interface Reading {
  /** The valid parts of the text. */
  readonly terms: readonly Term[]
  /** Error messages for the invalid parts. */
  readonly problems: readonly string[]
}

/** Parses the text. Each part becomes a term or an error message. */
export function readQuery(text: string): Reading {
  const { tokens, problems: misused } = withoutOperators(tokenize(text))
  const words = tokens.filter(({ filter }) => filter === undefined)
  const q = words
    .map(({ value }) => value)
    .filter((word) => word !== '')
    .join(' ')
  const results = [
    ...misused,
    ...tokens.flatMap((token) => (token.filter === undefined ? [] : readFilter(token))),
    ...words.flatMap((word) => findWordProblem(word) ?? []),
    ...(q === '' ? [] : [readTerm('q', [q])]),
  ]
  const terms = results.filter((result) => typeof result !== 'string')
  const problems = results.filter((result) => typeof result === 'string')
  return { terms, problems: [...problems, ...findConflicts(terms)] }
}

interface Combined {
  readonly tokens: readonly Token[]
  readonly problems: readonly string[]
}

/** Applies AND, OR and NOT to the filters beside them. */
function withoutOperators(all: readonly Token[]): Combined {
  const tokens: Token[] = []
  const problems: string[] = []
  for (let at = 0; at < all.length; at += 1) {
    const token = all[at]!
    const next = all[at + 1]
    const previous = tokens.at(-1)
    const word = token.isQuoted || token.filter !== undefined ? '' : token.value
    if (word === 'NOT' && next?.filter?.isNegated === false) {
      tokens.push({ ...next, filter: { ...next.filter, isNegated: true } })
      at += 1
    } else if (word === 'OR') {
      const either = eitherOf(previous, next)
      if (either === undefined) problems.push(orProblem)
      else tokens.splice(-1, 1, either)
      // Only the operator is reported.
      if (either !== undefined) at += 1
    } else if (word === 'NOT') problems.push(notProblem)
    else if (word === 'AND' && (previous === undefined || next === undefined)) {
      problems.push(andProblem)
    } else if (word !== 'AND') tokens.push(token)
  }
  return { tokens, problems }
}

const orProblem =
  '“OR” needs values of the same filter on both sides: model:a OR model:b, or shorter model:a,b. Use quotes to search for “OR” as text.'
const notProblem =
  '“NOT” needs a filter: NOT status:ok, or shorter -status:ok. Use quotes to search for “NOT” as text.'
const andProblem =
  '“AND” needs a filter or word on both sides. Use quotes to search for it as text.'

/** One filter with the values of both. */
function eitherOf(one: Token | undefined, other: Token | undefined): Token | undefined {
  if (one?.filter === undefined || other?.filter === undefined) return undefined
  const isSame = one.filter.key.toLowerCase() === other.filter.key.toLowerCase()
  if (!isSame || ![one, other].every(isPlainFilter)) return undefined
  const values = [...one.filter.values, ...other.filter.values]
  const value = `${one.value},${other.value}`
  return { ...one, value, end: other.end, filter: { ...one.filter, values } }
}

function isPlainFilter({ filter }: Token): boolean {
  return filter?.isNegated === false && [':', '='].includes(filter.operator)
}

/** For words that other search fields give a meaning. */
function findWordProblem({ value, isQuoted }: Token): string | undefined {
  if (isQuoted) return undefined
  const inner = value.replace(/^\(+/, '')
  if (inner !== value && tokenize(inner)[0]?.filter !== undefined) {
    return `“${value}” has a parenthesis, which filters cannot have: all filters combine with AND. Use quotes to search for it as text.`
  }
  if (/^-[\p{L}"]/u.test(value)) {
    return `“${value}”: words cannot be excluded. Use quotes to search for it as text.`
  }
  return undefined
}

/** Filters that would replace each other. */
function findConflicts(terms: readonly Term[]): readonly string[] {
  const names = terms.map(({ name }) => name)
  const repeated = names.filter((name, at) => !isAccumulated(name) && names.indexOf(name) < at)
  const hasRange = names.includes('range')
  const fixed = names.find((name) => name === 'from' || name === 'to')
  return [
    ...[...new Set(repeated)].map((name) => repeatedProblem(name, terms)),
    ...(hasRange && fixed !== undefined
      ? [`“last:” and “${filters[fixed].key}:” exclude each other. Use one of them.`]
      : []),
  ]
}

function repeatedProblem(name: FilterName, terms: readonly Term[]): string {
  const { key, takesSeveral } = filters[name]
  const once = `“${key}:” can be there only once.`
  if (takesSeveral === undefined) return once
  const values = terms.filter((term) => term.name === name).flatMap(({ value }) => value)
  const listed = values.map((value) => quotedIfNeeded(String(value))).join(',')
  return `${once} For one of several values, use ${key}:${listed}.`
}

/** Why the API would refuse these filters together. */
export function findMismatches(search: TraceListFilters): readonly string[] {
  const { score, from, to } = search
  const needsScore = (['min_score', 'max_score', 'passed'] as const).find(
    (name) => search[name] !== undefined,
  )
  return [
    ...(needsScore !== undefined && score === undefined
      ? [`“${filters[needsScore].label}” needs the filter “Score”, for example score:helpfulness.`]
      : []),
    ...(from !== undefined && to !== undefined && from >= to
      ? ['The time range ends before it starts.']
      : []),
  ]
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
  if (typeof term.value === 'number') {
    const bound = toBound(term.name, term.value)
    const unit = bound?.key === 'duration' ? 'ms' : ''
    return bound ? `${bound.key}${bound.operator}${bound.value}${unit}` : `${key}:${term.value}`
  }
  if (typeof term.value === 'object') {
    const listKey = term.name === 'any_tag' ? filters.tag.key : key
    return `${listKey}:${term.value.map(quotedIfNeeded).join(',')}`
  }
  if (term.name === 'attribute') return printAttribute(term.value)
  if (term.name === 'not_attribute') return `-${printAttribute(term.value)}`
  if (term.name === 'q' && isPlainText(term.value)) return term.value
  return `${key}:${takes.form === 'choice' ? term.value.toLowerCase() : quotedIfNeeded(term.value)}`
}

function printAttribute(text: string): string {
  const end = text.indexOf('=')
  const key = text.slice(0, end)
  const quotedKey = /[\s:<>!"]/.test(key) ? `"${key.replaceAll(/["\\]/g, '\\$&')}"` : key
  return `attr.${quotedKey}:${quotedIfNeeded(text.slice(end + 1))}`
}

function isPlainText(q: string): boolean {
  const { terms, problems } = readQuery(q)
  const isPlain = tokenize(q).every(({ filter, isQuoted }) => filter === undefined && !isQuoted)
  return isPlain && problems.length === 0 && terms[0]?.value === q
}
