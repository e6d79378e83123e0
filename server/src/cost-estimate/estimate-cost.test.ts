import { type Volumes, volumeNames } from '@assay/contract/cost-calculator.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RateCard, toRates } from '../models/token-rates.ts'
import type { AgentCounts } from './agent-counts.ts'
import { callShares } from './call-counts.ts'
import { noTokens } from './content-class.ts'
import { type EstimatedModel, type EstimateInput, estimateCosts } from './estimate-cost.ts'
import { expectedUsage, totalOf } from './expected-usage.ts'
import { traitsOf } from './model-traits.ts'
import type { RunShape } from './run-shapes.ts'

const flat: RateCard = { base: toRates({ input: 2, output: 10, cacheRead: 1 }), long: [] }
const writing = toRates({ input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 })

const model = (changes: Partial<EstimatedModel> = {}): EstimatedModel => ({
  ...{ model: 'gpt-4o', modelConfigId: null, knownAs: 'gpt-4o', provider: 'openai' },
  ...{ contextWindow: 128_000, price: { card: flat, source: 'list:x', date: '2026-01-01' } },
  ...changes,
})
const counts = (prompt: number, tools = 0): AgentCounts => ({
  prompt: { ...noTokens, prose: prompt },
  ...{ typedTools: { ...noTokens, code: tools }, jsonTools: { ...noTokens, json: tools } },
  toolCount: tools > 0 ? 3 : 0,
})
const estimate = (input: Partial<EstimateInput> = {}) =>
  estimateCosts({
    ...{ counts: counts(1248, 1065), caching: true, scenarioCount: 3, includeMultiTurn: false },
    ...{ models: [model()], ...input },
  })
const first = (input?: Partial<EstimateInput>) => {
  const [one] = estimate(input).perModel
  if (one === undefined) throw new Error('no model')
  return one
}
const nanos = (usd: number | null) => Math.round((usd ?? Number.NaN) * 1e9)

const volumesOf = (most: number) =>
  fc
    .record({
      runs: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
      runs_per_month: fc.integer({ min: 1, max: 1_000_000 }),
      calls: fc.integer({ min: 1, max: most }),
      spread: fc.double({ min: 1, max: 3, noNaN: true }),
      tokens: fc.integer({ min: 1, max: 200_000 }),
    })
    .map(
      ({ runs, runs_per_month, calls, spread, tokens }): Volumes => ({
        ...{ runs, runs_per_month, llm_calls_p50: calls, llm_calls_p90: calls * spread },
        ...{ tokens_in_p50: tokens, tokens_in_p90: tokens * spread },
      }),
    )
const inputs = fc.record({
  counts: fc.tuple(fc.nat(20_000), fc.nat(10_000)).map((both) => counts(...both)),
  caching: fc.boolean(),
  includeMultiTurn: fc.boolean(),
  scenarioCount: fc.integer({ min: 1, max: 1000 }),
  volumes: fc.option(volumesOf(60), { nil: undefined }),
  models: fc.constantFrom(
    [model()],
    [
      model({ price: { card: { base: writing, long: [] }, source: 'list:y', date: '2026-01-01' } }),
      model({ knownAs: 'claude-sonnet-5', contextWindow: 8000 }),
      model({ price: { reason: 'unknown_model', why: 'Unknown.' } }),
    ],
  ),
})

