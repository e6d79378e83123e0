import { allowEmpty, jsonText, oneOf, text, textThat } from '@assay/account/routes/search-fields.ts'
import { omitUndefined, updateSearch } from '@assay/account/routes/search-params.ts'
import { type SearchOf } from '@assay/account/routes/search-schema.ts'
import { metricKinds } from '@assay/contract/metrics.ts'
import type { MetricParams } from '../../api/metrics.ts'
import { pickTime, timedSearchSchema, withFixedTime } from '../../filter/time-range.ts'
import { type Aggregation, aggregationLabels } from './metric-aggregations.ts'

/*
 * The state of the metrics page, as URL search parameters.
 */

/** The service of a series as a label. Attributes have a prefix, because one can be called `service` too. */
export const serviceLabel = 'service'
const attributePrefix = 'attribute.'

export function attributeLabel(name: string): string {
  return `${attributePrefix}${name}`
}

function toAttributeName(label: string): string {
  return label.slice(attributePrefix.length)
}

/** The name of a label on the page. */
export function formatLabel(label: string): string {
  if (label === serviceLabel) return label
  const name = toAttributeName(label)
  return name === serviceLabel ? `${name} (attribute)` : name
}

type TextByName = Readonly<Record<string, string>>

function isTextByName(value: unknown): value is TextByName {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((one) => typeof one === 'string')
}

export const metricSearch = timedSearchSchema({
  metric: text,
  kind: oneOf(metricKinds),
  /** Can be empty, for metrics without a unit. */
  unit: allowEmpty(text),
  service: text,
  /** Attribute filters. */
  where: jsonText(isTextByName),
  /** Groups series by this label. */
  group: textThat((label) => label === serviceLabel || label.startsWith(attributePrefix)),
  show: oneOf(Object.keys(aggregationLabels) as Aggregation[]),
  /** Filters the list of metrics. */
  find: text,
})
export type MetricSearch = SearchOf<typeof metricSearch>

export const defaultRange = '1h'

/** What the parts of a page for one metric need. */
export interface ViewProps {
  readonly projectId: string
  readonly name: string
  readonly search: MetricSearch
  readonly onChange: (next: MetricSearch) => void
}

/** Metrics of several kinds and units can share a name. */
export function isChosen(
  { metric, kind, unit }: MetricSearch,
  one: { readonly name: string; readonly kind: string; readonly unit: string },
): boolean {
  const isKind = kind === undefined || kind === one.kind
  return metric === one.name && isKind && (unit === undefined || unit === one.unit)
}

/** The active filters by label. */
export function labelFilters({ service, where = {} }: MetricSearch): ReadonlyMap<string, string> {
  const attributes = Object.entries(where).map(
    ([name, value]) => [attributeLabel(name), value] as const,
  )
  return new Map(service === undefined ? attributes : [[serviceLabel, service], ...attributes])
}

/** Sets or removes a filter by label. */
export function withLabel(
  search: MetricSearch,
  label: string,
  value: string | undefined,
): MetricSearch {
  if (label === serviceLabel) return updateSearch(search, { service: value })
  const { [toAttributeName(label)]: _, ...others } = search.where ?? {}
  const where = value === undefined ? others : { ...others, [toAttributeName(label)]: value }
  return updateSearch(search, { where: Object.keys(where).length === 0 ? undefined : where })
}

const roundSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200]
const daySeconds = 86_400
const targetSteps = 90

/** Aligns the range to round steps; a relative range is resolved against `nowMs`. */
export function toQueryParams(search: MetricSearch, nowMs: number): MetricParams {
  const { service, where = {} } = search
  const time = withFixedTime(pickTime(search, defaultRange), nowMs)
  const toMs = time.to === undefined ? nowMs : Date.parse(time.to)
  const fromMs = time.from === undefined ? toMs - 3_600_000 : Date.parse(time.from)
  const minStepSeconds = Math.max(1, (toMs - fromMs) / 1000 / targetSteps)
  const step =
    roundSteps.find((one) => one >= minStepSeconds) ??
    Math.ceil(minStepSeconds / daySeconds) * daySeconds
  const stepMs = step * 1000
  return {
    from: new Date(Math.floor(fromMs / stepMs) * stepMs).toISOString(),
    to: new Date(Math.ceil(toMs / stepMs) * stepMs).toISOString(),
    step,
    ...omitUndefined({ service }),
    attribute: Object.entries(where).map(([name, value]) => `${name}=${value}`),
  }
}
