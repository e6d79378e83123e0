import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type FakeProvider, startFakeProvider } from '../../../e2e/fake-provider.ts'
import type { Step } from '../../test/scripted-model.ts'
import { requestsPerTest, runningModel, toGatewayModel } from '../../test/scripted-model-suite.ts'
import { nothingAllowed } from '../platform/network-rules.ts'
import { type GatewayLimits, openModelGateway } from './gateway.ts'
import type { GatewayModel } from './gateway-model.ts'
import type { StructuredCall } from './model-call.ts'
import { openModelOutbound } from './model-outbound.ts'
import { openPlainModels } from './plain-models.ts'

const scripted = runningModel()
const { sent, received } = requestsPerTest(scripted)
// A request of a call with a short limit may arrive after its test, so that a response for it would remain.
afterEach(() => scripted.always({ answer: 'Yes.' }))

const key = 'sk-the-canary-key'
const schema = z.object({ verdict: z.enum(['yes', 'no']), note: z.string().nullable() })
const verdict = { verdict: 'yes', note: null }

const model = (changes: Partial<GatewayModel> = {}) =>
  toGatewayModel(scripted, { model: 'judge-1', apiKey: key, ...changes })

type Verdict = z.output<typeof schema>

function call(changes: Partial<StructuredCall<Verdict>> = {}): StructuredCall<Verdict> {
  return {
    ...{ system: 'Judge the answer.', maxOutputTokens: 100, schema },
    messages: [{ role: 'user', content: 'Is it right?' }],
    signal: new AbortController().signal,
    ...changes,
  }
}

const open = (limits: Partial<GatewayLimits> = {}) => openModelGateway({ retryMs: 1, ...limits })

describe.each(['openai-compatible', 'openai', 'azure', 'mistral', 'anthropic'] as const)(
  'a call of %s',
  (provider) => {
    const isAnthropic = provider === 'anthropic'

    test('returns the object, with its usage and cost', async () => {
      scripted.play({ answer: verdict })
      const answer = await open().generate(model({ provider }), call())
      expect(answer).toEqual({
        value: verdict,
        text: JSON.stringify(verdict),
        usage: {
          ...{ tokensIn: 100, tokensOut: 10, tokensCacheRead: 40 },
          tokensCacheWrite: isAnthropic ? 0 : answer.usage.tokensCacheWrite,
          tokensReasoning: answer.usage.tokensReasoning,
        },
        costUsd: (60 * 2 + 40 * 1 + 10 * 10) / 1e6,
        stopReason: isAnthropic ? 'tool-calls' : 'stop',
        attempts: 1,
        latencyMs: expect.any(Number),
      })
    })

    test('requests the object by a JSON Schema or one forced tool, at temperature 0', async () => {
      scripted.play({ answer: verdict })
      await open().generate(model({ provider }), call())
      const [{ body, system, texts }] = sent() as [ReturnType<typeof sent>[0]]
      expect({ system, texts }).toEqual({ system: 'Judge the answer.', texts: ['Is it right?'] })
      expect(body).toMatchObject({ model: 'judge-1', max_tokens: 100, temperature: 0 })
      const properties = { verdict: { enum: ['yes', 'no'] } }
      expect(body).toMatchObject(
        isAnthropic
          ? {
              tools: [{ name: 'answer', input_schema: { properties } }],
              tool_choice: { type: 'tool', name: 'answer', disable_parallel_tool_use: true },
            }
          : {
              response_format: {
                type: 'json_schema',
                json_schema: { name: 'answer', schema: { properties } },
              },
            },
      )
    })

    test('sends the key in its header, and nowhere else', async () => {
      scripted.play({ answer: verdict })
      await open().generate(model({ provider }), call())
      const [{ headers, body, path }] = sent() as [ReturnType<typeof sent>[0]]
      const name = isAnthropic ? 'x-api-key' : provider === 'azure' ? 'api-key' : 'authorization'
      expect(headers[name]).toContain(key)
      expect(JSON.stringify({ body, path })).not.toContain(key)
    })

    test('returns a text if no object is asked for', async () => {
      scripted.play({ answer: 'It is right.' })
      const { schema: _, ...textCall } = call()
      const answer = await open().generate(model({ provider }), textCall)
      expect(answer).toMatchObject({ value: 'It is right.', stopReason: 'stop' })
    })

    test.each<readonly [what: string, step: Step]>([
      ['prose', { prose: 'The verdict is yes.' }],
      ['an object within prose', { prose: `Here it is: ${JSON.stringify(verdict)} Done.` }],
      ['two objects', { answers: [verdict, verdict] }],
      [
        'two objects that contradict each other',
        { answers: [verdict, { ...verdict, verdict: 'no' }] },
      ],
      ['an object of another form', { answer: { verdict: 'maybe', note: null } }],
      ['an empty object', { answer: {} }],
      ['nothing', { answers: [] }],
      ['a response that is not JSON', { garbage: '<html>' }],
      ['a response of another API', { garbage: '{"hello":"world"}' }],
    ])(
      'that gets %s instead of the object fails as invalid output, without a retry',
      async (_what, step) => {
        scripted.play(step)
        const failed = open().generate(model({ provider }), call())
        await expect(failed).rejects.toMatchObject({
          kind: 'invalid_output',
          report: { attempts: 1 },
        })
        expect(sent()).toHaveLength(1)
      },
    )
  },
)

