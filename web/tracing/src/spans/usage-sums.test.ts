import { expect, test } from 'vitest'
import { sampleSpan } from '../../test/sample-span.ts'
import { buildTree } from './span-tree.ts'
import { sumUsage } from './usage-sums.ts'

const call = (id: string, parent: string, changes = {}) =>
  sampleSpan(id, parent, {
    ...{ kind: 'llm', model: 'm', tokens_in: 100, tokens_out: 10, cost_usd: 0.1 },
    ...changes,
  })

const tree = buildTree([
  // An agent that repeats the sums of its calls.
  sampleSpan('agent', null, { tokens_in: 300, tokens_out: 30, cost_usd: 0.3 }),
  call('plan', 'agent'),
  sampleSpan('search', 'agent'),
  call('rank', 'search'),
  call('in-house', 'search', { cost_usd: null }),
  sampleSpan('write', 'agent'),
])
const sums = sumUsage(tree)
const sumOf = (...ids: readonly string[]) =>
  sums?.(ids.map((id) => tree.positionById.get(id) ?? -1))

test('the usage of a branch counts each call once, though spans above repeat the sums', () => {
  expect(sumOf('agent')).toEqual({
    ...{ tokensIn: 300, tokensOut: 30, costUsd: 0.2 },
    ...{ model_call_count: 3, unpriced_call_count: 1 },
  })
})

test('the usage of a group is that of its members and all below them', () => {
  expect(sumOf('plan', 'search')).toEqual(sumOf('agent'))
  expect(sumOf('search')).toEqual({
    ...{ tokensIn: 200, tokensOut: 20, costUsd: 0.1 },
    ...{ model_call_count: 2, unpriced_call_count: 1 },
  })
})

test('the cost of calls without any price is unknown, not zero', () => {
  expect(sumOf('in-house')?.costUsd).toBeNull()
  const free = buildTree([call('free', '', { parent_span_id: null, cost_usd: 0 })])
  expect(sumUsage(free)?.([0])?.costUsd).toBe(0)
})

test('a branch or a trace without usage has none', () => {
  expect(sumOf('write')).toBeUndefined()
  expect(sumUsage(buildTree([sampleSpan('only', null)]))).toBeUndefined()
})
