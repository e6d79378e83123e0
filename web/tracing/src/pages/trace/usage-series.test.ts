import type { ListedSpan } from '@assay/contract/traces.ts'
import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../../test/sample-span.ts'
import { buildTree } from '../../spans/span-tree.ts'
import { usageSeries } from './usage-series.ts'

const startMs = Date.UTC(2026, 10, 20, 10)
const at = (ms: number) => new Date(startMs + ms).toISOString()

function used(id: string, parent: string | null, endMs: number, usage: Partial<ListedSpan>) {
  return sampleSpan(id, parent, { ended_at: at(endMs), ...usage })
}

const series = (spans: readonly ListedSpan[], most = 100) =>
  usageSeries(buildTree(spans), startMs, most)

describe('usage over time', () => {
  test('accumulates in the order in which calls ended, not started', () => {
    const { points } = series([
      used('slow', null, 30, { tokens_in: 5, tokens_out: 1, cost_usd: 0.5 }),
      used('quick', null, 10, { tokens_in: 2, tokens_out: 3, cost_usd: 0.25 }),
    ])
    expect(points).toMatchObject([
      { spanId: 'quick', atMs: 10, totalIn: 2, totalOut: 3, totalUsd: 0.25 },
      { spanId: 'slow', atMs: 30, totalIn: 7, totalOut: 4, totalUsd: 0.75 },
    ])
  })

  test('counts totals repeated by an agent only once, separately for tokens and cost', () => {
    const { points } = series([
      used('agent', null, 50, { tokens_in: 9, tokens_out: 9, cost_usd: 0.1 }),
      used('call', 'agent', 20, { tokens_in: 9, tokens_out: 9 }),
    ])
    expect(points.at(-1)).toMatchObject({ totalIn: 9, totalOut: 9, totalUsd: 0.1 })
    expect(points.map(({ spanId }) => spanId)).toEqual(['call', 'agent'])
  })

  test('counts the model calls that used tokens, like the dashboard, and those without a price', () => {
    const call = { model: 'm', tokens_in: 1 }
    const priced = used('priced', 'agent', 1, { ...call, cost_usd: 0 })
    const unpriced = used('unpriced', 'agent', 2, call)
    const others = [
      used('agent', null, 3, { ...call, tokens_in: 2 }),
      used('failed', 'agent', 3, { ...call, tokens_in: 0, status: 'ERROR' }),
      used('no tokens', 'agent', 3, { model: 'm', tokens_in: null }),
      used('no model', 'agent', 3, { tokens_in: 1 }),
    ]
    expect(series([priced, unpriced, ...others])).toMatchObject({
      calls: { model_call_count: 2, unpriced_call_count: 1 },
      isCostUnknown: false,
    })
    expect(series([unpriced, ...others])).toMatchObject({
      calls: { model_call_count: 1, unpriced_call_count: 1 },
      isCostUnknown: true,
    })
  })

  test('merges neighboring points of a long trace without losing totals and links to the costliest', () => {
    const spans = Array.from({ length: 1000 }, (_, n) =>
      used(`s${n}`, null, n, { tokens_in: 1, cost_usd: n === 777 ? 2 : 1 }),
    )
    const { points } = series(spans, 10)
    expect(points).toHaveLength(10)
    expect(points.at(-1)).toMatchObject({ totalIn: 1000, totalUsd: 1001, atMs: 999 })
    expect(points[7]?.spanId).toBe('s777')
  })
})
