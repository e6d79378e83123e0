import type { TraceFilters } from '@assay/contract/traces.ts'

/*
 * What the trace list is narrowed by, as it stands in the address.
 */

export const ranges = {
  '15m': { label: 'Last 15 minutes', durationMs: 15 * 60_000 },
  '1h': { label: 'Last hour', durationMs: 3_600_000 },
  '24h': { label: 'Last 24 hours', durationMs: 86_400_000 },
  '7d': { label: 'Last 7 days', durationMs: 7 * 86_400_000 },
  '30d': { label: 'Last 30 days', durationMs: 30 * 86_400_000 },
} as const

export type Range = keyof typeof ranges

export interface TraceSearch {
  readonly status?: 'OK' | 'ERROR'
  readonly name?: string
  /** Reaches back from now; gives way to `from` and `to`. */
  readonly range?: Range
  readonly from?: string
  readonly to?: string
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
  const { status, range, live } = search
  const from = instantIn(search['from'])
  const to = instantIn(search['to'])
  const isCustom = from !== undefined || to !== undefined
  return {
    ...(status === 'OK' || status === 'ERROR' ? { status } : {}),
    ...texts(search),
    ...(!isCustom && isRange(range) ? { range } : {}),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
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

function isRange(value: unknown): value is Range {
  return typeof value === 'string' && Object.hasOwn(ranges, value)
}

function instantIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString()
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
  const { range, ...filters } = narrowing(search)
  if (range === undefined) return filters
  return { ...filters, from: new Date(nowMs - ranges[range].durationMs).toISOString() }
}
