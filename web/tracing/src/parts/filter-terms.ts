import { formatCost, formatCount } from '@assay/ui/number-format.ts'
import { formatDuration, formatLocal } from '@assay/ui/time-format.ts'
import { ranges } from '../filter/time-range.ts'
import { toBound } from './filter-bounds.ts'
import { type FilterName, filterNames, filters } from './filter-definitions.ts'
import type { TraceListFilters, TraceSearch } from './trace-search.ts'

/*
 * The active filters of the trace list, one by one.
 */

/** Their values combine with AND, and each is a term of its own. */
const accumulatedNames = [
  'tag',
  'attribute',
  'not_environment',
  'not_service',
  'not_session_id',
  'not_user_id',
  'not_tag',
  'not_model',
  'not_kind',
  'not_attribute',
] as const satisfies readonly FilterName[]
type AccumulatedName = (typeof accumulatedNames)[number]

export function isAccumulated(name: FilterName): name is AccumulatedName {
  return (accumulatedNames as readonly FilterName[]).includes(name)
}

/** One filter with its value, or with several of which one must match. */
export type Term = {
  readonly [Name in FilterName]-?: {
    readonly name: Name
    readonly value: Name extends AccumulatedName ? string : NonNullable<TraceListFilters[Name]>
  }
}[FilterName]

/** The active filters, in the order of their definitions. */
export function listTerms(search: TraceListFilters): readonly Term[] {
  return filterNames.flatMap((name): readonly Term[] => {
    const value = search[name]
    if (value === undefined) return []
    if (isAccumulated(name)) return [value].flat().map((one) => ({ name, value: one }) as Term)
    return [{ name, value } as Term]
  })
}

/** The filters that the query box has: the mode has a switch of its own. */
export function listBoxTerms({ mode: _, ...search }: TraceListFilters): readonly Term[] {
  return listTerms(search)
}

export function without(search: TraceSearch, term: Term): TraceSearch {
  const { [term.name]: _, ...rest } = search
  if (term.name === 'score') return withoutScoreLimits(rest)
  if (!isAccumulated(term.name)) return rest
  const values = search[term.name]?.filter((one) => one !== term.value) ?? []
  return { ...rest, ...(values.length === 0 ? {} : { [term.name]: values }) }
}

/** They compare the score of one name. */
function withoutScoreLimits({
  min_score: _,
  max_score: __,
  passed: ___,
  ...rest
}: TraceSearch): TraceSearch {
  return rest
}

/** Text is appended to existing text; a relative range and absolute times replace each other. */
export function withTerm(search: TraceSearch, term: Term): TraceSearch {
  if (isAccumulated(term.name)) {
    const values = [...new Set([...(search[term.name] ?? []), term.value])]
    return { ...search, [term.name]: values }
  }
  if (term.name === 'q' && search.q !== undefined) {
    return { ...search, q: `${search.q} ${term.value}` }
  }
  const { range, from, to, ...rest } = search
  if (term.name === 'range') return { ...rest, range: term.value }
  if (term.name === 'from' || term.name === 'to') {
    const fixed = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
    return { ...rest, ...fixed, [term.name]: term.value }
  }
  return { ...search, [term.name]: term.value }
}

export function chipText(term: Term, nowMs: number): string {
  switch (term.name) {
    case 'range':
      return ranges[term.value].label
    case 'from':
    case 'to':
      return `${filters[term.name].label} ${formatLocal(Date.parse(term.value), nowMs)}`
    case 'attribute':
      return term.value.replace('=', ': ')
    case 'not_attribute':
      return term.value.replace('=', ': not ')
    case 'min_cost_usd':
    case 'max_cost_usd':
      return boundText(term.name, term.value, formatCost)
    case 'min_duration_ms':
    case 'max_duration_ms':
      return boundText(term.name, term.value, formatDuration)
    case 'min_tokens':
    case 'max_tokens':
      return boundText(term.name, term.value, formatCount)
    default: {
      const { label, takes } = filters[term.name]
      const values = [term.value].flat().map(String)
      const words = takes.form === 'choice' ? values.map((value) => takes.choices[value]) : values
      return `${label}: ${isNegation(term.name) ? 'not ' : ''}${words.join(' or ')}`
    }
  }
}

const operatorSigns = { '>': '>', '>=': '≥', '<': '<', '<=': '≤' } as const

function boundText(name: FilterName, value: number, format: (value: number) => string): string {
  const bound = toBound(name, value)
  if (bound === undefined) return `${filters[name].label} ${format(value)}`
  return `${bound.label} ${operatorSigns[bound.operator]} ${format(bound.value)}`
}

function isNegation(name: FilterName): boolean {
  return filterNames.some((one) => filters[one].negation === name)
}
