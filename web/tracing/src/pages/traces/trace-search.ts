import { limits } from '@assay/contract/limits.ts'
import type { TraceFilters } from '@assay/contract/traces.ts'
import { parseTimeSearch, type TimeSearch, withFixedTime } from '../../filter/time-range.ts'
import { parseTextParam } from '../../search-params.ts'

/*
 * The filters and display options of the trace list, as URL search parameters.
 */

/** The names match the query parameters of the API. */
export interface TraceListFilters extends TimeSearch {
  readonly status?: 'OK' | 'ERROR'
  readonly mode?: 'live' | 'simulation'
  readonly environment?: string
  readonly source?: 'json' | 'otlp'
  readonly name?: string
  readonly service?: string
  readonly session_id?: string
  readonly user_id?: string
  /** A trace must have all of them. Never empty, no duplicates. */
  readonly tag?: readonly string[]
  readonly model?: string
  readonly kind?: string
  readonly min_cost_usd?: number
  readonly min_duration_ms?: number
  readonly min_tokens?: number
  readonly q?: string
}

export interface TraceSearch extends TraceListFilters {
  /** Comma-separated column IDs; absent for the user's last choice. */
  readonly columns?: string
  /** Present when live updates are paused. */
  readonly live?: 'off'
}

export const statuses = ['OK', 'ERROR'] as const
export const modes = ['live', 'simulation'] as const
export const sources = ['json', 'otlp'] as const
const textFilters = [
  'name',
  'environment',
  'service',
  'session_id',
  'user_id',
  'model',
  'kind',
  'q',
] as const
const amountFilters = ['min_cost_usd', 'min_duration_ms', 'min_tokens'] as const

type Unchecked = Readonly<Record<string, unknown>>

/** Drops unknown and invalid parameters, so that old links still open. */
export function parseTraceSearch(search: Unchecked): TraceSearch {
  const columns = parseTextParam(search, 'columns')
  return {
    ...choice(search, 'status', statuses),
    ...choice(search, 'mode', modes),
    ...choice(search, 'source', sources),
    ...texts(search),
    ...tags(search['tag']),
    ...amounts(search),
    ...parseTimeSearch(search),
    ...(columns === undefined ? {} : { columns }),
    ...(search['live'] === 'off' ? { live: 'off' } : {}),
  }
}

function choice<Name extends string, Value extends string>(
  search: Unchecked,
  name: Name,
  values: readonly Value[],
): Partial<Record<Name, Value>> {
  const found = values.find((value) => value === search[name])
  return found === undefined ? {} : ({ [name]: found } as Record<Name, Value>)
}

function texts(search: Unchecked): Partial<Record<(typeof textFilters)[number], string>> {
  const found = textFilters.map((name) => [name, parseTextParam(search, name)] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

function tags(value: unknown): Pick<TraceListFilters, 'tag'> {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  const found = given.filter((one) => typeof one === 'string' && one !== '') as string[]
  const tag = [...new Set(found)].slice(0, limits.tagFilters.value)
  return tag.length === 0 ? {} : { tag }
}

function amounts(search: Unchecked): Partial<Record<(typeof amountFilters)[number], number>> {
  const found = amountFilters.map((name) => [name, parseAmount(search[name])] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

/** The router passes strings parsed from a URL and numbers set by a page. */
function parseAmount(value: unknown): number | undefined {
  if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return undefined
  const amount = Number(value)
  return Number.isFinite(amount) && amount >= 0 ? amount : undefined
}

/** The filters alone, without the display options. */
export function pickFilters({ live: _, columns: __, ...filters }: TraceSearch): TraceListFilters {
  return filters
}

export function hasFilters(search: TraceSearch): boolean {
  return Object.keys(pickFilters(search)).length > 0
}

/** The display options alone, without filters. */
export function withoutFilters({ live, columns }: TraceSearch): TraceSearch {
  return {
    ...(columns === undefined ? {} : { columns }),
    ...(live === undefined ? {} : { live }),
  }
}

/** The filters for the API; a relative range is resolved against `nowMs`. */
export function filtersOf(search: TraceSearch, nowMs: number): TraceFilters {
  const { tag, ...rest } = withFixedTime(pickFilters(search), nowMs)
  return { ...rest, ...(tag === undefined ? {} : { tag: [...tag] }) }
}
