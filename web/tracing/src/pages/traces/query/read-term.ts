import { limits } from '@assay/contract/limits.ts'
import { type Comparison, comparisonByKey } from '../../../parts/filter-bounds.ts'
import {
  attributeOfKey,
  type FilterName,
  filterByKey,
  filters,
} from '../../../parts/filter-definitions.ts'
import { isAccumulated, type Term } from '../../../parts/filter-terms.ts'
import { quotedIfNeeded, type Token } from './query-tokens.ts'

/*
 * The terms for one filter of the search field, or an error message.
 */

type Result = Term | string

/** The terms for a token that is a filter: two for a range, and one for each excluded value. */
export function readFilter(token: Token): readonly Result[] {
  const { filter, value, isQuoted } = token
  if (filter === undefined) return []
  const { key, operator } = filter
  const isNegated = filter.isNegated !== (operator === '!=')
  const comparison = comparisonByKey(key)
  if (comparison !== undefined) {
    if (isNegated) return [`“${key}” cannot be negated. Use the opposite comparison.`]
    return readComparison(comparison, key, /[<>]/.test(operator) ? operator + value : value)
  }
  const attribute = attributeOfKey(key)
  if (attribute !== undefined) return [readAttribute(token, attribute, isNegated)]
  const name = filterByKey(key)
  if (name === undefined) {
    return [`Unknown filter “${key}”. Use quotes to search for it as text.`]
  }
  if (/[<>]/.test(operator)) {
    return [`“${operator}” cannot be used with “${key}”. Use “${key}:”.`]
  }
  if (filters[name].takes.form !== 'text') {
    const only = isQuoted ? (filter.values[0] ?? '') : value
    return [isNegated ? readOtherChoice(name, key, only) : readTerm(name, [only])]
  }
  const values = filter.values.filter((one, at) => one !== '' || at === 0)
  return isNegated ? readExcluded(name, key, values) : [readText(name, key, values)]
}

function readAttribute({ filter, value }: Token, attribute: string, isNegated: boolean): Result {
  const { operator = ':', values = [] } = filter ?? {}
  if (/[<>]/.test(operator)) return `“${operator}” cannot be used with attributes. Use “:”.`
  if (values.length > 1) return oneValueOnly(`attr.${attribute}`, values)
  if (attribute.includes('=')) return 'Keys of attributes with “=” cannot be filtered by.'
  if (value === '') return `“attr.${attribute}:” needs a value.`
  return readTerm(isNegated ? 'not_attribute' : 'attribute', [`${attribute}=${value}`])
}

function readText(name: FilterName, key: string, values: readonly string[]): Result {
  if (values.length > 1 && name === 'tag') return readTerm('any_tag', values)
  if (values.length > 1 && !filters[name].takesSeveral) return oneValueOnly(key, values)
  return readTerm(name, values)
}

function readExcluded(name: FilterName, key: string, values: readonly string[]): readonly Result[] {
  const { negation } = filters[name]
  if (negation === undefined) return [`“${key}:” cannot be negated.`]
  if (values.length > 1 && !isAccumulated(negation)) return [oneValueOnly(key, values)]
  return values.map((value) => readTerm(negation, [value]))
}

function oneValueOnly(key: string, values: readonly string[]): string {
  return `“${key}” takes one value. If the comma is part of it, use ${key}:${quotedIfNeeded(values.join(','))}.`
}

/** Of two choices, the other one. */
function readOtherChoice(name: FilterName, key: string, value: string): Result {
  const { takes } = filters[name]
  const choices = takes.form === 'choice' ? Object.keys(takes.choices) : []
  if (choices.length !== 2) return `“${key}:” cannot be negated.`
  const others = choices.filter((choice) => choice.toLowerCase() !== value.toLowerCase())
  return readTerm(name, others.length === 1 ? others : [value])
}

/** `>0.1`, `<=2s` or `0.1..1`. */
function readComparison(comparison: Comparison, key: string, typed: string): readonly Result[] {
  const { min, max, above, below } = comparison
  const [, operator, limit] = /^([<>]=?)\s*(.*)$/s.exec(typed) ?? []
  if (operator !== undefined && limit !== undefined) {
    const isMin = operator.startsWith('>')
    const term = readTerm(isMin ? min : max, [limit], `${key}${operator}`)
    if (typeof term === 'string' || operator.endsWith('=')) return [term]
    const value = (isMin ? above : below)(Number(term.value))
    if (value < 0) return [`“${key}${typed}” matches nothing: no ${key} is below zero.`]
    return [{ name: isMin ? min : max, value }]
  }
  const [, from, to] = /^(.+?)\.\.(.+)$/s.exec(typed) ?? []
  if (from === undefined || to === undefined) {
    const [low, high] = comparison.examples
    const example = typed === '' ? high : typed
    return [
      `“${key}” needs a comparison: ${key}>${example}, ${key}<${example} or a range such as ${key}:${low}..${high}.`,
    ]
  }
  const [first, last] = [readTerm(min, [from], `${key}:`), readTerm(max, [to], `${key}:`)]
  const isReversed =
    typeof first !== 'string' && typeof last !== 'string' && first.value > last.value
  return isReversed ? [`The range “${typed}” ends before it starts.`] : [first, last]
}

const longest: Readonly<Partial<Record<FilterName, number>>> = {
  name: limits.rootNameLength.value,
  tag: limits.tagLength.value,
  q: limits.traceSearchLength.value,
  not_name: limits.rootNameLength.value,
  not_tag: limits.tagLength.value,
  any_tag: limits.tagLength.value,
}

/** The term for a filter with literal values, of which some filters take several. `typed` is named if one is missing. */
export function readTerm(
  name: FilterName,
  values: readonly string[],
  typed = `${filters[name].key}:`,
): Result {
  const { key, takes, hint, label } = filters[name]
  const [value = ''] = values
  if (value === '') return `“${typed}” needs a value: ${hint}.`
  switch (takes.form) {
    case 'text': {
      const max = longest[name] ?? limits.traceFilterLength.value
      if (values.some((one) => one.length > max)) {
        return `${label} can have at most ${max} characters.`
      }
      if (name === 'attribute' && !/^[^=]+=/s.test(value)) {
        return `“${value}” needs a key and a value: ${hint}, or attr.http.route:/refund.`
      }
      const most = limits.filterValues.value
      if (values.length > most) return `“${key}:” can have at most ${most} values.`
      const unique = [...new Set(values)]
      return { name, value: unique.length === 1 ? value : unique } as Term
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
