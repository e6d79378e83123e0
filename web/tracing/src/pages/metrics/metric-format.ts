import { limits } from '@assay/contract/limits.ts'
import type { Metric } from '@assay/contract/metrics.ts'
import { formatBytes } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import type { Aggregation } from './metric-aggregations.ts'

/*
 * Formats metric values with UCUM units, as used by OpenTelemetry.
 */

const plain = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 })
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

const durationsMs = new Map(
  Object.entries({ ns: 1e-6, us: 1e-3, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }),
)

const sizesBytes = new Map(
  Object.entries({
    By: 1,
    kBy: 1e3,
    MBy: 1e6,
    GBy: 1e9,
    KiBy: 2 ** 10,
    MiBy: 2 ** 20,
    GiBy: 2 ** 30,
  }),
)

/** `0.5`, `1,234`, `12.3K`. */
function formatNumber(value: number): string {
  return Math.abs(value) < 10_000 ? plain.format(value) : compact.format(value)
}

/** `1.24 s`, `3.2 MB`, `12%`, `7 requests`. */
export function formatInUnit(value: number, unit: string): string {
  const durationMs = durationsMs.get(unit)
  if (durationMs !== undefined) {
    return `${value < 0 ? '−' : ''}${formatDuration(Math.abs(value) * durationMs)}`
  }
  const sizeBytes = sizesBytes.get(unit)
  if (sizeBytes !== undefined && value >= 0) return formatBytes(value * sizeBytes)
  if (unit === '%') return `${formatNumber(value)}%`
  return appendUnit(value, unit)
}

function appendUnit(value: number, unit: string): string {
  const number = formatNumber(value)
  const word = formatUnit(unit)
  if (word === '') return number
  // Only `{run}` is a noun; those whose plural is not certain stay as they are.
  const isPlural = value !== 1 && /^\{[a-z_ ]*[a-z][^sxyz\W](?<![cs]h)\}$/.test(unit)
  return `${number} ${word}${isPlural ? 's' : ''}`
}

/** `{request}` becomes `request`, `1` becomes empty. */
function formatUnit(unit: string): string {
  return unit === '1' ? '' : unit.replaceAll(/[{}]/g, '')
}

/** Formats an aggregation: rates per second, counts without a unit. */
export function getFormatter(aggregation: Aggregation, unit: string): (value: number) => string {
  if (aggregation === 'count') return formatNumber
  if (aggregation === 'rate') return (value) => `${formatNumber(value)}/s`
  return (value) => formatInUnit(value, unit)
}

/** `histogram, in ms` */
export function formatKind({ kind, unit }: Pick<Metric, 'kind' | 'unit'>): string {
  const word = formatUnit(unit)
  return word === '' ? kindLabels[kind] : `${kindLabels[kind]}, in ${word}`
}

const kindLabels = {
  gauge: 'gauge',
  sum: 'sum',
  histogram: 'histogram',
  exponential_histogram: 'histogram',
  summary: 'summary',
} as const satisfies Readonly<Record<Metric['kind'], string>>

/** With a plus sign where not all are counted. */
export function formatSeriesCount(count: number): string {
  const { value: most } = limits.metricSeriesCounted
  return count < most ? `${count}` : `${most.toLocaleString('en-US')}+`
}
