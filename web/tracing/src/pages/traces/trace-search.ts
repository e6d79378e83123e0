import type { TraceFilters } from '@assay/contract/traces.ts'
import { parseTimeSearch, type TimeSearch, withFixedTime } from '../../filter/time-range.ts'

/*
 * What the trace list is narrowed by, as it stands in the address.
 */

export interface TraceSearch extends TimeSearch {
  readonly status?: 'OK' | 'ERROR'
  readonly name?: string
  readonly environment?: string
  readonly service?: string
  readonly session_id?: string
  readonly user_id?: string
  /** Present when following new traces was switched off. */
  readonly live?: 'off'
}

const textFilters = ['name', 'environment', 'service', 'session_id', 'user_id'] as const

/** Takes from an address what it understands and drops the rest, so that an old link still opens. */
export function parseTraceSearch(search: Readonly<Record<string, unknown>>): TraceSearch {
  const { status, live } = search
  return {
    ...(status === 'OK' || status === 'ERROR' ? { status } : {}),
    ...texts(search),
    ...parseTimeSearch(search),
    ...(live === 'off' ? { live } : {}),
  }
}

function texts(search: Readonly<Record<string, unknown>>): Partial<TraceSearch> {
  const found: Record<string, string> = {}
  for (const name of textFilters) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') found[name] = value
  }
  return found
}

/** The members that narrow the list, without how the page behaves. */
export function narrowing({ live: _, ...filters }: TraceSearch): Omit<TraceSearch, 'live'> {
  return filters
}

export function isNarrowed(search: TraceSearch): boolean {
  return Object.keys(narrowing(search)).length > 0
}

/** The filters to ask the service with, a relative range counted back from `nowMs`. */
export function filtersOf(search: TraceSearch, nowMs: number): TraceFilters {
  return withFixedTime(narrowing(search), nowMs)
}
