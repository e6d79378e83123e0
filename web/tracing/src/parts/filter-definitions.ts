import { ranges } from '../filter/time-range.ts'
import type { TraceListFilters } from './trace-search.ts'

/*
 * The filters of the trace list: the key in the query language, the label, and the accepted values. Comparisons of
 * amounts have keys of their own (filter-bounds.ts).
 */

export type FilterName = keyof TraceListFilters

interface Filter {
  /** The part before the colon. */
  readonly key: string
  /** Accepted aliases. */
  readonly otherKeys: readonly string[]
  readonly label: string
  /** The filter that excludes a value. */
  readonly negation?: FilterName
  /** Whether one of several values can match. */
  readonly takesSeveral?: true
  /** Only in the query language, not in menus. */
  readonly isTypedOnly?: true
  /** Shown next to the key in the suggestions. */
  readonly hint: string
  /** Shown at an input for one value instead of a hint about the query language. */
  readonly valueHint?: string
  readonly takes:
    | { readonly form: 'text' | 'instant' }
    | { readonly form: 'choice'; readonly choices: Readonly<Record<string, string>> }
    | { readonly form: 'amount'; readonly units: Readonly<Record<string, number>> }
}

const text = { form: 'text' } as const
const instant = { form: 'instant' } as const
const usd = { form: 'amount', units: { '': 1 } } as const
const duration = {
  form: 'amount',
  units: { '': 1, ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 },
} as const
const tokens = { form: 'amount', units: { '': 1, k: 1000, m: 1_000_000 } } as const

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
    negation: 'not_name',
    takes: text,
  },
  model: {
    key: 'model',
    otherKeys: [],
    label: 'Model',
    hint: 'model used by any span',
    negation: 'not_model',
    takesSeveral: true,
    takes: text,
  },
  tag: {
    key: 'tag',
    otherKeys: ['tags'],
    label: 'Tag',
    hint: 'repeat to require several tags; tag:a,b for one of them',
    valueHint: 'one tag; add another filter to require several',
    negation: 'not_tag',
    takes: text,
  },
  environment: {
    key: 'env',
    otherKeys: ['environment'],
    label: 'Environment',
    hint: 'for example production',
    negation: 'not_environment',
    takesSeveral: true,
    takes: text,
  },
  service: {
    key: 'service',
    otherKeys: [],
    label: 'Service',
    hint: 'service.name of the sender',
    negation: 'not_service',
    takesSeveral: true,
    takes: text,
  },
  session_id: {
    key: 'session',
    otherKeys: ['session_id'],
    label: 'Session',
    hint: 'exact session ID',
    negation: 'not_session_id',
    takesSeveral: true,
    takes: text,
  },
  user_id: {
    key: 'user',
    otherKeys: ['user_id'],
    label: 'User',
    hint: 'exact user ID',
    negation: 'not_user_id',
    takesSeveral: true,
    takes: text,
  },
  kind: {
    key: 'kind',
    otherKeys: [],
    label: 'Span kind',
    hint: 'kind of any span',
    negation: 'not_kind',
    takesSeveral: true,
    takes: text,
  },
  attribute: {
    key: 'attr',
    otherKeys: ['attribute'],
    label: 'Attribute',
    hint: 'key=value, for example http.route=/refund',
    negation: 'not_attribute',
    takes: text,
  },
  any_tag: {
    key: 'any_tag',
    otherKeys: [],
    label: 'Tag',
    hint: 'one of several tags',
    takesSeveral: true,
    isTypedOnly: true,
    takes: text,
  },
  not_name: excluding('name', 'Name'),
  not_model: excluding('model', 'Model'),
  not_tag: excluding('tag', 'Tag'),
  not_environment: excluding('env', 'Environment'),
  not_service: excluding('service', 'Service'),
  not_session_id: excluding('session', 'Session'),
  not_user_id: excluding('user', 'User'),
  not_kind: excluding('kind', 'Span kind'),
  not_attribute: excluding('attr', 'Attribute'),
  min_cost_usd: {
    key: 'min_cost',
    otherKeys: ['min_cost_usd'],
    label: 'Minimum cost',
    hint: 'in USD, for example 0.01',
    takes: usd,
  },
  max_cost_usd: {
    key: 'max_cost',
    otherKeys: ['max_cost_usd'],
    label: 'Maximum cost',
    hint: 'in USD, for example 0.5',
    takes: usd,
  },
  min_duration_ms: {
    key: 'min_duration',
    otherKeys: ['min_duration_ms'],
    label: 'Minimum duration',
    hint: 'for example 500ms, 2s or 1m',
    takes: duration,
  },
  max_duration_ms: {
    key: 'max_duration',
    otherKeys: ['max_duration_ms'],
    label: 'Maximum duration',
    hint: 'for example 500ms, 2s or 1m',
    takes: duration,
  },
  min_tokens: {
    key: 'min_tokens',
    otherKeys: [],
    label: 'Minimum tokens',
    hint: 'input plus output, for example 2000 or 2k',
    takes: tokens,
  },
  max_tokens: {
    key: 'max_tokens',
    otherKeys: [],
    label: 'Maximum tokens',
    hint: 'input plus output, for example 2000 or 2k',
    takes: tokens,
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
    valueHint: 'from 0 to 1, with the filter Score',
    takes: { form: 'amount', units: { '': 1 } },
  },
  max_score: {
    key: 'max_score',
    otherKeys: [],
    label: 'Maximum score',
    hint: 'from 0 to 1, with score:, for example 0.5',
    valueHint: 'from 0 to 1, with the filter Score',
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
    hint: 'the last 15m, 1h, 24h, 7d or 30d',
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

function excluding(key: string, label: string): Filter {
  return { key: `-${key}`, otherKeys: [], label, hint: 'excluded', isTypedOnly: true, takes: text }
}

/** The filter for a key or alias, case-insensitive. */
export function filterByKey(key: string): FilterName | undefined {
  const typedKey = key.toLowerCase()
  return filterNames.find(
    (name) => filters[name].key === typedKey || filters[name].otherKeys.includes(typedKey),
  )
}

/** `attr.http.route`: the key of a filter by one attribute. */
export function attributeOfKey(key: string): string | undefined {
  const [, quoted, bare] = /^attr\.(?:"(.*)"|(.*))$/is.exec(key) ?? []
  return quoted?.replaceAll(/\\(["\\])/g, '$1') ?? bare
}
