/*
 * A relative or absolute time range, as URL search parameters.
 */

export const ranges = {
  '15m': { label: 'Last 15 minutes', durationMs: 15 * 60_000 },
  '1h': { label: 'Last hour', durationMs: 3_600_000 },
  '24h': { label: 'Last 24 hours', durationMs: 86_400_000 },
  '7d': { label: 'Last 7 days', durationMs: 7 * 86_400_000 },
  '30d': { label: 'Last 30 days', durationMs: 30 * 86_400_000 },
} as const

export type Range = keyof typeof ranges

export interface TimeSearch {
  /** Relative to now; `from` and `to` take precedence. */
  readonly range?: Range
  readonly from?: string
  readonly to?: string
}

/** Drops invalid parameters, so that old links still open. */
export function parseTimeSearch(search: Readonly<Record<string, unknown>>): TimeSearch {
  const { range } = search
  const from = parseInstant(search['from'])
  const to = parseInstant(search['to'])
  const isCustom = from !== undefined || to !== undefined
  return {
    ...(!isCustom && isRange(range) ? { range } : {}),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }
}

function isRange(value: unknown): value is Range {
  return typeof value === 'string' && Object.hasOwn(ranges, value)
}

function parseInstant(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString()
}

/** Resolves a relative range to a `from` before `nowMs`. */
export function withFixedTime<Search extends TimeSearch>(
  { range, ...rest }: Search,
  nowMs: number,
): Omit<Search, 'range'> {
  if (range === undefined) return rest
  return { ...rest, from: new Date(nowMs - ranges[range].durationMs).toISOString() }
}
