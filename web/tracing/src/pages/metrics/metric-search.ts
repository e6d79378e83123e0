import { metricKind } from '@assay/contract/metrics.ts'
import { z } from 'zod'
import type { MetricParams } from '../../api/metrics.ts'
import { timedSearchSchema, timeOf, withFixedTime } from '../../filter/time-range.ts'
import { allowEmpty, type SearchOf, text } from '../../search-schema.ts'
import { readings } from './metric-readings.ts'

/*
 * The state of the metrics page, as URL search parameters.
 */

export const metricSearch = timedSearchSchema({
  metric: text,
  kind: metricKind,
  /** Can be empty, for metrics without a unit. */
  unit: allowEmpty(z.string()),
  service: text,
  /** Attribute filters as a JSON object of strings. */
  where: text.transform((json) => formatWhere(parseWhere(json))),
  /** Groups series by this attribute, or by `service`. */
  group: text,
  show: z.enum(readings),
  /** Filters the list of metrics. */
  find: text,
})
export type MetricSearch = SearchOf<typeof metricSearch>

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

export const defaultRange = '1h'

const roundSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200]
const daySeconds = 86_400
const targetSteps = 90

/** Aligns the range to round steps; a relative range is resolved against `nowMs`. */
export function toQueryParams(search: MetricSearch, nowMs: number): MetricParams {
  const { service, where } = search
  const time = withFixedTime(timeOf(search, defaultRange), nowMs)
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
