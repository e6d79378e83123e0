import { agentConfig } from '@assay/contract/agent-config.ts'
import { type Volumes, volumes as volumesShape } from '@assay/contract/cost-calculator.ts'
import { limits } from '@assay/contract/limits.ts'
import { extractAgent, toneSigns } from '@assay/contract/trace-runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Trace } from '../../domain/span.ts'
import { combineRuns, type ReadRun } from './combine-runs.ts'
import type { RunFacts } from './run-facts.ts'

const trace = (changes: Partial<Trace> = {}): Trace => ({
  ...{ traceId: 't', projectId: 'p', rootName: 'run', status: 'OK', mode: 'live' },
  ...{ environment: null, tags: [], source: 'otlp', sessionId: null, userId: null },
  ...{ service: null, sdk: null, startedAt: 0n, endedAt: 1n, durationMs: 1, updatedAt: 1n },
  ...{
    unfinished: null,
    spanCount: 2,
    errorCount: 0,
    llmCallCount: 1,
    toolCallCount: 0,
    modelCallCount: 1,
  },
  ...{ tokensIn: 100, tokensOut: 10, costUsd: 0.1, unpricedCallCount: 0, models: ['gpt-4o'] },
  ...changes,
})
const facts = (changes: Partial<RunFacts> = {}): RunFacts => ({
  ...{ model: 'gpt-4o', turns: 1, toolCalls: 0, isIncomplete: false },
  ...{ prompts: [], tools: [], answers: [], ratios: [], cached: [] },
  ...{ mediaCalls: 0, ...changes },
})
const run = (changes: Partial<ReadRun> = {}): ReadRun => ({
  ...{ trace: trace(), facts: facts(), isWhole: true, ...changes },
})

const anyText = fc.string({ unit: 'binary', maxLength: 50 })
const long = (max: number) => fc.integer({ min: 1, max }).map((length) => '😀'.repeat(length))
const anyFacts = fc.record({
  model: fc.option(anyText),
  turns: fc.option(fc.nat(5000)),
  toolCalls: fc.nat(5000),
  isIncomplete: fc.boolean(),
  prompts: fc.array(
    fc.record({
      ...{ key: anyText, text: fc.string({ minLength: 1, maxLength: 20_000 }) },
      ...{ isCut: fc.boolean(), calls: fc.nat(9), lastUsedMs: fc.nat(), spanId: anyText },
    }),
    { maxLength: 3 },
  ),
  tools: fc.array(
    fc.record({
      ...{ name: fc.string({ minLength: 1, maxLength: 200 }), description: long(600) },
      parameters: fc.constantFrom(null, '{"type":"object"}'),
      ...{ isTooLong: fc.boolean(), isDefined: fc.boolean(), isMcp: fc.boolean() },
      ...{ definitions: fc.array(anyText, { maxLength: 2 }), calls: fc.nat(9) },
      ...{ errors: fc.nat(9), latenciesMs: fc.array(fc.nat()), outputTokens: fc.array(fc.nat()) },
    }),
    { maxLength: 60 },
  ),
  answers: fc.array(
    fc.record({
      ...{ spanId: anyText, words: fc.nat(1000), language: fc.constantFrom(null, 'English') },
      signs: fc.dictionary(fc.constantFrom(...toneSigns), anyText),
    }),
    { maxLength: 5 },
  ),
  ratios: fc.array(
    fc.record({ model: anyText, ratio: fc.double({ min: 0.1, max: 10, noNaN: true }) }),
  ),
  cached: fc.array(
    fc
      .record({ model: anyText, calls: fc.nat(99), tokensIn: fc.integer({ min: 1, max: 1e9 }) })
      .map((one) => ({ ...one, tokensCached: Math.floor(one.tokensIn / 2) })),
  ),
  mediaCalls: fc.nat(9),
})
const anyRun = fc.record({
  trace: fc
    .record({
      ...{ traceId: anyText, llmCallCount: fc.nat(5000), modelCallCount: fc.nat(5000) },
      ...{ tokensIn: fc.maxSafeNat(), tokensOut: fc.maxSafeNat(), toolCallCount: fc.nat(5000) },
    })
    .map(trace),
  facts: fc.oneof(anyFacts, fc.constant({ unread: 'it is too large.' })),
  isWhole: fc.boolean(),
})

