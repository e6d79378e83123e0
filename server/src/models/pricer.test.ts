import { unpricedReasons } from '@assay/contract/traces.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseInstant } from '../domain/instant.ts'
import { noPricingFacts, noUsage, type PricedFacts, type Span } from '../domain/span.ts'
import { computeTotals } from '../domain/trace-totals.ts'
import { anySpan, span } from '../storage/telemetry/port/samples.ts'
import { listDate } from './price-list.ts'
import type { CustomPrice, ModelAlias, PriceRule } from './price-rules.ts'
import { pricerFor } from './pricer.ts'

const at = parseInstant('2026-10-01T12:00:00Z')

const call = (facts: Partial<PricedFacts>): PricedFacts => ({
  ...noUsage,
  ...noPricingFacts,
  kind: 'llm',
  model: 'gpt-4o',
  startedAt: at,
  tokensIn: 1000,
  tokensOut: 100,
  ...facts,
})

const listed = pricerFor('')
const toPricer = (...rules: readonly PriceRule[]) => pricerFor(JSON.stringify(rules))

const own = (rest: Partial<CustomPrice>): CustomPrice => ({
  id: 'one',
  scope: 'project',
  kind: 'price',
  model: 'gpt-4o',
  provider: null,
  fromMs: null,
  toMs: null,
  createdMs: Date.parse('2026-01-02'),
  prices: { input: 100, output: 200 },
  long: null,
  tiers: {},
  ...rest,
})

const alias = (model: string, target: ModelAlias['target'], rest: object = {}): ModelAlias => {
  const { prices: _, long: __, tiers: ___, ...head } = own({})
  return { ...head, ...rest, kind: 'alias', model, target }
}

describe('the price list', () => {
  test('returns the source of a price and its date', () => {
    expect(listed.priceSpan(call({}))).toEqual({
      computedCostUsd: 0.0035,
      priceSource: 'list:openai/gpt-4o',
      priceDate: listDate,
      unpricedReason: null,
    })
  })

  test('T9: prices a call by the date it started', () => {
    const o3 = (iso: string) =>
      listed.priceSpan(
        call({ model: 'o3', tokensIn: 1e6, tokensOut: 0, startedAt: parseInstant(iso) }),
      )
    expect(o3('2025-06-09T23:59:59.999Z')).toMatchObject({ computedCostUsd: 10 })
    expect(o3('2025-06-10T00:00:00Z')).toMatchObject({
      computedCostUsd: 2,
      priceDate: '2025-06-10',
    })
  })

  test.each<[string, Partial<PricedFacts>, string | null]>([
    ['neither a model nor tokens', { model: null, tokensIn: null, tokensOut: null }, null],
    ['tokens without a model', { model: null }, 'no_model'],
    ['a model call without tokens', { tokensIn: null, tokensOut: null }, 'no_usage'],
    ['an agent with a model', { kind: 'agent', tokensIn: null, tokensOut: null }, null],
    [
      'more cached than input tokens',
      { tokensIn: 5, tokensCacheRead: 128_955 },
      'inconsistent_usage',
    ],
    ['a local model', { provider: 'ollama', model: 'llama3:8b' }, 'local_model'],
    ['an unknown provider', { provider: 'acme-gateway' }, 'unknown_provider'],
    ['an unknown model', { model: 'acme-7b' }, 'unknown_model'],
    ['a model that is not sold by tokens', { model: 'whisper-1' }, 'no_token_price'],
    [
      'a model that is free in name only',
      { provider: 'google', model: 'gemma-3' },
      'no_token_price',
    ],
    [
      'a tier that the model does not have',
      { serviceTier: 'priority', model: 'gpt-4' },
      'no_tier_price',
    ],
    ['an unknown tier', { serviceTier: 'turbo' }, 'no_tier_price'],
    [
      'a tier without a price for long calls',
      { serviceTier: 'priority', model: 'gpt-5.4', tokensIn: 400_000 },
      'no_tier_price',
    ],
  ])('has no price for %s, and reports the reason', (_what, facts, unpricedReason) => {
    expect(listed.priceSpan(call(facts))).toEqual({
      computedCostUsd: null,
      priceSource: null,
      priceDate: null,
      unpricedReason,
    })
  })

  test.each<[string, Partial<PricedFacts>, number]>([
    ['batch at half the price', { serviceTier: 'batch' }, 0.00175],
    ['flex at half the price', { serviceTier: 'flex', model: 'gpt-5' }, 0.001125],
    ['priority', { serviceTier: 'priority', model: 'gpt-4.1' }, 0.0049],
    [
      'priority, cached',
      { serviceTier: 'priority', model: 'gpt-5', tokensCacheRead: 1000 },
      0.00225,
    ],
    ['default', { serviceTier: 'default' }, 0.0035],
    ['auto', { serviceTier: 'auto' }, 0.0035],
    ["Anthropic's batches", { serviceTier: 'batch', model: 'claude-haiku-4-5' }, 0.00075],
    ['a failed call with zero tokens', { tokensIn: 0, tokensOut: 0 }, 0],
    ['a model that is free by name', { provider: 'openrouter', model: 'qwen/qwen3-coder:free' }, 0],
    [
      'embeddings',
      { kind: 'embedding', model: 'text-embedding-3-small', tokensOut: null },
      0.00002,
    ],
    ['a long call', { model: 'claude-sonnet-4-5', tokensIn: 300_000 }, 1.80225],
    [
      'the sums of an agent as short calls',
      { kind: 'agent', model: 'claude-sonnet-4-5', tokensIn: 300_000 },
      0.9015,
    ],
    [
      'cache writes of unknown lifetime',
      { model: 'claude-haiku-4-5', tokensCacheWrite: 1000 },
      0.00175,
    ],
    [
      'cache writes with a lifetime of an hour',
      { model: 'claude-haiku-4-5', tokensCacheWrite: 1000, tokensCacheWrite1h: 1000 },
      0.0025,
    ],
  ])('prices %s', (_what, facts, expected) => {
    expect(listed.priceSpan(call(facts)).computedCostUsd).toBe(expected)
  })
})