describe('every estimate', () => {
  test('T24: has totals that are exactly the sums of their parts', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const all = estimateCosts(input)
        const priced = all.perModel.filter(({ costUsd }) => costUsd !== null)
        for (const { costUsd, costParts } of priced) {
          const parts = Object.values(costParts ?? {}).map(nanos)
          expect(parts.reduce((sum, one) => sum + one, 0)).toBe(nanos(costUsd))
        }
        const sum = priced.reduce((total, { costUsd }) => total + nanos(costUsd), 0)
        expect(all.totalCostUsd === null ? 0 : nanos(all.totalCostUsd)).toBe(sum)
        const tokens = all.perModel.reduce((total, one) => total + one.inputTokens, 0)
        expect(all.totalInputTokens).toBe(tokens)
      }),
    )
  })

  test('has p10 <= median <= p90, whole tokens, and no more cached than input tokens', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        for (const one of estimateCosts(input).perModel) {
          expect(one.cachedInputTokens).toBeLessThanOrEqual(one.inputTokens)
          for (const value of [one.inputTokens, one.outputTokens, one.llmCalls]) {
            expect(Number.isSafeInteger(value)).toBe(true)
          }
          if (one.costUsd === null) continue
          expect(one.costUsdP10).toBeLessThanOrEqual(one.costUsd)
          expect(one.costUsdP90).toBeGreaterThanOrEqual(one.costUsd)
        }
      }),
    )
  })

  test('is the same for the same input', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        expect(estimateCosts(input)).toEqual(estimateCosts(structuredClone(input)))
      }),
    )
  })

  test('does not get cheaper with more scenarios, calls or prompt', () => {
    const bigger = (input: EstimateInput): EstimateInput[] => [
      { ...input, scenarioCount: input.scenarioCount + 1 },
      { ...input, counts: counts(30_000, 20_000), volumes: undefined },
      { ...input, volumes: { ...input.volumes, llm_calls_mean: 90, tokens_in_mean: 10_000_000 } },
    ]
    fc.assert(
      fc.property(inputs, (input) => {
        const roomy = { ...input, models: [model({ contextWindow: null })] }
        const [less = 0] = estimateCosts({ ...roomy, volumes: undefined }).perModel.map(
          ({ meanRunUsd, costUsd }) => (costUsd === null ? 0 : (meanRunUsd ?? 0)),
        )
        const [scenarios, prompt, calls] = bigger(roomy).map((one) => first(one))
        expect(scenarios?.costUsd).toBeGreaterThanOrEqual(first(roomy).costUsd ?? 0)
        expect(prompt?.meanRunUsd).toBeGreaterThanOrEqual(less)
        expect(calls?.meanRunUsd).toBeGreaterThanOrEqual(less)
      }),
      { numRuns: 50 },
    )
  })

  test('is not cheaper with more turns', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), (turns) => {
        const cost = (turns_mean: number) => first({ volumes: { turns_mean } }).meanRunUsd ?? 0
        expect(cost(turns + 2)).toBeGreaterThan(cost(turns) * 0.999)
      }),
    )
  })
})

