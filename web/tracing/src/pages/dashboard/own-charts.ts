import { isMeasure, type MeasureId } from './measures.ts'
import { type Split, splits } from './stats-groups.ts'

/*
 * The charts that a person put together, as they stand in the address and are kept in the browser:
 * `cost.time.bar,runs.model.bar`.
 */

export const forms = ['bar', 'line'] as const

export interface OwnChart {
  readonly measure: MeasureId
  /** Over time, or by what traces have in common. */
  readonly split: 'time' | Split
  /** How it is drawn over time; what is split otherwise is always bars. */
  readonly form: (typeof forms)[number]
}

const maxCharts = 12

/** The charts that a text names; what it does not understand is left out, and what it names twice is one. */
export function parseOwnCharts(text: string): readonly OwnChart[] {
  const charts = text.split(',').flatMap((code) => parseOne(code) ?? [])
  const byCode = new Map(charts.map((chart) => [codeOf(chart), chart]))
  return [...byCode.values()].slice(0, maxCharts)
}

function parseOne(code: string): OwnChart | undefined {
  const [measure = '', splitText = '', formText = ''] = code.split('.')
  const split = (['time', ...splits] as const).find((one) => one === splitText)
  const form = forms.find((one) => one === formText)
  if (!isMeasure(measure) || split === undefined || form === undefined) return undefined
  return { measure, split, form: split === 'time' ? form : 'bar' }
}

export function codeOf({ measure, split, form }: OwnChart): string {
  return `${measure}.${split}.${form}`
}

export function formatOwnCharts(charts: readonly OwnChart[]): string {
  return charts.map(codeOf).join(',')
}