// Mistral's API has no such response.
test.each(['openai-compatible', 'openai', 'azure', 'anthropic'] as const)(
  'a call of %s that the model refuses fails as refused',
  async (provider) => {
    scripted.play({ refusal: 'I cannot help with that.' })
    const failed = open().generate(model({ provider }), call())
    await expect(failed).rejects.toMatchObject({ kind: 'refused', report: { attempts: 1 } })
  },
)

test('an object outside of the forced tool is not read', async () => {
  scripted.play({ prose: JSON.stringify(verdict) })
  const failed = open().generate(model({ provider: 'anthropic' }), call())
  await expect(failed).rejects.toMatchObject({ kind: 'invalid_output' })
})

test('a failed answer has its usage, cost and text, because it was paid for', async () => {
  scripted.play({ answer: 'no object', stop: 'length' })
  const failed = open().generate(model(), call())
  await expect(failed).rejects.toMatchObject({
    ...{ kind: 'invalid_output', message: expect.stringContaining('cut off') },
    report: { text: 'no object', stopReason: 'length', usage: { tokensIn: 100 }, costUsd: 0.00026 },
  })
})

test('a call without usage or price has no cost', async () => {
  scripted.play({ answer: verdict, usage: null }, { answer: verdict })
  expect(await open().generate(model(), call())).toMatchObject({
    ...{ costUsd: null, usage: { tokensIn: null, tokensOut: null } },
  })
  expect(await open().generate(model({ rates: null }), call())).toMatchObject({ costUsd: null })
})

test.each([
  ['negative', { input: -1e9, output: 5 }],
  ['a negative part', { input: 10, output: 5, reasoning: -1 }],
  ['a fraction', { input: 10.5, output: 5 }],
  ['beyond any request', { input: 10, output: 1e300 }],
])('usage that is %s is unknown', async (_what, usage) => {
  scripted.play({ answer: verdict, usage })
  expect(await open().generate(model(), call())).toMatchObject({
    ...{ value: verdict, costUsd: null, usage: { tokensIn: null, tokensOut: null } },
  })
})

describe('a call of another provider', () => {
  let provided: FakeProvider
  beforeAll(async () => {
    provided = await startFakeProvider()
  })
  afterAll(() => provided.close())
  const at = (provider: 'google' | 'bedrock') =>
    model({ provider, baseUrl: new URL(provided.url).origin })

  test.each(['google', 'bedrock'] as const)(
    '%s returns a text, with its usage',
    async (provider) => {
      const { schema: _, ...textCall } = call()
      expect(await open().generate(at(provider), textCall)).toMatchObject({
        ...{ value: expect.stringContaining('Paris'), stopReason: 'stop' },
        usage: { tokensIn: 80, tokensCacheRead: 16 },
        costUsd: expect.any(Number),
      })
    },
  )

  test('bedrock reads an object from the forced tool', async () => {
    const ofCity = { ...call(), schema: z.object({ city: z.string() }) }
    expect(await open().generate(at('bedrock'), ofCity)).toMatchObject({ value: { city: 'Paris' } })
  })
})

