import { limits } from '@assay/contract/limits.ts'
import { describe, expect, test } from 'vitest'
import type { Span } from '../domain/span.ts'
import { span } from '../storage/telemetry/port/samples.ts'
import { countNewModels, withPrices } from './priced-spans.ts'
import { pricerFor } from './pricer.ts'

const newMax = limits.newModelsPerRequest.value
const call = (model: string): Span =>
  span(model, { kind: 'llm', model, tokensIn: 1000, tokensOut: 100 })
const newModels = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => call(`${prefix}-${n}`))

/** Equal rules share a pricer and its cached models. */
const rulesOf = (model: string) =>
  JSON.stringify([
    {
      ...{ id: 'one', scope: 'project', kind: 'price', model, provider: null, fromMs: null },
      ...{ toMs: null, createdMs: 0, prices: { input: 1, output: 1 }, long: null, tiers: {} },
    },
  ])

describe('the spans of a request', () => {
  test('are priced while their models are few, or known; others can be priced later', () => {
    const rules = rulesOf('*a*')
    const price = withPrices((spans) => spans, rules)
    price([call('known-a')])
    const many = newModels('a', newMax + 5)
    const priced = price([...many, call('known-a'), call('a-0')])
    const reasons = priced.map(({ unpricedReason }) => unpricedReason)
    expect(reasons).toEqual([
      ...many.map((_, n) => (n < newMax ? null : 'too_many_models')),
      ...[null, null],
    ])
    expect(priced.at(newMax)).toMatchObject({ computedCostUsd: null, costSource: 'unknown' })
    expect(many.map((one) => pricerFor(rules).priceSpan(one).priceSource)).toEqual(
      many.map(() => 'project:one'),
    )
  })

  test('keep their reported cost when their models are too many', () => {
    const reported = { ...call('b-last'), costUsd: 2, costSource: 'reported' } as const
    const priced = withPrices((spans) => spans, rulesOf('b*'))
    expect(priced([...newModels('b', newMax), reported]).at(-1)).toMatchObject({
      ...{ costUsd: 2, costSource: 'reported', unpricedReason: 'too_many_models' },
    })
  })

  test('count each new model once, and none without tokens', () => {
    const rules = rulesOf('c*')
    const withoutTokens = span('x', { kind: 'llm', model: 'c-x' })
    const spans = [...newModels('c', 3), ...newModels('c', 5), withoutTokens]
    expect(countNewModels(spans, rules)).toBe(5)
    withPrices((all) => all, rules)(newModels('c', 4))
    expect(countNewModels(spans, rules)).toBe(1)
  })
})
