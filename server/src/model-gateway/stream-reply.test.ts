import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeProvider, startFakeProvider } from '../../../e2e/fake-provider.ts'
import type { Step } from '../../test/scripted-model.ts'
import { requestsPerTest, runningModel, toGatewayModel } from '../../test/scripted-model-suite.ts'
import { openModelGateway } from './gateway.ts'
import type { GatewayModel } from './gateway-model.ts'
import type { ReplyCall, ReplyPart } from './reply-call.ts'

const scripted = runningModel()
const { sent } = requestsPerTest(scripted)

const key = 'sk-the-canary-key'
const model = (changes: Partial<GatewayModel> = {}) =>
  toGatewayModel(scripted, { apiKey: key, ...changes })

function call(changes: Partial<ReplyCall> = {}): ReplyCall {
  return {
    ...{ system: 'Be brief.', maxOutputTokens: 100, maxMs: 30_000 },
    messages: [{ role: 'user', content: 'What is an assay?' }],
    signal: new AbortController().signal,
    ...changes,
  }
}

const gateway = openModelGateway({ retryMs: 1 })

async function read(reply: AsyncIterable<ReplyPart>): Promise<ReplyPart[]> {
  const parts: ReplyPart[] = []
  for await (const part of reply) parts.push(part)
  return parts
}

/** Deltas of a type, in order. */
const deltas = (parts: readonly ReplyPart[], type: 'text' | 'reasoning') =>
  parts.flatMap((part) => (part.type === type ? part.delta : []))

const ofApi = ['openai-compatible', 'openai', 'azure', 'mistral', 'anthropic'] as const

describe.each(ofApi)('a reply of %s', (provider) => {
  test('has its text in pieces, then its end with usage and cost', async () => {
    scripted.play({ pieces: ['A test', ' of what', ' it is.'] })
    const parts = await read(gateway.stream(model({ provider }), call()))
    expect(deltas(parts, 'text')).toEqual(['A test', ' of what', ' it is.'])
    expect(parts.at(-1)).toMatchObject({
      ...{ type: 'end', finish: 'stop' },
      report: {
        ...{ attempts: 1, stopReason: 'stop', text: null, latencyMs: expect.any(Number) },
        usage: { tokensIn: 100, tokensOut: 10, tokensCacheRead: 40 },
        costUsd: (60 * 2 + 40 * 1 + 10 * 10) / 1e6,
      },
    })
    expect(parts.filter(({ type }) => type === 'end')).toHaveLength(1)
  })

  test('asks for a stream with the prompt and the key, and for no temperature', async () => {
    await read(gateway.stream(model({ provider }), call()))
    const [{ body, system, texts, headers }] = sent() as [ReturnType<typeof sent>[0]]
    expect({ system, texts }).toEqual({ system: 'Be brief.', texts: ['What is an assay?'] })
    expect(body).toMatchObject({ stream: true, max_tokens: 100 })
    expect(body).not.toHaveProperty('temperature')
    expect(JSON.stringify(headers)).toContain(key)
  })

  test('sends a prompt of a million characters as it is', async () => {
    const long = 'Wörter "\u0001" 😀\n'.repeat(60_000)
    const messages = [
      { role: 'user', content: long },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: `${long}?` },
    ] as const
    await read(gateway.stream(model({ provider }), call({ system: long, messages })))
    const [{ system, texts, headers }] = sent() as [ReturnType<typeof sent>[0]]
    expect(system === long && texts[0] === long && texts[2] === `${long}?`).toBe(true)
    expect(headers).toHaveProperty('content-length')
    expect(headers).not.toHaveProperty('transfer-encoding')
  })

  test('that is cut off at its maximum length ends with that', async () => {
    scripted.play({ pieces: ['A'], stop: 'length' })
    const parts = await read(gateway.stream(model({ provider }), call()))
    expect(parts.at(-1)).toMatchObject({ type: 'end', finish: 'length' })
  })

  test.each<readonly [what: string, step: Step]>([
    ['a connection that breaks in the middle', { pieces: ['A', { ending: 'cut' }] }],
    ['an end without a finish reason', { pieces: ['A', { ending: 'end' }] }],
    ['an error event', { pieces: ['A', { error: 'Too busy.', code: 'overloaded_error' }] }],
  ])('with %s fails after its first part, without a retry', async (_what, step) => {
    scripted.play(step)
    const texts: string[] = []
    const failed = (async () => {
      for await (const part of gateway.stream(model({ provider }), call())) {
        if (part.type === 'text') texts.push(part.delta)
      }
    })()
    await expect(failed).rejects.toMatchObject({
      ...{ name: 'ModelCallError', kind: /provider_error|invalid_output/ },
      report: { attempts: 1 },
    })
    expect(texts).toEqual(['A'])
    expect(sent()).toHaveLength(1)
    await scripted.idle()
  })

  test('that is aborted rejects with the reason, and its connection is closed', async () => {
    scripted.play({ pieces: ['A', { ending: 'stall' }] })
    const leave = new AbortController()
    const reply = gateway.stream(model({ provider }), call({ signal: leave.signal }))
    const parts = reply[Symbol.asyncIterator]()
    expect(await parts.next()).toMatchObject({ value: { delta: 'A' } })
    const next = parts.next()
    leave.abort(new Error('Stopped.'))
    await expect(next).rejects.toThrow('Stopped.')
    await scripted.idle()
  })

  test('that nobody reads any more is closed', async () => {
    scripted.play({ pieces: ['A', { ending: 'stall' }] })
    const parts: ReplyPart[] = []
    for await (const part of gateway.stream(model({ provider }), call())) {
      parts.push(part)
      break
    }
    expect(parts).toEqual([{ type: 'text', delta: 'A' }])
    await scripted.idle()
  })
})

describe('a reply of another provider', () => {
  let provided: FakeProvider
  beforeAll(async () => {
    provided = await startFakeProvider()
  })
  afterAll(() => provided.close())

  test.each(['google', 'bedrock'] as const)('%s has its text, with its usage', async (provider) => {
    const baseUrl = new URL(provided.url).origin
    const parts = await read(gateway.stream(model({ provider, baseUrl }), call()))
    expect(deltas(parts, 'text').join('')).toContain('Paris')
    expect(parts.at(-1)).toMatchObject({
      ...{ type: 'end', finish: 'stop' },
      report: { usage: { tokensIn: 80, tokensCacheRead: 16 }, costUsd: expect.any(Number) },
    })
  })
})

test.each(['openai-compatible', 'anthropic'] as const)(
  'reasoning of %s comes apart from the text',
  async (provider) => {
    scripted.play({ pieces: [{ reasoning: 'Let me' }, { reasoning: ' see.' }, 'A test.'] })
    const parts = await read(gateway.stream(model({ provider }), call()))
    expect(deltas(parts, 'reasoning')).toEqual(['Let me', ' see.'])
    expect(deltas(parts, 'text')).toEqual(['A test.'])
  },
)

// Mistral's API has no such response.
test.each(['openai-compatible', 'openai', 'azure', 'anthropic'] as const)(
  'a reply that the model or a filter of %s refuses, at once or in the middle, ends with the filter',
  async (provider) => {
    const refusals: readonly Step[] = [
      { refusal: 'I cannot help with that.' },
      { pieces: ['A'], stop: 'filter' },
    ]
    for (const step of refusals) {
      scripted.play(step)
      const parts = await read(gateway.stream(model({ provider }), call()))
      expect(parts.at(-1)).toMatchObject({ type: 'end', finish: 'filter' })
    }
  },
)
