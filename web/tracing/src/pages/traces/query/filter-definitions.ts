import { formatCost, formatCount } from '@assay/ui/number-format.ts'
import { formatDuration, formatLocal } from '@assay/ui/time-format.ts'
import { ranges } from '../../../filter/time-range.ts'
import {
  modes,
  sources,
  statuses,
  type TraceListFilters,
  type TraceSearch,
} from '../trace-search.ts'

/*
 * The filters of the trace list, once: the key that one types, the words on chips and in menus, and what may
 * stand behind the key.
 */

export type FilterName = keyof TraceListFilters

interface Filter {
  /** What is typed before the colon. */
  readonly key: string
  /** What is understood in its place. */
  readonly otherKeys: readonly string[]
  readonly label: string
  /** What it lets in, for the completion of keys. */
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
    takes: choices(statuses, { OK: 'OK', ERROR: 'Error' }),
  },
  name: {
    key: 'name',
    otherKeys: [],
    label: 'Name',
    hint: 'part of the name of the trace or of one of its spans',
    takes: text,
  },
  model: {
    key: 'model',
    otherKeys: [],
    label: 'Model',
    hint: 'the model of one of its spans',
    takes: text,
  },
  tag: {
    key: 'tag',
    otherKeys: ['tags'],
    label: 'Tag',
    hint: 'a tag it has; several must all be there',
    takes: text,
  },
  environment: {
    key: 'env',
    otherKeys: ['environment'],
    label: 'Environment',
    hint: 'such as production',
    takes: text,
  },
  service: {
    key: 'service',
    otherKeys: [],
    label: 'Service',
    hint: 'the service that sent it',
    takes: text,
  },
  session_id: {
    key: 'session',
    otherKeys: ['session_id'],
    label: 'Session',
    hint: 'the whole id of a session',
    takes: text,
  },
  user_id: {
    key: 'user',
    otherKeys: ['user_id'],
    label: 'User',
    hint: 'the whole id of a user',
    takes: text,
  },
  kind: {
    key: 'kind',
    otherKeys: [],
    label: 'Span kind',
    hint: 'the kind of one of its spans',
    takes: text,
  },
  min_cost_usd: {
    key: 'min_cost',
    otherKeys: ['min_cost_usd', 'cost'],
    label: 'Cost, at least',
    hint: 'dollars, such as 0.01',
    takes: { form: 'amount', units: { '': 1 } },
  },
  min_duration_ms: {
    key: 'min_duration',
    otherKeys: ['min_duration_ms', 'duration'],
    label: 'Duration, at least',
    hint: 'such as 500ms, 2s or 1m',
    takes: {
      form: 'amount',
      units: { '': 1, ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 },
    },
  },
  min_tokens: {
    key: 'min_tokens',
    otherKeys: ['tokens'],
    label: 'Tokens, at least',
    hint: 'in and out together, such as 2000 or 2k',
    takes: { form: 'amount', units: { '': 1, k: 1000, m: 1_000_000 } },
  },
  mode: {
    key: 'mode',
    otherKeys: [],
    label: 'Mode',
    hint: 'live or simulation',
    takes: choices(modes, { live: 'Live', simulation: 'Simulation' }),
  },
  source: {
    key: 'source',
    otherKeys: [],
    label: 'Source',
    hint: 'json or otlp: how it was sent',
    takes: choices(sources, { json: 'JSON', otlp: 'OpenTelemetry' }),
  },
  range: {
    key: 'last',
    otherKeys: ['range'],
    label: 'Time range',
    hint: 'back from now, such as 24h',
    takes: choices(
      Object.keys(ranges),
      Object.fromEntries(Object.entries(ranges).map(([name, { label }]) => [name, label])),
    ),
  },
  from: {
    key: 'from',
    otherKeys: ['since', 'after'],
    label: 'From',
    hint: 'started then or later, such as 2026-11-20 or 2026-11-20T14:00',
    takes: instant,
  },
  to: {
    key: 'to',
    otherKeys: ['until', 'before'],
    label: 'Until',
    hint: 'started before then',
    takes: instant,
  },
  q: {
    key: 'words',
    otherKeys: ['q'],
    label: 'Words',
    hint: 'all in one span; typed without a key they are the same',
    takes: text,
  },
}

export const filterNames = Object.keys(filters) as readonly FilterName[]

function choices(values: readonly string[], labels: Readonly<Record<string, string>>) {
  return {
    form: 'choice',
    choices: Object.fromEntries(values.map((value) => [value, labels[value] ?? value])),
  } as const
}

/** The filter that a typed key means, in any case. */
export function filterByKey(key: string): FilterName | undefined {
  const typedKey = key.toLowerCase()
  return filterNames.find(
    (name) => filters[name].key === typedKey || filters[name].otherKeys.includes(typedKey),
  )
}

/** One thing that narrows the list: of the filters, only tags can be there several times. */
export type Term = {
  readonly [Name in FilterName]-?: {
    readonly name: Name
    readonly value: Name extends 'tag' ? string : NonNullable<TraceListFilters[Name]>
  }
}[FilterName]

/** What narrows the list, one by one, in the order of the filters. */
export function termsOf(search: TraceListFilters): readonly Term[] {
  return filterNames.flatMap((name): readonly Term[] => {
    const value = search[name]
    if (value === undefined) return []
    if (typeof value === 'object') return value.map((tag) => ({ name: 'tag', value: tag }))
    return [{ name, value } as Term]
  })
}

/** The same without this one term. */
export function without(search: TraceSearch, term: Term): TraceSearch {
  const { [term.name]: _, ...rest } = search
  if (term.name !== 'tag') return rest
  const tag = search.tag?.filter((one) => one !== term.value) ?? []
  return { ...rest, ...(tag.length === 0 ? {} : { tag }) }
}

/** The same with this term: words are added to the words there are, a range and two instants exclude each other. */
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

/** A term as its chip says it. */
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