describe('custom prices and aliases', () => {
  test.each<[string, readonly PriceRule[], Partial<PricedFacts>, string]>([
    ['a price takes precedence over the list', [own({})], {}, 'project:one'],
    ['a price applies to one model', [own({ model: 'gpt-4o-mini' })], {}, 'list:openai/gpt-4o'],
    [
      'a price matches the name in the list',
      [own({})],
      { model: 'openai/GPT-4o-2024-08-06' },
      'project:one',
    ],
    [
      'a price matches the name as sent',
      [own({ model: 'support-bot' })],
      { model: 'azure/Support-Bot' },
      'project:one',
    ],
    ['a pattern matches', [own({ model: 'acme-*-v*' })], { model: 'acme-large-v2' }, 'project:one'],
    [
      'the parts of a pattern do not overlap',
      [own({ model: 'ab*ba' })],
      { model: 'aba' },
      'unknown_model',
    ],
    [
      'the inner part of a pattern does not overlap its end',
      [own({ model: 'a*bc*c' })],
      { model: 'abc' },
      'unknown_model',
    ],
    [
      'an exact name takes precedence over a pattern',
      [own({ model: '*' }), own({ id: 'two' })],
      {},
      'project:two',
    ],
    [
      'a price with a provider takes precedence over one without',
      [own({ id: 'any provider' }), own({ provider: 'azure' })],
      { provider: 'azure.ai.openai' },
      'project:one',
    ],
    [
      'a price with a provider does not apply to another provider',
      [own({ provider: 'azure' })],
      { provider: 'openai' },
      'list:openai/gpt-4o',
    ],
    [
      'the project takes precedence over the organization',
      [own({ scope: 'organization', id: 'org' }), own({ model: 'gpt-*' })],
      {},
      'project:one',
    ],
    [
      'the prices of the organization apply',
      [own({ scope: 'organization' })],
      {},
      'organization:one',
    ],
    [
      'a price applies from its start',
      [own({ fromMs: Date.parse('2026-10-01T12:00:00Z') })],
      {},
      'project:one',
    ],
    [
      'a price does not apply before its start',
      [own({ fromMs: Date.parse('2026-10-01T12:00:00.001Z') })],
      {},
      'list:openai/gpt-4o',
    ],
    [
      'a price does not apply at its end',
      [own({ toMs: Date.parse('2026-10-01T12:00:00Z') })],
      {},
      'list:openai/gpt-4o',
    ],
    [
      'a later start takes precedence',
      [own({ fromMs: 1, id: 'old' }), own({ fromMs: 2 }), own({ id: 'ever' })],
      {},
      'project:one',
    ],
    [
      'a price applies to a local model',
      [own({ model: 'llama3:8b' })],
      { provider: 'ollama', model: 'llama3:8b' },
      'project:one',
    ],
    [
      'a price without tiers has no price for a tier',
      [own({})],
      { serviceTier: 'flex' },
      'no_tier_price',
    ],
    [
      'an alias resolves to a listed model',
      [alias('prod-chat', { provider: null, model: 'gpt-4o' })],
      { provider: 'azure', model: 'prod-chat' },
      'list:openai/gpt-4o',
    ],
    [
      'an alias resolves to another provider',
      [alias('prod-chat', { provider: 'aws.bedrock', model: 'us.amazon.nova-pro-v1:0' })],
      { provider: 'azure', model: 'prod-chat' },
      'list:aws/amazon.nova-pro-v1:0',
    ],
    [
      'an alias resolves to a custom price',
      [alias('prod-chat', { provider: null, model: 'gpt-4o' }), own({ scope: 'organization' })],
      { model: 'prod-chat' },
      'organization:one',
    ],
    [
      'an alias does not resolve to another alias',
      [
        alias('a', { provider: null, model: 'b' }),
        alias('b', { provider: null, model: 'gpt-4o' }, { id: 'two' }),
      ],
      { model: 'a' },
      'unknown_model',
    ],
    [
      'an alias of the same name has no effect',
      [alias('gpt-4o', { provider: null, model: 'gpt-4o' })],
      {},
      'list:openai/gpt-4o',
    ],
  ])('%s', (_what, rules, facts, expected) => {
    const { priceSource, unpricedReason } = toPricer(...rules).priceSpan(call(facts))
    expect(priceSource ?? unpricedReason).toBe(expected)
  })

  test('apply to short and long calls and to tiers, and leave the cost unknown where they define no price', () => {
    const rule = own({
      prices: { input: 1, cacheRead: 0.5, output: 10, request: 0.01 },
      long: { above: 5000, input: 2, output: 20 },
      tiers: { flex: 0.5 },
      fromMs: Date.parse('2026-03-04T05:06:07Z'),
    })
    const pricer = toPricer(rule)
    expect(pricer.priceSpan(call({ tokensCacheRead: 600 }))).toEqual({
      computedCostUsd: 0.0117,
      priceSource: 'project:one',
      priceDate: '2026-03-04',
      unpricedReason: null,
    })
    expect(pricer.priceSpan(call({ tokensIn: 6000 })).computedCostUsd).toBe(0.014)
    expect(pricer.priceSpan(call({ serviceTier: 'flex' })).computedCostUsd).toBe(0.006)
    const free = toPricer(own({ prices: { input: 0, output: 0 } }))
    expect(free.priceSpan(call({}))).toMatchObject({ computedCostUsd: 0, priceDate: '2026-01-02' })
  })
})