describe('a run', () => {
  const shape = (changes: Partial<RunShape> = {}): RunShape => ({
    ...{ runs: 1, meanCalls: 3, callsSpread: 0, shares: [1, 1, 1], turns: 1, openingTokens: 100 },
    ...{ outputTokens: 50, includesReasoning: false, growthTokens: 200, ...changes },
  })
  const called = {
    ...{ card: flat, contextWindow: null, fixedTokens: 2000, messageFactor: 1 },
    ...{ reasoningTokens: 0, cacheHitShare: 0 },
  }

  test('sends the whole context again with every call', () => {
    const { inputTokens, outputTokens } = expectedUsage(shape(), called)
    expect([inputTokens, outputTokens]).toEqual([2100 + 2300 + 2500, 150])
  })

  test('of varying length costs more than one of mean length', () => {
    const mean = expectedUsage(shape({ shares: callShares(12, 0) }), called)
    const varying = expectedUsage(shape({ shares: callShares(12, 0.6) }), called)
    expect(varying.calls).toBeCloseTo(mean.calls, 1)
    expect(totalOf(varying.cost)).toBeGreaterThan(1.05 * totalOf(mean.cost))
  })

  test('T6: is priced at the long-context rate only for calls above the threshold, and then wholly', () => {
    const card = { base: flat.base, long: [{ above: 2300, rates: toRates({ input: 4 }) }] }
    const { cost } = expectedUsage(shape(), { ...called, card })
    // The second call has exactly as many tokens as the threshold.
    expect(cost.input).toBe((2100 + 2300) * 2e6 + 2500 * 4e6)
  })

  test.each([
    [200_000, 2e6],
    [200_001, 4e6],
  ])('T6: a call of %i input tokens is priced at one rate', (tokens, rate) => {
    const card = { base: flat.base, long: [{ above: 200_000, rates: toRates({ input: 4 }) }] }
    const one = shape({ shares: [1], openingTokens: 0 })
    const { cost } = expectedUsage(one, { ...called, card, fixedTokens: tokens })
    expect(cost.input).toBe(tokens * rate)
  })

  test('reads the prefix of the call before from the cache, in blocks', () => {
    const { cachedTokens, cost } = expectedUsage(shape(), { ...called, cacheHitShare: 1 })
    expect(cachedTokens).toBe(16 * 128 + 17 * 128)
    expect(cost.cacheRead).toBe(cachedTokens * 1e6)
    expect(cost.cacheWrite).toBe(0)
  })

  test('pays for writing to the cache where the price list has a price for it', () => {
    const card = { base: writing, long: [] }
    const { cost, cachedTokens, inputTokens } = expectedUsage(shape(), {
      ...{ ...called, card, cacheHitShare: 1 },
    })
    expect(cost.input).toBe(0)
    expect(cost.cacheWrite).toBe((inputTokens - cachedTokens) * 3.75e6)
  })

  test('caches no prompt below the minimum of providers', () => {
    const short = { ...called, cacheHitShare: 1, fixedTokens: 300 }
    expect(expectedUsage(shape({ growthTokens: 100 }), short).cachedTokens).toBe(0)
  })

  test('that exceeds the context window sends as much as fits, and reports the calls', () => {
    const { inputTokens, overflowCalls } = expectedUsage(shape(), {
      ...called,
      contextWindow: 2450,
    })
    expect([inputTokens, overflowCalls]).toEqual([2100 + 2300 + 2400, 1])
  })
})

