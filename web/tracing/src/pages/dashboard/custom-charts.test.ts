import { expect, test } from 'vitest'
import {
  type CustomChart,
  formatChartTitle,
  formatCustomCharts,
  parseCustomCharts,
} from './custom-charts.ts'
import { measureIds } from './measures.ts'

test.each([
  ['survives a round trip', 'cost.time.bar,p90.time.line', 'cost.time.bar,p90.time.line'],
  ['keeps its order', 'runs.model.bar,cost.time.bar', 'runs.model.bar,cost.time.bar'],
  ['drops duplicates', 'cost.time.bar,cost.time.bar', 'cost.time.bar'],
  ['drops unknown parts', 'cost.time.bar,moon.time.bar,cost.color.bar,x', 'cost.time.bar'],
  ['uses bars for groups', 'cost.model.line', 'cost.model.bar'],
  ['may be empty', '', ''],
  ['ignores names of inherited properties', 'constructor.time.bar,toString.time.bar', ''],
])('a list of charts %s', (_what, text, expected) => {
  expect(formatCustomCharts(parseCustomCharts(text))).toBe(expected)
})

test('charts as text are read back as the same text, also when one was added twice or too many', () => {
  const charts = (['bar', 'line'] as const).flatMap((form): CustomChart[] =>
    measureIds.map((measure) => ({ measure, split: 'time', form })),
  )
  for (const added of [[charts[0]!, charts[0]!], charts]) {
    const text = formatCustomCharts(added)
    expect(formatCustomCharts(parseCustomCharts(text))).toBe(text)
  }
})

test('a chart is titled by its measure and groups', () => {
  expect(parseCustomCharts('cost.time.bar,cost.model.bar').map(formatChartTitle)).toEqual([
    ...['Cost', 'Cost by model'],
  ])
})
