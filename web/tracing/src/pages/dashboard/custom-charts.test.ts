import { expect, test } from 'vitest'
import { formatCustomCharts, parseCustomCharts } from './custom-charts.ts'

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
