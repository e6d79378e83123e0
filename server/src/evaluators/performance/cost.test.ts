import { expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { cost } from './cost.ts'

const evaluate = (
  totals: { readonly cost_usd: number | null; readonly tokens_in?: number },
  attributes: Readonly<Record<string, unknown>> = {},
  calls: Parameters<typeof sampleView>[0] = [{ kind: 'llm', name: 'chat' }],
) => cost.evaluate(sampleView([{ kind: 'agent', attributes }, ...calls], totals), { siblings: [] })

test.each([
  [{ cost_usd: 0.1 }, {}, 1],
  [{ cost_usd: 0.2 }, {}, 0.5],
  [{ cost_usd: 0.2 }, { 'eval.max_cost_usd': 0.4 }, 1],
  [{ cost_usd: 0.2 }, { 'eval.max_cost_usd': '0.05' }, 0.25],
  [{ cost_usd: 0.2 }, { 'eval.max_cost_usd': 'cheap' }, 0.5],
  [{ cost_usd: 0, tokens_in: 100 }, {}, 1],
  [{ cost_usd: null, tokens_in: 400 }, { 'eval.max_tokens': 100 }, 0.25],
  [{ cost_usd: 0.2, tokens_in: 400 }, { 'eval.max_tokens': 100 }, 0.25],
])('%j with the budget %j scores %f', (totals, attributes, score) => {
  expect(evaluate(totals, attributes)).toMatchObject({ status: 'scored', score })
})

test('a trace over its budget names its most expensive call', () => {
  const calls = [
    { kind: 'llm', name: 'cheap', cost_usd: 0.01 },
    { kind: 'llm', name: 'dear', cost_usd: 0.3 },
  ]
  expect(evaluate({ cost_usd: 0.31 }, {}, calls)).toMatchObject({
    issues: ['The trace cost $0.31, more than its budget of $0.10.'],
    evidence: [
      { spanId: 's2', quote: 'dear' },
      { spanId: 's1', quote: 'cheap' },
    ],
  })
})

test('context that was sent again and read from the cache is reported', () => {
  const first = [{ role: 'user', content: 'x'.repeat(100) }]
  const second = [...first, { role: 'user', content: 'y'.repeat(100) }]
  const calls = [
    { kind: 'llm', input: { messages: first }, tokens_in: 100 },
    { kind: 'llm', input: { messages: second }, tokens_in: 100, tokens_cache_read: 50 },
  ]
  expect(evaluate({ cost_usd: 0 }, {}, calls).reasoning).toContain(
    '33% of the context was sent again, and 25% of the input was read from the cache.',
  )
})

test('a trace without a cost is not evaluated unless it has a budget of tokens', () => {
  expect(evaluate({ cost_usd: null, tokens_in: 400 }).status).toBe('not_applicable')
})
