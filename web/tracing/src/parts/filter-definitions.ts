import { formatCost, formatCount } from '@assay/ui/number-format.ts'
import { formatDuration, formatLocal } from '@assay/ui/time-format.ts'
import { ranges } from '../filter/time-range.ts'
import type { TraceListFilters, TraceSearch } from './trace-search.ts'

/*
 * The filters of the trace list: the key in the query language, the label, and the accepted values.
 */

export type FilterName = keyof TraceListFilters

interface Filter {
  /** The part before the colon. */
  readonly key: string
  /** Accepted aliases. */
  readonly otherKeys: readonly string[]
  readonly label: string
  /** Shown next to the key in the suggestions. */
  readonly hint: string
  readonly takes:
    | { readonly form: 'text' | 'instant' }
    | { readonly form: 'choice'; readonly choices: Readonly<Record<string, string>> }
    | { readonly form: 'amount'; readonly units: Readonly<Record<string, number>> }
}

const text = { form: 'text' } as const
const instant = { form: 'instant' } as const

/** In the order of menus and completions. */
export const filters: Readonly<Record<FilterName, Filter>> = {
  status: {
    key: 'status',
    otherKeys: [],
    label: 'Status',
    hint: 'ok or error',
    takes: choices<'status'>({ OK: 'OK', ERROR: 'Error' }),
  },
  name: {
    key: 'name',
    otherKeys: [],
    label: 'Name',
    hint: 'part of the trace name or a span name',
    takes: text,
  },
  model: {
    key: 'model',
    otherKeys: [],
    label: 'Model',
    hint: 'model used by any span',
    takes: text,
  },
  tag: {
    key: 'tag',
    otherKeys: ['tags'],
    label: 'Tag',
    hint: 'repeat to require several tags',
    takes: text,
  },
  environment: {
    key: 'env',
    otherKeys: ['environment'],
    label: 'Environment',
    hint: 'for example production',
    takes: text,
  },
  service: {
    key: 'service',
    otherKeys: [],
    label: 'Service',
    hint: 'service.name of the sender',
    takes: text,
  },
  session_id: {
    key: 'session',
    otherKeys: ['session_id'],
    label: 'Session',
    hint: 'exact session ID',
    takes: text,
  },
  user_id: {
    key: 'user',
    otherKeys: ['user_id'],
    label: 'User',
    hint: 'exact user ID',
    takes: text,
  },
  kind: {
    key: 'kind',
    otherKeys: [],
    label: 'Span kind',
    hint: 'kind of any span',
    takes: text,
  },
  min_cost_usd: {
    key: 'min_cost',
    otherKeys: ['min_cost_usd', 'cost'],
    label: 'Minimum cost',
    hint: 'in USD, for example 0.01',
    takes: { form: 'amount', units: { '': 1 } },
  },
  min_duration_ms: {
    key: 'min_duration',
    otherKeys: ['min_duration_ms', 'duration'],
    label: 'Minimum duration',
    hint: 'for example 500ms, 2s or 1m',
    takes: {
      form: 'amount',
      units: { '': 1, ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 },
    },
  },
  min_tokens: {
    key: 'min_tokens',
    otherKeys: ['tokens'],
    label: 'Minimum tokens',
    hint: 'input plus output, for example 2000 or 2k',
    takes: { form: 'amount', units: { '': 1, k: 1000, m: 1_000_000 } },
  },
  has_score: {
    key: 'scored',
    otherKeys: ['has_score'],
    label: 'Scored',
    hint: 'true or false: whether it was evaluated',
    takes: choices<'has_score'>({ true: 'Yes', false: 'No' }),
  },
  score: {
    key: 'score',
    otherKeys: ['evaluator'],
    label: 'Score',
    hint: 'name of an evaluator or score',
    takes: text,
  },
  min_score: {
    key: 'min_score',
    otherKeys: [],
    label: 'Minimum score',
    hint: 'from 0 to 1, with score:',
    takes: { form: 'amount', units: { '': 1 } },
  },
  max_score: {
    key: 'max_score',
    otherKeys: [],
    label: 'Maximum score',
    hint: 'from 0 to 1, with score:, for example 0.5',
    takes: { form: 'amount', units: { '': 1 } },
  },
  passed: {
    key: 'passed',
    otherKeys: [],
    label: 'Verdict',
    hint: 'true or false, with score:',
    takes: choices<'passed'>({ true: 'Passed', false: 'Failed' }),
  },
  mode: {
    key: 'mode',
    otherKeys: [],
    label: 'Mode',
    hint: 'live, simulation or all',
    takes: choices<'mode'>({ live: 'Live', simulation: 'Simulated', all: 'Live and simulated' }),
  },
  source: {
    key: 'source',
    otherKeys: [],
    label: 'Source',
    hint: 'ingest format, json or otlp',
    takes: choices<'source'>({ json: 'JSON', otlp: 'OpenTelemetry' }),
  },
  range: {
    key: 'last',
    otherKeys: ['range'],
    label: 'Time range',
    hint: 'relative to now, for example 24h',
    takes: choices(
      Object.fromEntries(Object.entries(ranges).map(([name, { label }]) => [name, label])),
    ),
  },
  from: {
    key: 'from',
    otherKeys: ['since', 'after'],
    label: 'From',
    hint: 'earliest start, for example 2026-11-20 or 2026-11-20T14:00',
    takes: instant,
  },
  to: {
    key: 'to',
    otherKeys: ['until', 'before'],
    label: 'Until',
    hint: 'latest start (exclusive)',
    takes: instant,
  },
  q: {
    key: 'text',
    otherKeys: ['q'],
    label: 'Text',
    hint: 'full-text search; all words in one span',
    takes: text,
  },
}