describe('one retry', () => {
  test.each<readonly [what: string, step: Step]>([
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['503 with a delay', { status: 503, headers: { 'retry-after': '0' } }],
    ['529', { status: 529 }],
    ['a connection that breaks within the response', 'cut'],
    ['a connection that closes without a response', 'hang-up'],
  ])('follows %s', async (_what, step) => {
    scripted.play(step, { answer: verdict })
    const answer = await open().generate(model(), call())
    expect(answer).toMatchObject({ value: verdict, attempts: 2 })
  })

  test.each<readonly [what: string, step: Step]>([
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['a broken connection', 'hang-up'],
  ])('is the only one after %s', async (_what, step) => {
    scripted.play(step, step)
    const failed = open().generate(model(), call())
    await expect(failed).rejects.toMatchObject({ kind: 'provider_error', report: { attempts: 2 } })
    expect(sent()).toHaveLength(2)
  })

  test.each([400, 401, 403, 404, 413, 422, 302])('never follows %s', async (status) => {
    scripted.play({ status })
    const failed = open().generate(model(), call())
    await expect(failed).rejects.toMatchObject({
      ...{ kind: 'provider_error', status, report: { attempts: 1 } },
    })
    expect(sent()).toHaveLength(1)
  })

  test('is not made if the provider asks for a delay beyond the deadline', async () => {
    scripted.play({ status: 429, headers: { 'retry-after': '3600' } })
    const failed = open().generate(model(), call())
    await expect(failed).rejects.toMatchObject({ status: 429, report: { attempts: 1 } })
    expect(sent()).toHaveLength(1)
  })

  test('leaves out what reasoning models do not accept, under any name of a deployment', async () => {
    const message = "Unsupported parameter: 'max_tokens' is not supported with this model."
    scripted.play({ status: 400, message }, { answer: verdict })
    await open().generate(model({ provider: 'azure' }), call())
    const [first, second] = sent()
    expect(first?.body).toMatchObject({ max_tokens: 100, temperature: 0 })
    expect(second?.body).toMatchObject({ max_completion_tokens: 100 })
    expect(second?.body).not.toHaveProperty('temperature')
    expect(second?.body).not.toHaveProperty('max_tokens')
  })

  test('for refused parameters is made once for a model, and again if it is another one now', async () => {
    const refusalOf = (name: string): Step => ({
      ...{ status: 400, message: `Unsupported parameter: '${name}' is not supported.` },
    })
    const gateway = open()
    const attempts = async (name: string) =>
      (await gateway.generate(model({ provider: 'azure', model: name }), call())).attempts
    scripted.play(refusalOf('max_tokens'), { answer: verdict }, { answer: verdict })
    expect([await attempts('a'), await attempts('a')]).toEqual([2, 1])
    expect(sent().at(-1)?.body).toMatchObject({ max_completion_tokens: 100 })
    scripted.play({ answer: verdict })
    expect(await attempts('b')).toBe(1)
    expect(sent().at(-1)?.body).toMatchObject({ max_tokens: 100, temperature: 0 })
    const answered = { answer: verdict }
    scripted.play(refusalOf('max_completion_tokens'), answered, answered)
    expect([await attempts('a'), await attempts('a')]).toEqual([2, 1])
    expect(sent().at(-1)?.body).toMatchObject({ max_tokens: 100, temperature: 0 })
  })

  test('is remembered of the newest models only', async () => {
    const plain = openPlainModels()
    for (let n = 0; n <= 1000; n += 1) plain.set(model({ model: `m${n}` }), true)
    expect([0, 1, 1000].map((n) => plain.has(model({ model: `m${n}` })))).toEqual([
      ...[false, true, true],
    ])
    expect(plain.has(model({ model: 'm1', organizationId: 'other' }))).toBe(false)
  })
})