describe('a priced span', () => {
  test('keeps a reported cost, with the computed cost beside it', () => {
    const reported = span('a', { ...call({}), costUsd: 5, costSource: 'reported' })
    expect(listed.priced(reported)).toEqual({
      ...reported,
      computedCostUsd: 0.0035,
      priceSource: 'list:openai/gpt-4o',
      priceDate: listDate,
    })
  })

  test('has the computed cost, or an unknown one', () => {
    expect(listed.priced(span('a', call({})))).toMatchObject({
      costUsd: 0.0035,
      costSource: 'priced',
    })
    expect(listed.priced(span('a', call({ model: 'acme-7b' })))).toMatchObject({
      costUsd: null,
      costSource: 'unknown',
      unpricedReason: 'unknown_model',
    })
  })

  test('without anything to price is unchanged', () => {
    const plain = span('a')
    expect(listed.priced(plain)).toBe(plain)
  })
})

describe('arbitrary spans', () => {
  const models = ['gpt-4o', 'claude-sonnet-4-5', 'gemini-2.5-pro', 'acme', '', 'whisper-1', 'a/b:c']
  const anyCall: fc.Arbitrary<Span> = fc
    .tuple(
      anySpan,
      fc.record({
        model: fc.option(fc.constantFrom(...models)),
        provider: fc.option(fc.constantFrom('openai', 'aws', 'ollama', 'x')),
        serviceTier: fc.option(fc.constantFrom('batch', 'flex', 'priority', 'y')),
        tokensIn: fc.option(fc.nat(1e7)),
        tokensOut: fc.option(fc.nat(1e7)),
        tokensCacheRead: fc.option(fc.nat(1e6)),
        tokensCacheWrite: fc.option(fc.nat(1e6)),
        reported: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
      }),
    )
    .map(([any, { reported, ...facts }]) => ({
      ...any,
      ...facts,
      costUsd: reported,
      costSource: reported === null ? ('unknown' as const) : ('reported' as const),
    }))

  test('have a non-negative cost, or a reason why they have none', () => {
    fc.assert(
      fc.property(anyCall, (sent) => {
        const { computedCostUsd: cost, priceSource, unpricedReason, ...rest } = listed.priced(sent)
        const hasFacts = sent.model !== null || sent.tokensIn !== null || sent.tokensOut !== null
        if (cost !== null) expect(Number.isFinite(cost) && cost >= 0).toBe(true)
        expect(cost === null).toBe(priceSource === null)
        if (cost === null && hasFacts && unpricedReason !== null) {
          expect(unpricedReasons).toContain(unpricedReason)
        }
        if (sent.costSource === 'reported') expect(rest.costUsd).toBe(sent.costUsd)
        else expect(rest.costUsd).toBe(cost ?? null)
      }),
    )
  })

  test('a trace never costs more than its spans together, whichever spans repeat sums', () => {
    const shape = fc.uniqueArray(fc.tuple(anyCall, fc.nat(8), fc.option(fc.nat(8))), {
      minLength: 1,
      maxLength: 9,
      selector: ([, id]) => id,
    })
    fc.assert(
      fc.property(shape, (drawn) => {
        const spans = drawn.map(([each, id, parent]) => ({
          ...listed.priced(each),
          spanId: String(id),
          parentSpanId: parent === null ? null : String(parent),
          source: 'json' as const,
        }))
        const { costUsd } = computeTotals(spans, null)
        const sum = spans.reduce((all, { costUsd: cost }) => all + (cost ?? 0), 0)
        if (costUsd === null) expect(spans.every((each) => each.costUsd === null)).toBe(true)
        else expect(costUsd >= 0 && costUsd <= sum * (1 + 1e-9) + 1e-9).toBe(true)
      }),
    )
  })
})
