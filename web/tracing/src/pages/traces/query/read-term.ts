import { limits } from '@assay/contract/limits.ts'
import {
  type FilterName,
  filterByKey,
  filters,
  type Term,
} from '../../../parts/filter-definitions.ts'
import { quotedIfNeeded, type Token } from './query-tokens.ts'

/*
 * The terms for one filter of the search field, or an error message.
 */

type Result = Term | string

/** The terms for a token that is a filter: two for a range. */
export function readFilter({ filter, value, isQuoted }: Token): readonly Result[] {
  if (filter === undefined) return []
  const { key, operator, isNegated, values } = filter
  const name = filterByKey(key)
  if (name === undefined) {
    return [`Unknown filter “${key}”. Use quotes to search for it as text.`]
  }
  const { takes } = filters[name]
  if (/[<>]/.test(operator)) {
    return [`“${operator}” cannot be used with “${key}”. Use “${key}:”.`]
  }
  if (isNegated !== (operator === '!=')) return [readNegated(name, key, value)]
  if (takes.form === 'text' && values.length > 1) {
    const quoted = quotedIfNeeded(values.join(','))
    return [`“${key}” takes one value. If the comma is part of it, use ${key}:${quoted}.`]
  }
  return [readTerm(name, takes.form === 'text' || isQuoted ? values : [value])]
}

/** Of two choices, the other one. */
function readNegated(name: FilterName, key: string, value: string): Result {
  const { takes } = filters[name]
  const choices = takes.form === 'choice' ? Object.keys(takes.choices) : []
  const isChoice = choices.some((choice) => choice.toLowerCase() === value.toLowerCase())
  if (choices.length === 2 && isChoice) {
    const other = choices.find((choice) => choice.toLowerCase() !== value.toLowerCase())
    return readTerm(name, [other!])
  }
  if (choices.length === 2) return readTerm(name, [value])
  return `“${key}:” cannot be negated.`
}

const longest: Readonly<Partial<Record<FilterName, number>>> = {
  name: limits.rootNameLength.value,
  tag: limits.tagLength.value,
  q: limits.traceSearchLength.value,
}

/** The term for a filter with literal values, of which only some filters take several. */
export function readTerm(name: FilterName, values: readonly string[]): Result {
  const { key, takes, hint, label } = filters[name]
  const [value = ''] = values
  if (value === '') return `“${key}:” needs a value: ${hint}.`
  switch (takes.form) {
    case 'text': {
      const max = longest[name] ?? limits.traceFilterLength.value
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