export const filterNames = Object.keys(filters) as readonly FilterName[]

function choices<Name extends FilterName = FilterName>(
  choices: Readonly<Record<Extract<TraceListFilters[Name], string>, string>>,
) {
  return { form: 'choice', choices } as const
}

/** The filter for a key or alias, case-insensitive. */
export function filterByKey(key: string): FilterName | undefined {
  const typedKey = key.toLowerCase()
  return filterNames.find(
    (name) => filters[name].key === typedKey || filters[name].otherKeys.includes(typedKey),
  )
}

/** One filter with its value. Only tags can occur several times. */
export type Term = {
  readonly [Name in FilterName]-?: {
    readonly name: Name
    readonly value: Name extends 'tag' ? string : NonNullable<TraceListFilters[Name]>
  }
}[FilterName]

/** The active filters, in the order of their definitions. */
export function listTerms(search: TraceListFilters): readonly Term[] {
  return filterNames.flatMap((name): readonly Term[] => {
    const value = search[name]
    if (value === undefined) return []
    if (typeof value === 'object') return value.map((tag) => ({ name: 'tag', value: tag }))
    return [{ name, value } as Term]
  })
}

/** The filters that the query box has: the mode has a switch of its own. */
export function listBoxTerms({ mode: _, ...search }: TraceListFilters): readonly Term[] {
  return listTerms(search)
}

export function without(search: TraceSearch, term: Term): TraceSearch {
  const { [term.name]: _, ...rest } = search
  if (term.name !== 'tag') return rest
  const tag = search.tag?.filter((one) => one !== term.value) ?? []
  return { ...rest, ...(tag.length === 0 ? {} : { tag }) }
}

/** Text is appended to existing text; a relative range and absolute times replace each other. */
export function withTerm(search: TraceSearch, term: Term): TraceSearch {
  if (term.name === 'tag') {
    const tag = [...new Set([...(search.tag ?? []), term.value])]
    return { ...search, tag }
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
    case 'min_cost_usd':
      return `Cost ≥ ${formatCost(term.value)}`
    case 'min_duration_ms':
      return `Duration ≥ ${formatDuration(term.value)}`
    case 'min_tokens':
      return `Tokens ≥ ${formatCount(term.value)}`
    default: {
      const { label, takes } = filters[term.name]
      return `${label}: ${takes.form === 'choice' ? takes.choices[term.value] : term.value}`
    }
  }
}