describe('an estimate', () => {
  test('is cheaper with caching, and reports both', () => {
    const cached = first()
    const uncached = first({ caching: false })
    expect(cached.costUsd).toBeLessThan(uncached.costUsd ?? 0)
    expect(cached.costWithoutCachingUsd).toBe(uncached.costUsd)
    expect(uncached.cachedInputTokens).toBe(0)
  })

  test('T21: has null costs and a reason for a model without a price, and its tokens', () => {
    const price = { reason: 'unknown_model', why: 'The model is not in the price list.' } as const
    const all = estimate({ models: [model({ price }), model()] })
    expect(all.perModel[0]).toMatchObject({
      ...{ costUsd: null, costUsdP10: null, costUsdP90: null, monthlyUsd: null, costParts: null },
      ...{ unpricedReason: 'unknown_model', why: price.why, drivers: [] },
    })
    expect(all.perModel[0]?.inputTokens).toBe(all.perModel[1]?.inputTokens)
    expect(all.totalCostUsd).toBe(all.perModel[1]?.costUsd)
    expect(estimate({ models: [model({ price })] }).totalCostUsd).toBeNull()
  })

  test('of an agent that never fits the context window has no cost', () => {
    const { costUsd, unpricedReason } = first({ models: [model({ contextWindow: 2000 })] })
    expect([costUsd, unpricedReason]).toEqual([null, 'context_overflow'])
  })

  test('of a month is the mean run times the runs', () => {
    const { monthlyUsd, meanRunUsd } = first({ volumes: { runs_per_month: 1000 } })
    expect(monthlyUsd).toBeCloseTo(1000 * (meanRunUsd ?? 0), 5)
    expect(first().monthlyUsd).toBeNull()
  })

  test('has the three largest drivers, the largest first', () => {
    const { drivers } = first()
    expect(drivers).toHaveLength(3)
    const effects = drivers.map(({ effectUsd }) => Math.abs(effectUsd))
    expect(effects).toEqual(effects.toSorted((a, b) => b - a))
  })

  test.each([
    ['prior', undefined],
    ['user', { llm_calls_mean: 20 }],
    ['imported', { runs: 10, llm_calls_mean: 20 }],
  ] as const)('has assumptions of origin %s', (origin, volumes) => {
    const names = ['calls_per_run', 'happy_path.calls_per_run']
    const { assumptions } = first({ volumes })
    expect(assumptions.find(({ name }) => names.includes(name))?.origin).toBe(origin)
    expect(assumptions.find(({ name }) => name === 'prompt')?.origin).toBe('user')
  })

  test('takes what the caller assumes as it is, and shrinks recorded runs to the prior', () => {
    const calls = (volumes: Volumes) =>
      first({ volumes }).assumptions.find(({ name }) => name === 'calls_per_run')?.value ?? 0
    expect(calls({ llm_calls_mean: 40 })).toBe(40)
    const [few, many] = [2, 500].map((runs) => calls({ runs, llm_calls_mean: 40 }))
    expect(few).toBeLessThan(25)
    expect(many).toBeCloseTo(40, 0)
  })

  test('of recorded runs that are shorter than the prior is near what they took', () => {
    const tokens = { tokens_in_mean: 2450, tokens_out_mean: 126 }
    const volumes = { ...{ runs: 10, turns_mean: 3.4, llm_calls_mean: 3.4 }, ...tokens }
    const one = first({ counts: counts(25, 60), volumes, scenarioCount: 1000 })
    expect(one.llmCalls / 1000 / 3.4).toBeLessThan(1.3)
    expect(one.inputTokens / 1000 / 2450).toBeLessThan(1.3)
  })

  test('of recorded runs reproduces their input tokens', () => {
    const volumes = { runs: 100_000, llm_calls_mean: 12, tokens_in_mean: 50_000 }
    const { inputTokens, costUsd, meanRunUsd } = first({ volumes, scenarioCount: 1000 })
    const toMean = (1000 * (meanRunUsd ?? 0)) / (costUsd ?? 1)
    expect((inputTokens * toMean) / 1000 / 50_000).toBeCloseTo(1, 2)
  })

  test.each(['gpt-4o', 'claude-sonnet-5', 'gemini-3-pro'])(
    'of runs recorded with %s reproduces its tokens, whatever its tokenizer and counter factor',
    (recorded) => {
      for (const factor of [1, 1.3]) {
        const volumes = {
          ...{ runs: 100_000, llm_calls_mean: 12, tokens_in_mean: 90_000, tokens_out_mean: 6000 },
        }
        const one = first({
          ...{ volumes, scenarioCount: 1000, recordedWith: traitsOf(recorded, factor) },
          models: [model({ knownAs: recorded, counterFactor: factor })],
        })
        const toMean = (1000 * (one.meanRunUsd ?? 0)) / (one.costUsd ?? 1)
        expect((one.inputTokens * toMean) / 1000 / 90_000).toBeCloseTo(1, 2)
        expect((one.outputTokens * toMean) / 1000 / 6000).toBeCloseTo(1, 1)
      }
    },
  )

  test('has the counter factor of a model among its assumptions', () => {
    const volumes = { runs: 10, llm_calls_mean: 5 }
    const plain = first({ volumes })
    const scaled = first({ volumes, models: [model({ counterFactor: 1.2 })] })
    const unit = 'reported tokens per counted token'
    const learned = { name: 'counter_factor', value: 1.2, unit, origin: 'imported' }
    expect(scaled.assumptions).toContainEqual(learned)
    expect(plain.assumptions.some(({ name }) => name === 'counter_factor')).toBe(false)
    expect(scaled.inputTokens / plain.inputTokens).toBeCloseTo(1.2, 2)
    // Which it multiplies, so that one stays as it is.
    const prose = ({ assumptions }: typeof plain) =>
      assumptions.find(({ name }) => name === 'prose_token_factor')
    expect(prose(scaled)).toEqual(prose(plain))
  })

  test.each([0, 0.42, 1])('reads as much from the cache as recorded calls did: %d', (share) => {
    const card = { base: writing, long: [] }
    const price = { card, source: 'list:y', date: '2026-01-01' }
    const volumes = { runs: 10, llm_calls_mean: 9, tokens_in_mean: 60_000 }
    const one = first({ volumes, models: [model({ price, cachedShare: share })] })
    expect(one.cachedInputTokens / one.inputTokens).toBeCloseTo(share, 3)
    // Without any cached input, nothing is written to a cache either.
    expect((one.costParts?.cacheWriteUsd ?? 0) > 0).toBe(share > 0 && share < 1)
    const { name, origin } = one.assumptions.at(-1) ?? {}
    expect([name, origin]).toEqual(['cached_share', 'imported'])
    const off = first({ volumes, caching: false, models: [model({ price, cachedShare: share })] })
    expect(off.cachedInputTokens).toBe(0)
    expect(one.costWithoutCachingUsd).toBe(off.costUsd)
  })

  test('of more calls or turns than recorded costs more, at the recorded growth and output', () => {
    const recorded = { ...{ runs: 20, turns_mean: 3, llm_calls_mean: 6 } }
    const tokens = { tokens_in_mean: 30_000, tokens_out_mean: 600 }
    const of = (assumed: Volumes['assumed']) =>
      first({ volumes: { ...recorded, ...tokens, assumed } })
    const [as, calls, turns] = [of(undefined), of({ llm_calls: 12 }), of({ turns: 6 })]
    expect(calls.meanRunUsd).toBeGreaterThan(1.9 * (as.meanRunUsd ?? 0))
    expect(turns.meanRunUsd).toBeGreaterThan(1.5 * (as.meanRunUsd ?? 0))
    const find = (one: typeof as, name: string) =>
      one.assumptions.find((assumption) => assumption.name === name)
    for (const name of ['growth_per_call', 'output_per_call']) {
      expect(find(calls, name)).toEqual(find(as, name))
      expect(find(calls, name)?.origin).toBe('imported')
    }
    expect(find(calls, 'calls_per_run')).toMatchObject({ value: 12, origin: 'user' })
    expect(find(calls, 'turns_per_run')?.origin).toBe('imported')
  })

  test('has the length of recorded tool results, where the recorded input does not decide', () => {
    const volumes = { runs: 50, llm_calls_mean: 6, tool_calls_mean: 4 }
    const usual = first({ volumes })
    const long = first({ volumes: { ...volumes, tool_output_tokens: 5000 } })
    expect(long.inputTokens).toBeGreaterThan(2 * usual.inputTokens)
    const found = long.assumptions.find(({ name }) => name === 'tool_output')
    expect(found).toMatchObject({ value: expect.closeTo(5000 * (235 / 5000) ** (2 / 52), 6) })
    const prior = usual.assumptions.find(({ name }) => name === 'tool_output')
    expect(prior).toMatchObject({ value: 235, origin: 'prior' })
  })

  test.each(['prior', 'user', 'imported'] as const)('has runs per month that are %s', (origin) => {
    const month = { runs_per_month: 1000, runs_per_month_origin: origin }
    const { assumptions } = first({ volumes: { runs: 10, llm_calls_mean: 5, ...month } })
    expect(assumptions.find(({ name }) => name === 'runs_per_month')?.origin).toBe(origin)
  })

  test('has a narrower interval with more runs and more scenarios', () => {
    const width = (input: Partial<EstimateInput>) => {
      const { costUsdP10, costUsdP90 } = first(input)
      return (costUsdP90 ?? 0) / (costUsdP10 ?? 1)
    }
    expect(width({ volumes: { runs: 50, llm_calls_mean: 5 } })).toBeLessThan(width({}))
    expect(width({ scenarioCount: 500 })).toBeLessThan(width({ scenarioCount: 1 }))
  })

  test('has values of every kind for volumes of every name', () => {
    for (const name of volumeNames) {
      const volumes = { runs: 5, [`${name}_p50`]: 8, [`${name}_p90`]: 20 }
      expect(first({ volumes }).assumptions.some(({ origin }) => origin === 'imported')).toBe(true)
    }
  })
})

test.each([1, 1.5, 3, 12.3, 200])('runs make %d calls in the mean', (mean) => {
  const shares = callShares(mean, 0.5)
  expect(shares.reduce((sum, share) => sum + share, 0) / mean).toBeCloseTo(1, 2)
})
