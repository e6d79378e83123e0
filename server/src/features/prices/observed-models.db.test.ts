import { listObservedModels } from '@assay/contract/prices.ts'
import { describe, expect, test } from 'vitest'
import { prices, pricingSuite } from '../../../test/pricing-suite.ts'

const { create, ingest, ingested, inProject, owner, service } = pricingSuite()

describe('GET …/prices/models', () => {
  const observedModels = (query: object = {}) =>
    service.call(listObservedModels, { params: inProject(), query }, owner)

  test('lists recently called models with their current price, unpriced ones first', async () => {
    const now = new Date().toISOString()
    const recent = { started_at: now }
    await ingested({ ...recent, model: 'acme-7b' }, 'a')
    await ingested({ ...recent, provider: 'openai' }, 'b')
    await ingested({ ...recent, provider: 'openai', cost_usd: 1 }, 'c')
    await ingested({ model: 'long-ago', started_at: '2026-01-01T00:00:00Z' }, 'd')
    const own = await create('project', { model: 'acme-*', ...prices })
    const response = await observedModels()
    expect(response.meta).toEqual({ trace_count: 3, is_complete: true })
    expect(response.data).toMatchObject([
      {
        ...{ model: 'acme-7b', provider: null, service_tier: null, last_seen_at: now },
        ...{ span_count: 1, unpriced_call_count: 1, cost_usd: null, compared: null },
        resolved: { price: { rule_id: own.data.id } },
      },
      {
        ...{ model: 'gpt-4o', provider: 'openai', span_count: 2, unpriced_call_count: 0 },
        cost_usd: 1.0035,
        compared: { span_count: 1, reported_usd: 1, computed_usd: 0.0035 },
        resolved: { price: { source: 'list:openai/gpt-4o' } },
      },
    ])
    const old = await observedModels({ from: '2025-12-31T00:00:00Z', to: '2026-02-01T00:00:00Z' })
    expect(old.data.map(({ model }) => model)).toEqual(['long-ago'])
  })

  test('counts usage once where an agent repeats that of the calls below it', async () => {
    const started_at = new Date().toISOString()
    const agent = { span_id: 'agent', kind: 'agent', started_at, model: 'acme-7b' }
    const step = { span_id: 'step', kind: 'chain', parent_span_id: 'agent', started_at }
    const usage = { tokens_in: 2000, tokens_out: 200 }
    const below = { started_at, parent_span_id: 'step' }
    await ingest('a', [
      { ...agent, ...usage },
      { ...step, model: undefined, tokens_in: undefined, tokens_out: undefined },
      { ...below, span_id: 'a', model: 'acme-7b' },
      { ...below, span_id: 'b' },
    ])
    await ingest('b', [
      { ...agent, ...usage, model: 'gpt-4o', cost_usd: 0.007 },
      { ...below, span_id: 'a', parent_span_id: 'agent' },
      { ...below, span_id: 'b', parent_span_id: 'agent' },
    ])
    expect((await observedModels()).data).toMatchObject([
      { model: 'acme-7b', span_count: 1, model_call_count: 1, unpriced_call_count: 1 },
      {
        ...{ model: 'gpt-4o', span_count: 3, model_call_count: 3, unpriced_call_count: 0 },
        ...{ cost_usd: 0.0105, compared: null },
      },
    ])
  })

  test('does not count calls without tokens as unpriced', async () => {
    const failed = { started_at: new Date().toISOString(), status: 'ERROR' }
    await ingested({ ...failed, tokens_in: undefined, tokens_out: undefined }, 'a')
    await ingested({ ...failed, model: 'acme-7b' }, 'b')
    expect((await observedModels()).data).toMatchObject([
      { model: 'acme-7b', span_count: 1, unpriced_call_count: 1 },
      { model: 'gpt-4o', span_count: 1, unpriced_call_count: 0, cost_usd: null },
    ])
  })

  test('refuses an invalid time range', async () => {
    expect(await observedModels({ from: 'x' })).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR' },
    })
  })
})
