import { agentConfig } from '@assay/contract/agent-config.ts'
import { estimateCost } from '@assay/contract/cost-calculator.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { exportTraces } from '@assay/contract/otlp.ts'
import { extractAgent, listTraceRuns } from '@assay/contract/trace-runs.ts'
import { describe, expect, test } from 'vitest'
import { type SentCall, type SentRun, toOtlp, traceIdOf } from '../../../test/recorded-runs.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)
const others = tenantPerTest(service)

const params = () => ({ projectId: tenant.projectId })
const send = async (...runs: readonly SentRun[]) => {
  await service.call(exportTraces, { body: toOtlp(runs) }, tenant.keyHeader)
  return runs.map(({ traceId }) => traceId)
}
const list = async () => await service.call(listTraceRuns, { params: params() }, viewer)
const extract = async (trace_ids: readonly string[]) =>
  await service.call(extractAgent, { params: params(), body: { trace_ids } }, viewer)
const extracted = async (...runs: readonly SentRun[]) => (await extract(await send(...runs))).data

const lookUp = {
  type: 'function',
  name: 'look_up_order',
  description: 'Finds an order.',
  parameters: { type: 'object', properties: { number: { type: 'string' } } },
}
const call = (changes: Partial<SentCall> = {}): SentCall => ({
  system: 'You answer questions about orders.',
  messages: [{ role: 'user', text: 'Where is my order 1042?' }],
  answer: { role: 'assistant', text: 'It is on the way to you and will be there in two days.' },
  ...{ tokensIn: 1000, tokensOut: 50, tools: [lookUp] },
  ...changes,
})
const run = (name: string, changes: Partial<SentRun> = {}): SentRun => ({
  ...{ traceId: traceIdOf(name), calls: [call()] },
  ...changes,
})
/** Two turns, with a tool call in the first. */
const conversation = (): readonly SentCall[] => {
  const asked = { role: 'user', text: 'Where is my order 1042?' } as const
  const request = { id: 'c1', name: 'look_up_order', arguments: { number: '1042' } }
  const looking = { role: 'assistant', call: request } as const
  const found = { role: 'tool', result: { id: 'c1', response: { state: 'sent' } } } as const
  const sent = { role: 'assistant', text: 'It was sent to you, and is on the way.' } as const
  const thanks = { role: 'user', text: 'Thanks!' } as const
  const last = { role: 'assistant', text: 'You are welcome, and have a good day!' } as const
  return [
    call({ messages: [asked], answer: looking }),
    call({ messages: [asked, looking, found], answer: sent, tokensIn: 1200 }),
    call({ messages: [asked, looking, found, sent, thanks], answer: last, tokensIn: 1300 }),
  ]
}

describe('the list of runs', () => {
  test('has what arrived over OTLP, newest first, without simulations and JSON batches', async () => {
    await send(run('old'), run('new', { startedMs: Date.parse('2026-11-02T10:00:00Z') }))
    const body = {
      trace_id: 'json',
      spans: [{ span_id: 's', name: 'a', started_at: '2026-11-03T10:00:00Z' }],
    }
    await service.call(ingestTrace, { body }, tenant.keyHeader)
    const { data, meta } = await list()
    expect(data.map(({ traceId }) => traceId)).toEqual(['new', 'old'].map(traceIdOf))
    expect(meta).toEqual({ page: 1, pageSize: 2, total: 2, cursor: null })
    expect(data[1]).toEqual({
      ...{ traceId: traceIdOf('old'), rootName: 'invoke_agent support', status: 'OK' },
      ...{ startedAt: '2026-11-01T10:00:00.000Z', durationMs: 5000, spanCount: 2 },
      ...{ llmCallCount: 1, toolCallCount: 0, tokensIn: 1000, tokensOut: 50, costUsd: 0.003 },
      ...{ environment: null, service: 'support', sdk: 'test' },
    })
  })

  test(`has at most the ${limits.listedTraceRuns.value} newest`, async () => {
    const count = limits.listedTraceRuns.value + 1
    await send(...Array.from({ length: count }, (_, n) => run(`${n}`, { startedMs: n * 1000 })))
    const { data, meta } = await list()
    expect([data.length, meta.pageSize]).toEqual([count - 1, count - 1])
    expect(data.at(-1)?.startedAt).toBe('1970-01-01T00:00:01.000Z')
  })
})