describe('a call that fails', () => {
  test.each(['openai-compatible', 'openai', 'mistral'] as const)(
    'because the response of %s has too many values is not validated one by one',
    async (provider) => {
      const garbage = `{"id":"a","created":1,"model":"m","choices":[${'1,'.repeat(20_000)}1]}`
      scripted.play({ garbage })
      const failed = open().generate(model({ provider }), call())
      await expect(failed).rejects.toMatchObject({
        kind: 'provider_error',
        message: expect.stringContaining('The response has too many values'),
        report: { attempts: 1 },
      })
    },
  )

  test('because its object has too many values is not validated one by one', async () => {
    const validated = vi.fn<(value: number) => boolean>(() => true)
    const list = z.object({ list: z.array(z.number().refine(validated)) })
    scripted.play({ answer: { list: Array(20_000).fill(1) } }, { answer: { list: [1] } })
    const failed = open().generate(model(), { ...call(), schema: list })
    await expect(failed).rejects.toMatchObject({ kind: 'invalid_output' })
    expect(validated).not.toHaveBeenCalled()
    await open().generate(model(), { ...call(), schema: list })
    expect(validated).toHaveBeenCalledOnce()
  })

  test.each<readonly [kind: string, status: number, message: string]>([
    ['refused', 400, 'The response was filtered due to the content management policy.'],
    ['provider_error', 400, 'Invalid schema for response_format.'],
  ])('is %s at %i: %s', async (kind, status, message) => {
    scripted.play({ status, message })
    await expect(open().generate(model(), call())).rejects.toMatchObject({ kind, status })
  })

  test.each([
    [400, 'This model has a maximum context length of 8192 tokens.'],
    [400, 'prompt is too long: 210000 tokens > 200000 maximum'],
    [413, 'Input is too long for the requested model.'],
  ])('at %i because the text is too long says so: %s', async (status, reported) => {
    scripted.play({ status, message: reported })
    const message = 'The text is longer than the context window of the model.'
    const failed = open().generate(model(), call())
    await expect(failed).rejects.toMatchObject({ kind: 'provider_error', message, status })
  })

  test.each([
    [400, `Bad header: Bearer ${key}`, 'The provider responded with 400: Bad header: Bearer ….'],
    [
      401,
      `Incorrect API key provided: ${key.slice(0, 6)}`,
      'The provider refused the API key (401). Check the key and its permissions.',
    ],
    [
      404,
      'No model m',
      'The provider responded with 404: No model m. Check the model name and the base URL.',
    ],
  ])('with %i names the reason, but never the key', async (status, message, shown) => {
    scripted.play({ status, message })
    const error = await open()
      .generate(model(), call())
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: shown })
    const everything = `${(error as Error).stack} ${JSON.stringify(error)}`
    expect(everything).not.toContain(key)
    expect((error as Error).cause).toBeUndefined()
  })

  test('because its time is up is a timeout, and its connection is closed', async () => {
    scripted.always('stall')
    const failed = open({ callMs: 50 }).generate(model(), call())
    await expect(failed).rejects.toMatchObject({ kind: 'timeout', report: { attempts: 1 } })
    await scripted.idle()
  })

  test('at its own deadline is a timeout, also while it waits for its turn', async () => {
    const gateway = open({ calls: 1 })
    // A request of an earlier test may still arrive, and must not get the response that is meant for the first call.
    scripted.always('stall')
    const texts = () => JSON.stringify(sent().map(({ body }) => body))
    const leave = new AbortController()
    const first = gateway.generate(model(), call({ system: 'First.', signal: leave.signal }))
    await expect.poll(texts).toContain('First.')
    const late = call({ system: 'Second.', deadline: Date.now() + 20 })
    const second = gateway.generate(model(), late)
    await expect(second).rejects.toMatchObject({ kind: 'timeout', report: { attempts: 0 } })
    leave.abort()
    await expect(first).rejects.toBe(leave.signal.reason)
    expect(texts()).not.toContain('Second.')
    await scripted.idle()
  })

  test('has its whole time for itself, however long it waited for its turn before its deadline', async () => {
    const gateway = open({ calls: 1, callMs: 20 })
    scripted.always('stall')
    const deadline = Date.now() + 60_000
    const both = [gateway.generate(model(), call()), gateway.generate(model(), call({ deadline }))]
    const late = { status: 'rejected', reason: { kind: 'timeout', report: { attempts: 1 } } }
    expect(await Promise.allSettled(both)).toMatchObject([late, late])
    await scripted.idle()
  })

  test('after its deadline sends nothing', async () => {
    const failed = open().generate(model(), call({ deadline: Date.now() }))
    await expect(failed).rejects.toMatchObject({ kind: 'timeout', report: { attempts: 0 } })
    expect(sent()).toEqual([])
  })

  test('because it is canceled rejects with the reason, and its connection is closed', async () => {
    scripted.play('stall')
    const leave = new AbortController()
    const canceled = open().generate(model(), call({ signal: leave.signal }))
    await received(1)
    leave.abort(new Error('The reader has gone.'))
    await expect(canceled).rejects.toThrow('The reader has gone.')
    await scripted.idle()
    expect(sent()).toHaveLength(1)
  })

  test('because it has no key sends nothing, and no key of the environment', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-of-the-operator')
    const failed = open().generate(model({ provider: 'openai', apiKey: null }), call())
    await expect(failed).rejects.toMatchObject({
      ...{ kind: 'provider_error', message: expect.stringMatching(/^No API key is stored/) },
    })
    vi.unstubAllEnvs()
    expect(sent()).toEqual([])
  })

  test('because the address is private reaches nobody', async () => {
    const outbound = openModelOutbound(nothingAllowed)('acme')
    const failed = open().generate(model({ outbound }), call())
    await expect(failed).rejects.toMatchObject({
      kind: 'provider_error',
      message: expect.stringContaining('The address is in a private network.'),
    })
    expect(sent()).toEqual([])
  })
})

