import { expect, test } from 'vitest'
import { formatCustomCharts, parseCustomCharts } from './custom-charts.ts'

test.each([
  ['is read back as it was written', 'cost.time.bar,p90.time.line', 'cost.time.bar,p90.time.line'],
  ['keeps its order', 'runs.model.bar,cost.time.bar', 'runs.model.bar,cost.time.bar'],
  ['names a chart once', 'cost.time.bar,cost.time.bar', 'cost.time.bar'],
  [
    'loses what nobody understands',
    'cost.time.bar,moon.time.bar,cost.color.bar,x',
    'cost.time.bar',
  ],
  ['draws bars of what is no time', 'cost.model.line', 'cost.model.bar'],
  ['may be empty', '', ''],
  ['knows nothing that only objects have', 'constructor.time.bar,toString.time.bar', ''],
])('a list of own charts %s', (_what, text, expected) => {
  expect(formatCustomCharts(parseCustomCharts(text))).toBe(expected)
})
