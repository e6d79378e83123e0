import { isMeasure, type MeasureId, measures } from './measures.ts'
import { type Split, splits } from './stats-groups.ts'

/*
 * The user's own charts as text, for the URL and saved views: `cost.time.bar,runs.model.bar`.
 */

export const forms = ['bar', 'line'] as const

export interface CustomChart {
  readonly measure: MeasureId
  /** Over time, or by group. */
  readonly split: 'time' | Split
  /** For charts over time; groups are always bars. */
  readonly form: (typeof forms)[number]
}

const maxCharts = 12

/** Drops unknown charts and duplicates. */
export function parseCustomCharts(text: string): readonly CustomChart[] {
  const charts = text.split(',').flatMap((code) => parseOne(code) ?? [])
  const byCode = new Map(charts.map((chart) => [serializeChart(chart), chart]))
  return [...byCode.values()].slice(0, maxCharts)
}

function parseOne(code: string): CustomChart | undefined {
  const [measure = '', splitText = '', formText = ''] = code.split('.')
  const split = (['time', ...splits] as const).find((one) => one === splitText)
  const form = forms.find((one) => one === formText)
  if (!isMeasure(measure) || split === undefined || form === undefined) return undefined
  return { measure, split, form: split === 'time' ? form : 'bar' }
}

export function serializeChart({ measure, split, form }: CustomChart): string {
  return `${measure}.${split}.${form}`
}

/** The text that `parseCustomCharts` reads back whole: without duplicates, and no more than it keeps. */
export function formatCustomCharts(charts: readonly CustomChart[]): string {
  return [...new Set(charts.map(serializeChart))].slice(0, maxCharts).join(',')
}

const splitLabels = {
  name: 'by name',
  model: 'by model',
  environment: 'by environment',
  tag: 'by tag',
} as const

export function formatChartTitle({ measure, split }: CustomChart): string {
  const { label } = measures[measure]
  return split === 'time' ? label : `${label} ${splitLabels[split]}`
}