describe('an extraction', () => {
  test('of any runs is as declared, and an estimate accepts its suggestion and volumes', () => {
    fc.assert(
      fc.property(fc.array(anyRun, { minLength: 1, maxLength: 25 }), (runs) => {
        const extraction = combineRuns(runs)
        expect(agentConfig.safeParse(extraction.suggestion).error).toBeUndefined()
        expect(volumesShape.safeParse(extraction.volumes).error).toBeUndefined()
        expect(extractAgent.success.data.safeParse(extraction).error).toBeUndefined()
      }),
      { numRuns: 50 },
    )
  })

  test('has volumes that do not depend on the order of the runs', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 25 }), (tokens) => {
        const of = (all: readonly number[]): Volumes =>
          combineRuns(all.map((tokensIn) => run({ trace: trace({ tokensIn }) }))).volumes
        expect(of(tokens.toReversed()).tokens_in_p90).toBe(of(tokens).tokens_in_p90)
      }),
    )
  })

  test('has the newest definition of a tool and the newest quote, in whatever order the runs are', () => {
    const runAt = (startedAt: bigint) => {
      const about = `${startedAt}`
      const tool = { name: 'search', description: about, parameters: null, definitions: [about] }
      const flags = { isTooLong: false, isDefined: true, isMcp: false, calls: 1 }
      const behavior = { errors: 0, latenciesMs: [], outputTokens: [] }
      const answer = { spanId: 'a', words: 5, language: null, signs: { emoji: about } }
      return run({
        trace: trace({ traceId: about, startedAt }),
        facts: facts({ tools: [{ ...tool, ...flags, ...behavior }], answers: [answer] }),
      })
    }
    for (const order of [
      [1n, 3n, 2n],
      [3n, 2n, 1n],
      [1n, 2n, 3n],
    ]) {
      const { tools, tone, suggestion, items } = combineRuns(order.map(runAt))
      expect([tools[0]?.description, suggestion.tools[0]?.description]).toEqual(['3', '3'])
      expect(tone.signs).toMatchObject([{ quote: '3', traceId: '3' }])
      expect(items.map(({ traceId }) => traceId)).toEqual(order.map(String))
    }
  })

  test('of large or unread traces has their tokens, and notes what was not read', () => {
    const { items, volumes, notes } = combineRuns([
      run({ isWhole: false, facts: facts({ turns: 3 }) }),
      run({ trace: trace({ traceId: 'u' }), isWhole: false, facts: { unread: 'it took long.' } }),
    ])
    expect(items.map(({ turns, excluded }) => [turns, excluded])).toEqual([
      [null, null],
      [null, null],
    ])
    expect([volumes.runs, volumes.tokens_in_mean, volumes.turns_mean]).toEqual([2, 100, undefined])
    expect(notes).toEqual([
      'Only the first spans of trace t were read, because it is large: prompts, tools and answers come from them, and its turns are unknown.',
      'The contents of trace u were not read: it took long.',
      'The turns of some runs are unknown and not part of the volumes.',
      'No run has a system prompt in its messages. Enter the one of your agent.',
    ])
  })

  test('counts runs beyond the limits of volumes as the maximum, and notes it', () => {
    const large = trace({ modelCallCount: 5000, tokensIn: 5e9 })
    const { volumes, notes } = combineRuns([run({ trace: large })])
    expect([volumes.llm_calls_mean, volumes.tokens_in_mean]).toEqual([
      ...[limits.callsPerRun.value, limits.tokensPerRun.value],
    ])
    expect(notes.join()).toContain('count as the maximum')
  })

  test('notes simulations and several models', () => {
    const { notes } = combineRuns([
      run({ trace: trace({ mode: 'simulation' }) }),
      run({ facts: facts({ model: 'gpt-4o-mini' }) }),
    ])
    expect(notes).toContain('Trace t is a simulation.')
    expect(notes).toContain(
      'The runs use 2 models. The estimate of a model uses its own runs if there are at least 3, and otherwise those of all models, as if one tokenizer had counted them.',
    )
  })

  test('has the volumes and the share of cached input of each of several models', () => {
    const cached = (model: string, calls: number) => ({
      ...{ model, calls, tokensIn: 1000, tokensCached: model === 'o4-mini' ? 900 : 250 },
    })
    const of = (model: string, tokensOut: number, calls: number) =>
      run({ trace: trace({ tokensOut }), facts: facts({ model, cached: [cached(model, calls)] }) })
    const runs = [of('o4-mini', 900, 10), of('o4-mini', 1100, 10), of('gpt-4o', 50, 19)]
    const { volumes } = combineRuns(runs)
    expect(volumes).toMatchObject({ runs: 3, model: 'o4-mini', cached_share: 0.9 })
    expect(volumes.by_model).toMatchObject([
      { model: 'o4-mini', runs: 2, tokens_out_mean: 1000, cached_share: 0.9 },
      { model: 'gpt-4o', runs: 1, tokens_out_mean: 50 },
    ])
    expect(volumes.by_model?.[1]).not.toHaveProperty('cached_share')
    expect(combineRuns(runs.slice(0, 2)).volumes).not.toHaveProperty('by_model')
  })

  test('has how often tools fail, how long they take and how much they return', () => {
    const tool = (name: string, calls: number, outputTokens: readonly number[]) => ({
      ...{ name, description: '', parameters: null, isTooLong: false, isDefined: true },
      ...{ isMcp: false, definitions: [], calls, errors: 1, latenciesMs: [100, 300], outputTokens },
    })
    const { tools, volumes } = combineRuns([
      run({ facts: facts({ tools: [tool('search', 9, [200, 400]), tool('close', 3, [20])] }) }),
      run({ facts: facts({ tools: [tool('search', 1, [])] }) }),
    ])
    const latency = { latencyMsP50: 200 }
    expect(tools).toMatchObject([
      { name: 'search', calls: 10, errors: 2, outputTokensP50: 300, outputTokensP90: 380 },
      { name: 'close', calls: 3, errors: 1, outputTokensP50: 20, ...latency },
    ])
    expect(volumes.tool_output_tokens).toBe((9 * 300 + 3 * 20) / 12)
  })

  test('has the runs of a month, and notes what was counted and what was not', () => {
    const monthly = { runs: 1200, isExact: false, of: 'the service support' }
    const { volumes, notes } = combineRuns([run({ facts: facts({ mediaCalls: 2 }) })], monthly)
    expect(volumes.runs_per_month).toBe(1200)
    expect(notes.slice(0, 2)).toEqual([
      'Runs per month: about 1,200, the traces with the service support in the last 30 days.',
      '2 model calls have images or other media. Their tokens are part of the recorded input, but of no counter factor.',
    ])
  })

  test('has a formal or informal tone where many answers show it', () => {
    const answer = (sign: (typeof toneSigns)[number], n: number) => ({
      ...{ spanId: `${n}`, words: 10, language: 'German', signs: n < 2 ? { [sign]: 'x' } : {} },
    })
    const toneOf = (sign: (typeof toneSigns)[number]) =>
      combineRuns([run({ facts: facts({ answers: [0, 1, 2].map((n) => answer(sign, n)) }) })]).tone
    expect(toneOf('formal_address')).toMatchObject({ formality: 'formal', language: 'German' })
    expect(toneOf('formal_address').text).toBe(
      'Answer in German in about 10 words, rarely more than 10. Write in a formal tone.',
    )
    expect(toneOf('contractions').formality).toBe('informal')
    expect(toneOf('courtesy').formality).toBe('neutral')
  })
})
