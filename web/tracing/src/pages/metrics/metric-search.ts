import { metricKind } from '@assay/contract/metrics.ts'
import type { MetricParams } from '../../api/metrics.ts'
import { parseTimeSearch, type TimeSearch, withFixedTime } from '../../filter/time-range.ts'
import { parseTextParam } from '../../search-params.ts'
import { type Reading, readings } from './metric-readings.ts'

/*
 * The state of the metrics page, as URL search parameters.
 */

export interface MetricSearch extends TimeSearch {
  readonly metric?: string
  readonly kind?: MetricKind
  readonly unit?: string
  readonly service?: string
  /** Attribute filters as a JSON object of strings. */
  readonly where?: string
  /** Groups series by this attribute, or by `service`. */
  readonly group?: string
  readonly show?: Reading
  /** Filters the list of metrics. */
  readonly find?: string
}

type MetricKind = (typeof metricKind)['options'][number]

/** Drops unknown and invalid parameters, so that old links still open. */
export function parseMetricSearch(search: Readonly<Record<string, unknown>>): MetricSearch {
  const kind = metricKind.options.find((one) => one === search['kind'])
  const show = readings.find((one) => one === search['show'])
  const { unit } = search
  const found: Record<string, string> = {}
  for (const name of ['metric', 'service', 'group', 'find'] as const) {
    const value = parseTextParam(search, name)
    if (value !== undefined) found[name] = value
  }
  const where = formatWhere(parseWhere(parseTextParam(search, 'where')))
  return {
    ...parseTimeSearch(search),
    ...found,
    ...(kind === undefined ? {} : { kind }),
    ...(typeof unit === 'string' ? { unit } : {}),
    ...(where === undefined ? {} : { where }),
    ...(show === undefined ? {} : { show }),
  }
}

export type Where = Readonly<Record<string, string>>

export function parseWhere(text: string | undefined): Where {
  if (text === undefined) return {}
  const value = jsonOf(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

function formatWhere(where: Where): string | undefined {
  return Object.keys(where).length === 0 ? undefined : JSON.stringify(where)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sets or removes an attribute filter. */
export function withWhere(
  search: MetricSearch,
  name: string,
  value: string | undefined,
): MetricSearch {
  const { where: text, ...rest } = search
  const { [name]: _, ...others } = parseWhere(text)
  const where = formatWhere(value === undefined ? others : { ...others, [name]: value })
  return where === undefined ? rest : { ...rest, where }
}

/** The label name of the service. */
export const serviceKey = 'service'

/** Adds a filter by service or attribute. */
export function withLabel(search: MetricSearch, name: string, value: string): MetricSearch {
  return name === serviceKey ? { ...search, service: value } : withWhere(search, name, value)
}

/** Defaults to the last hour. */
export function timeOf({ range, from, to }: MetricSearch): TimeSearch {
  if (from === undefined && to === undefined) return { range: range ?? '1h' }
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

const roundSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200]
const daySeconds = 86_400
const targetSteps = 90

/** Aligns the range to round steps; a relative range is resolved against `nowMs`. */
export function toQueryParams(search: MetricSearch, nowMs: number): MetricParams {
  const { service, where } = search
  const time = withFixedTime(timeOf(search), nowMs)
  const toMs = time.to === undefined ? nowMs : Date.parse(time.to)
  const fromMs = time.from === undefined ? toMs - 3_600_000 : Date.parse(time.from)
  const minStepSeconds = Math.max(1, (toMs - fromMs) / 1000 / targetSteps)
  const step =
    roundSteps.find((one) => one >= minStepSeconds) ??
    Math.ceil(minStepSeconds / daySeconds) * daySeconds
  const stepMs = step * 1000
  const attribute = Object.entries(parseWhere(where)).map(([name, value]) => `${name}=${value}`)
  return {
    from: new Date(Math.floor(fromMs / stepMs) * stepMs).toISOString(),
    to: new Date(Math.ceil(toMs / stepMs) * stepMs).toISOString(),
    step,
    ...(service === undefined ? {} : { service }),
    ...(attribute.length === 0 ? {} : { attribute }),
  }
}
