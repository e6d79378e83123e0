/*
 * When something happened, as it stands in the address: back from now, or between two instants.
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
  /** Reaches back from now; gives way to `from` and `to`. */
  readonly range?: Range
  readonly from?: string
  readonly to?: string
}

/** Takes from an address what it understands and drops the rest, so that an old link still opens. */
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

/** The filters to ask the service with: a relative range becomes a `from`, counted back from `nowMs`. */
export function withFixedTime<Search extends TimeSearch>(
  { range, ...rest }: Search,
  nowMs: number,
): Omit<Search, 'range'> {
  if (range === undefined) return rest
  return { ...rest, from: new Date(nowMs - ranges[range].durationMs).toISOString() }
}
