import { type Field, mapped, oneOf, text } from '@assay/account/routes/search-fields.ts'
import { omitUndefined } from '@assay/account/routes/search-params.ts'
import { type SearchOfFields, searchSchema } from '@assay/account/routes/search-schema.ts'

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

/** The years that a timestamp of the API can have: see `requestTimestamp` in the contract. */
const [firstTime, endOfTime] = ['1970', '2262']

/** In any format that browsers parse; normalized to ISO 8601 in UTC. */
const instant = mapped(text, (given) => {
  if (Number.isNaN(Date.parse(given))) return undefined
  const time = new Date(given).toISOString()
  return time >= firstTime && time < endOfTime ? time : undefined
})

const timeFields = {
  /** Relative to now; `from` and `to` take precedence. */
  range: oneOf(Object.keys(ranges) as Range[]),
  from: instant,
  to: instant,
}

export type TimeSearch = SearchOfFields<typeof timeFields>

/** The parameters of a page with a time range. */
export function timedSearchSchema<Fields extends Readonly<Record<string, Field<unknown>>>>(
  fields: Fields,
) {
  return searchSchema({ ...fields, ...timeFields }, ({ range, ...rest }) => {
    const isFixed = rest['from'] !== undefined || rest['to'] !== undefined
    return isFixed || range === undefined ? rest : { ...rest, range }
  })
}

/** Replaces the time range and keeps the other parameters. */
export function withTime<Search extends TimeSearch>(search: Search, time: TimeSearch): Search {
  const { range: _, from: __, to: ___, ...rest } = search
  return { ...rest, ...time } as Search
}

export function timeBetween(fromMs: number, toMs: number): TimeSearch {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
}

/** The chosen time range, or a default one. */
export function pickTime({ range, from, to }: TimeSearch, defaultRange?: Range): TimeSearch {
  const isFixed = from !== undefined || to !== undefined
  return omitUndefined(isFixed ? { from, to } : { range: range ?? defaultRange })
}

/** Whether the range ends before it starts; an open end is `nowMs`. */
export function isBackward({ from, to }: TimeSearch, nowMs: number): boolean {
  return from !== undefined && Date.parse(from) >= (to === undefined ? nowMs : Date.parse(to))
}

/** Resolves a relative range to a `from` before `nowMs`. */
export function withFixedTime<Search extends TimeSearch>(
  { range, ...rest }: Search,
  nowMs: number,
): Omit<Search, 'range'> {
  if (range === undefined) return rest
  return { ...rest, from: new Date(nowMs - ranges[range].durationMs).toISOString() }
}

/** Stands for an open start where a request needs one: no trace is older. */
export const earliestStart = '2000-01-01T00:00:00.000Z'