describe('the allowance', () => {
  test('counts answers, failed ones too, and stops calls once it is used up', async () => {
    let spent = 0
    const meter = {
      isUsedUp: () => Promise.resolve(spent >= 0.0005),
      add: (usd: number) => Promise.resolve(void (spent += usd)),
    }
    const metered = model({ meter })
    scripted.play({ answer: verdict }, { answer: 'no object' })
    await open().generate(metered, call())
    expect(spent).toBeCloseTo(0.00026, 10)
    await expect(open().generate(metered, call())).rejects.toMatchObject({ kind: 'invalid_output' })
    expect(spent).toBeCloseTo(0.00052, 10)
    await expect(open().generate(metered, call())).rejects.toMatchObject({
      ...{ kind: 'budget', report: { attempts: 0 } },
    })
    expect(sent()).toHaveLength(2)
  })

  test('counts an estimate if the provider reports no usage', async () => {
    let spent = 0
    const meter = {
      isUsedUp: () => Promise.resolve(false),
      add: (usd: number) => Promise.resolve(void (spent += usd)),
    }
    scripted.play({ answer: verdict, usage: null })
    await open().generate(model({ meter }), call())
    expect(spent).toBeGreaterThanOrEqual((100 * 10) / 1e6)
  })

  test('counts the most that a call may have cost which ends before its answer, and nothing before it is sent', async () => {
    const spent: number[] = []
    const meter = {
      isUsedUp: () => Promise.resolve(false),
      add: (usd: number) => Promise.resolve(void spent.push(usd)),
    }
    const leave = new AbortController()
    scripted.always('stall')
    const left = open().generate(model({ meter }), call({ signal: leave.signal }))
    await received(1)
    leave.abort()
    await expect(left).rejects.toBe(leave.signal.reason)
    await expect(open({ callMs: 50 }).generate(model({ meter }), call())).rejects.toMatchObject({
      kind: 'timeout',
    })
    await expect(open().generate(model({ meter }), call({ signal: leave.signal }))).rejects.toBe(
      leave.signal.reason,
    )
    expect(spent).toHaveLength(2)
    for (const usd of spent) expect(usd).toBeGreaterThanOrEqual((100 * 10) / 1e6)
  })
})

describe('calls at once', () => {
  test('are limited for each organization and in all', async () => {
    const gateway = open({ callsOfOrganization: 2, calls: 3 })
    scripted.always('stall')
    const leave = new AbortController()
    const send = (organizationId: string) =>
      gateway.generate(
        model({ organizationId, model: organizationId }),
        call({ signal: leave.signal }),
      )
    const calls = [...Array.from({ length: 5 }, () => send('acme')), send('globex'), send('globex')]
    await received(3)
    const models = sent().map(({ body }) => String(body['model']))
    expect(models.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['acme', 'acme', 'globex'])
    leave.abort()
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    await scripted.idle()
    scripted.always({ answer: verdict })
    expect(sent()).toHaveLength(3)
    expect(await gateway.generate(model(), call())).toMatchObject({ value: verdict })
  })
})
