import { expect, test } from 'vitest'
import { measures } from './measures.ts'
import { type Group, ranked, toTraceSearch } from './stats-groups.ts'

const aggregates = {
  ...{ count: 1, error_count: 0, model_call_count: 1, unpriced_call_count: 0 },
  ...{ tokens_in: 0, tokens_out: 0, cost_usd: 0, latency_ms: { p50: null, p90: null, p99: null } },
}
const group = (value: string, own: Partial<Group['aggregates']>): Group => ({
  value,
  aggregates: { ...aggregates, ...own },
})

test('groups are sorted by a metric, then by name, with unknown values last', () => {
  const groups = [
    group('unknown', { unpriced_call_count: 1 }),
    group('b', { cost_usd: 0 }),
    group('a', { cost_usd: 0 }),
    group('expensive', { cost_usd: 9 }),
  ]
  const names = ranked(groups, measures.cost).map(({ value }) => value)
  expect(names).toEqual(['expensive', 'a', 'b', 'unknown'])
})

test('a group links to its traces in the time range, a group without a name does not', () => {
  const time = { from: '2026-11-20T10:00:00Z', to: '2026-11-21T10:00:00Z' }
  expect(toTraceSearch('model', 'gpt-5', time, {})).toEqual({ ...time, model: 'gpt-5' })
  expect(toTraceSearch('tag', 'eu', time, { name: 'pay' })).toEqual({
    ...time,
    name: 'pay',
    tag: ['eu'],
  })
  expect(toTraceSearch('environment', null, time, {})).toBeUndefined()
})
