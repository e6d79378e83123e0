import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeProvider, startFakeProvider } from '../../../e2e/fake-provider.ts'
import { runningModel, toGatewayModel } from '../../test/scripted-model-suite.ts'
import { openModelGateway } from './gateway.ts'
import type { GatewayModel } from './gateway-model.ts'
import type { AgentCall, AgentMessage } from './model-call.ts'

const scripted = runningModel()
let fake: FakeProvider
beforeAll(async () => {
  fake = await startFakeProvider()
})
afterAll(() => fake.close())

const gateway = openModelGateway({ retryMs: 1 })

const model = (changes: Partial<GatewayModel> = {}) => toGatewayModel(scripted, changes)

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const weather = { name: 'get_weather', description: 'The weather in a city.', parameters }
const question: AgentMessage = { role: 'user', content: 'What is the weather in Paris?' }

function call(messages: readonly AgentMessage[] = [question], tools = [weather]): AgentCall {
  const signal = new AbortController().signal
  return { system: 'You report the weather.', messages, tools, maxOutputTokens: 100, signal }
}

/** Requests a call, sends its result, and returns the answer. */
async function converse(of: GatewayModel) {
  const first = await gateway.generate(of, call())
  const [requested] = first.value.calls
  if (requested === undefined) throw new Error('no call')
  const results = [{ callId: requested.id, name: requested.name, text: '14 degrees' }]
  const last = await gateway.generate(
    of,
    call([
      question,
      { role: 'assistant', content: first.value.text, calls: first.value.calls },
      { role: 'tool', results },
    ]),
  )
  return { first, last, requested }
}

const scriptedProviders = ['openai-compatible', 'openai', 'azure', 'mistral', 'anthropic'] as const

describe.each(scriptedProviders)('an agent on %s', (provider) => {
  test('calls a tool, gets its result and answers', async () => {
    const calls = [{ name: 'get_weather', arguments: { city: 'Paris' } }]
    scripted.play({ calls, text: 'One moment.' }, { answer: 'It is 14 degrees.' })
    const { first, last, requested } = await converse(model({ provider }))
    expect(first).toMatchObject({ value: { text: 'One moment.' }, stopReason: 'tool-calls' })
    expect(first.costUsd).toBeCloseTo((60 * 2 + 40 + 10 * 10) / 1e6, 12)
    expect(requested).toMatchObject({ name: 'get_weather', input: { city: 'Paris' } })
    expect(last.value).toEqual({ text: 'It is 14 degrees.', calls: [] })

    const [declared, sent] = scripted.requests.slice(-2).map(({ body }) => JSON.stringify(body))
    expect(declared).toContain('"name":"get_weather"')
    expect(declared).toContain('"required":["city"]')
    expect(declared).not.toContain('response_format')
    const id = requested.id
    expect(sent?.split(id)).toHaveLength(3)
    for (const text of ['One moment.', 'Paris', '14 degrees']) expect(sent).toContain(text)
  })

  test('can call several tools at once', async () => {
    const at = (city: string) => ({ name: 'get_weather', arguments: { city } })
    scripted.play({ calls: [at('Paris'), at('Rome')] })
    const { value } = await gateway.generate(model({ provider }), call())
    expect(value.calls.map(({ input }) => input)).toEqual([{ city: 'Paris' }, { city: 'Rome' }])
    expect(new Set(value.calls.map(({ id }) => id)).size).toBe(2)
  })

  test('without tools answers', async () => {
    scripted.play({ answer: 'Hello.' })
    const { value } = await gateway.generate(model({ provider }), call([question], []))
    expect(value).toEqual({ text: 'Hello.', calls: [] })
    expect(scripted.requests.at(-1)?.body).not.toHaveProperty('tools')
  })

  test('that answers nothing fails as invalid output, with its cost', async () => {
    scripted.play({ answers: [] })
    const failed = gateway.generate(model({ provider }), call())
    const report = { costUsd: expect.any(Number), attempts: 1 }
    await expect(failed).rejects.toMatchObject({ kind: 'invalid_output', report })
  })
})

describe.each(['google', 'bedrock'] as const)('an agent on %s', (provider) => {
  test('calls a tool, gets its result and answers', async () => {
    const of = model({ provider, baseUrl: new URL(fake.url).origin })
    const { first, last, requested } = await converse(of)
    expect(requested).toMatchObject({ name: 'get_weather', input: { city: 'Paris' } })
    expect(first.costUsd).toBeGreaterThan(0)
    expect(last.value).toMatchObject({ text: expect.stringContaining('Paris'), calls: [] })
  })
})

describe('the arguments of a call', () => {
  test.each([
    ['no JSON', '{"city": "Par', undefined],
    ['JSON that is no object', '["Paris"]', undefined],
    ['more values than are validated', `{"city":[${'1,'.repeat(20_000)}1]}`, undefined],
    ['nested too deeply', `{"city":${'['.repeat(5000)}${']'.repeat(5000)}}`, undefined],
    ['nothing', '', {}],
  ])('that are %s are kept as text, and read if they are an object', async (_what, sent, input) => {
    scripted.play({ calls: [{ name: 'get_weather', arguments: sent }] }, { answer: 'Sorry.' })
    const { requested, last } = await converse(model())
    expect(requested.input).toEqual(input)
    if (input === undefined) expect(requested.argumentsText).toBe(sent)
    expect(last.value.text).toBe('Sorry.')
  })

  test('go back with the data of the provider', async () => {
    const providerData = { google: { thoughtSignature: 'signed' } }
    const requested = { id: 'a', name: 'get_weather', argumentsText: '{}', input: {}, providerData }
    const bodies: string[] = []
    const { outbound } = model()
    const recording = {
      ...outbound,
      fetch: (url: string, init: Parameters<typeof outbound.fetch>[1]) => {
        bodies.push(String(init?.body))
        return outbound.fetch(url, init)
      },
    }
    const of = model({ provider: 'google', baseUrl: new URL(fake.url).origin, outbound: recording })
    const results = [{ callId: 'a', name: 'get_weather', text: '14 degrees', isError: true }]
    await gateway.generate(
      of,
      call([
        question,
        { role: 'assistant', content: '', calls: [requested] },
        { role: 'tool', results },
      ]),
    )
    expect(bodies[0]).toContain('"thoughtSignature":"signed"')
  })
})