describe('an extraction', () => {
  test('T1: has the volumes, tools and turns of its runs, and counts no wrapper twice', async () => {
    const whole = run('a', { calls: conversation(), rootTokensIn: 3500 })
    const { items, volumes, emptyRunCount, tools } = await extracted(whole, run('b'))
    expect(items).toEqual([
      {
        ...{ traceId: traceIdOf('a'), model: 'gpt-4o', tools: ['look_up_order'], turns: 2 },
        ...{ tokensIn: 3500, tokensOut: 150, llmCalls: 3, toolCalls: 1, excluded: null },
        costUsd: expect.closeTo(3500 * 2.5e-6 + 150 * 10e-6, 9),
      },
      expect.objectContaining({ turns: 1, llmCalls: 1, toolCalls: 0, tools: [] }),
    ])
    expect(volumes).toMatchObject({
      ...{ runs: 2, model: 'gpt-4o', turns_mean: 1.5, llm_calls_p50: 2, llm_calls_p90: 2.8 },
      ...{ tokens_in_mean: 2250, tokens_out_mean: 100, tool_calls_mean: 0.5 },
    })
    expect(tools).toEqual([
      {
        ...{ name: 'look_up_order', description: 'Finds an order.', source: 'defined' },
        ...{ parameters: lookUp.parameters, definitions: 1, calls: 1, runs: 2 },
        ...{ errors: 0, latencyMsP50: null, outputTokensP50: 5, outputTokensP90: 5 },
      },
    ])
    expect(emptyRunCount).toBe(0)
  })

  test('has the distinct system prompts, newest first, and suggests the one of the most runs', async () => {
    const later = Date.parse('2026-11-02T10:00:00Z')
    const other = [call({ system: 'You are brief.' })]
    const { systemPrompts, suggestion, notes } = await extracted(
      run('a', { calls: conversation() }),
      run('b'),
      run('c', { calls: other, startedMs: later }),
    )
    expect(systemPrompts.map(({ text, runs, calls }) => [text, runs, calls])).toEqual([
      ['You are brief.', 1, 1],
      ['You answer questions about orders.', 2, 4],
    ])
    expect(suggestion.system_prompt).toBe('You answer questions about orders.')
    expect(notes).toContain(
      'The runs have 2 system prompts. The suggestion has the one of the most runs.',
    )
  })

  test('has tools that no call defines, with parameters from their calls', async () => {
    const calls = conversation().map((one) => ({ ...one, tools: [] }))
    const { tools, suggestion, notes } = await extracted(run('a', { calls }))
    expect(tools).toMatchObject([
      {
        ...{ name: 'look_up_order', source: 'called', calls: 1 },
        parameters: { type: 'object', properties: { number: { type: 'string' } } },
      },
    ])
    expect(suggestion.tools[0]?.content).toContain('"number"')
    expect(notes.join()).toContain('their parameters follow from their calls: look_up_order')
  })

  test('has a tone with evidence', async () => {
    const { tone, suggestion } = await extracted(run('a', { calls: conversation() }))
    expect(tone).toMatchObject({ answers: 2, language: 'English', formality: 'neutral' })
    expect(tone.signs).toContainEqual({
      ...{ sign: 'exclamation_marks', answers: 1, traceId: traceIdOf('a') },
      ...{ spanId: '0000000000000004', quote: 'You are welcome, and have a good day!' },
    })
    expect(suggestion.tone).toMatch(/^Answer in English in about \d+ words/)
  })

  test('T12: counts runs without a model call, and leaves these and incomplete ones out of the volumes', async () => {
    const silent = call({ tokensIn: 0, tokensOut: 0 })
    const { items, volumes, emptyRunCount, notes } = await extracted(
      run('whole'),
      run('empty', { calls: [], toolSpans: ['look_up_order'] }),
      run('sampled', { rootTokensIn: 9000 }),
      run('silent', { calls: [silent] }),
    )
    expect(items.map(({ excluded }) => excluded)).toEqual([
      ...[null, 'no_model_call', 'incomplete', 'no_usage'],
    ])
    expect([volumes.runs, volumes.tokens_in_mean, emptyRunCount]).toEqual([1, 1000, 1])
    expect(notes).toContain('1 of 4 runs report no tokens and are not part of the volumes.')
  })

  test('of runs without recorded contents has volumes and a placeholder for the prompt', async () => {
    const bare = { messages: [], answer: { role: 'assistant' }, tools: [] } as const
    const { system: _system, ...rest } = call(bare)
    const data = await extracted(run('a', { calls: [rest] }))
    expect(data).toMatchObject({ systemPrompts: [], tools: [], volumes: { tokens_in_mean: 1000 } })
    expect(data.tone).toMatchObject({ text: '', answers: 0, language: null })
    expect(data.items[0]?.turns).toBeNull()
    expect(data.suggestion.system_prompt).toBe('You are a helpful assistant.')
    expect(data.notes).toContain(
      'No run has a system prompt in its messages. Enter the one of your agent.',
    )
  })

  test('has a valid suggestion, and notes, for prompts and tools beyond all limits', async () => {
    const tools = Array.from({ length: 60 }, (_, n) => ({
      ...{ type: 'function', name: `tool_${n}`, description: '😀'.repeat(400) },
      parameters: { type: 'object', properties: { a: { description: 'x'.repeat(30_000) } } },
    }))
    const calls = [call({ system: `a${'😀'.repeat(11_000)}`, tools })]
    const { suggestion, notes } = await extracted(run('a', { calls }))
    expect(agentConfig.safeParse(suggestion).success).toBe(true)
    expect(suggestion.system_prompt).toHaveLength(19_999)
    expect(suggestion.tools).toHaveLength(limits.agentTools.value)
    expect(suggestion.tools[0]?.content).toBe('{"type":"object","properties":{"a":{}}}')
    expect(notes.join(' ')).toMatch(/cut at 20000 characters.* 50 tools .* of 60.*cut at 512/)
  })

  test('learns the counter factor of a model from 20 calls on, and the estimate uses it', async () => {
    const plain = 'the'.concat(' the'.repeat(999))
    const calls = (count: number) =>
      Array.from({ length: count }, () =>
        call({
          system: plain,
          messages: [{ role: 'user', text: plain }],
          tokensIn: 2400,
          tools: [],
        }),
      )
    const few = await extracted(run('few', { calls: calls(19) }))
    expect(few.counterFactors).toMatchObject([{ model: 'gpt-4o', calls: 19, isUsed: false }])
    expect(few.volumes.counter_factors).toBeUndefined()
    const { volumes, suggestion, counterFactors } = await extracted(run('20', { calls: calls(20) }))
    const factor = 2400 / 2006
    expect(counterFactors).toEqual([
      { model: 'gpt-4o', calls: 20, factor: expect.closeTo(factor, 3), isUsed: true },
    ])
    const body = { agent_config: suggestion, volumes, models: ['openai/gpt-4o', 'gpt-4o-mini'] }
    const { data } = await service.call(estimateCost, { params: params(), body }, viewer)
    const factors = data.perModel.map(({ assumptions }) =>
      assumptions.find(({ name }) => name === 'counter_factor'),
    )
    const unit = 'reported tokens per counted token'
    expect(factors).toEqual([
      { name: 'counter_factor', value: expect.closeTo(factor, 3), unit, origin: 'imported' },
      undefined,
    ])
  })

  test('T3: learns the share of cached input and how tools behave, and the estimate uses them', async () => {
    const calls = Array.from({ length: 20 }, () => call({ tokensCached: 600 }))
    const toolSpans = ['look_up_order', '!look_up_order', 'look_up_order', '!look_up_order']
    const { volumes, tools, suggestion } = await extracted(run('a', { calls, toolSpans }))
    expect(volumes.cached_share).toBeCloseTo(0.6, 6)
    expect(tools).toMatchObject([{ calls: 4, errors: 2, latencyMsP50: 1 }])
    const models = ['gpt-4o-mini', 'claude-sonnet-5']
    const body = { agent_config: suggestion, volumes, models }
    const { data } = await service.call(estimateCost, { params: params(), body }, viewer)
    const [sameProvider, other] = data.perModel.map(({ assumptions }) =>
      assumptions.filter(({ unit }) => unit === 'share'),
    )
    const learned = { name: 'cached_share', value: expect.closeTo(0.6, 6), unit: 'share' }
    expect(sameProvider).toEqual([{ ...learned, origin: 'imported' }])
    expect(other).toMatchObject([{ name: 'cache_hit_share', origin: 'prior' }])
    const [{ inputTokens, cachedInputTokens } = { inputTokens: 1, cachedInputTokens: 0 }] =
      data.perModel
    expect(cachedInputTokens / inputTokens).toBeCloseTo(0.6, 3)
  })

  test('T20: has the tokens of calls with images in the volumes only, and notes them', async () => {
    const image = 'https://images.test/order.png'
    const messages = [{ role: 'user' as const, text: 'What is this?', image }]
    const calls = Array.from({ length: 20 }, () => call({ messages, tokensIn: 1800 }))
    const { volumes, counterFactors, notes } = await extracted(run('a', { calls }))
    expect([volumes.tokens_in_mean, counterFactors]).toEqual([36_000, []])
    expect(notes).toContain(
      '20 model calls have images or other media. Their tokens are part of the recorded input, but of no counter factor.',
    )
  })

  test('has the runs of the same agent in the last 30 days', async () => {
    const now = Date.now()
    const day = 24 * 3_600_000
    const at = (name: string, days: number, service = 'support') =>
      run(name, { startedMs: now - days * day, service })
    await send(at('b', 2), at('c', 20), at('old', 40), at('other', 1, 'billing'))
    const { volumes, notes } = await extracted(at('a', 1))
    expect(volumes.runs_per_month).toBe(3)
    expect(notes).toContain(
      'Runs per month: 3, the traces with the name invoke_agent support and the service support in the last 30 days.',
    )
    const both = await extracted(at('d', 1), at('e', 1, 'billing'))
    expect(both.volumes.runs_per_month).toBe(6)
  })

  test('of a trace larger than what is read has all its tokens, its first prompt, and a note', async () => {
    const large = call({ messages: [{ role: 'user', text: 'word '.repeat(700_000) }] })
    const calls = [call(), ...Array.from({ length: 6 }, () => large), call({ system: 'Last.' })]
    const { items, systemPrompts, notes } = await extracted(run('large', { calls }))
    expect(items).toMatchObject([{ tokensIn: 8000, llmCalls: 8, turns: null, excluded: null }])
    expect(systemPrompts).toHaveLength(1)
    expect(notes[0]).toMatch(/^Only the first spans of trace \w+ were read, because it is large/)
  })

  test('takes each trace once, in the order of the request', async () => {
    const [a = '', b = ''] = await send(run('a'), run('b'))
    const { traceIds, volumes } = (await extract([b, a, b])).data
    expect([traceIds, volumes.runs]).toEqual([[b, a], 2])
  })

  test('of an unknown trace, or one of another project, is refused', async () => {
    await service.call(exportTraces, { body: toOtlp([run('theirs')]) }, others.keyHeader)
    const [own = ''] = await send(run('a'))
    for (const id of ['unknown', traceIdOf('theirs')]) {
      const { status, error } = await extract([own, id])
      expect([status, error.code, error.message]).toEqual([
        ...[404, 'NOT_FOUND', `There is no trace ${id}.`],
      ])
    }
  })

  test.each([
    ['no trace id', []],
    ['26 trace ids', Array.from({ length: 26 }, (_, n) => `${n}`)],
    ['an empty trace id', ['']],
    ['a trace id of 65 characters', ['x'.repeat(65)]],
  ])('of %s is invalid', async (_name, ids) => {
    expect((await extract(ids)).error.code).toBe('VALIDATION_ERROR')
  })
})
