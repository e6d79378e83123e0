import { setImmediate as nextLoop } from 'node:timers/promises'
import { limits } from '@assay/contract/limits.ts'
import { describe, expect, test } from 'vitest'
import { runningModel, toGatewayModel } from '../../test/scripted-model-suite.ts'
import type { Piece } from '../../test/scripted-stream.ts'
import { openModelGateway } from './gateway.ts'
import type { GatewayModel } from './gateway-model.ts'
import type { ReplyPart } from './reply-call.ts'

const scripted = runningModel()
const gateway = openModelGateway({ retryMs: 1 })

type Provider = GatewayModel['provider']

function stream(provider: Provider, signal = new AbortController().signal) {
  // Bedrock's client adds its own path.
  const baseUrl = provider === 'bedrock' ? new URL(scripted.url).origin : scripted.url
  return gateway.stream(toGatewayModel(scripted, { provider, baseUrl }), {
    ...{ system: '', maxOutputTokens: undefined, maxMs: 60_000, signal },
    messages: [{ role: 'user', content: 'What is an assay?' }],
  })
}

async function count(reply: AsyncIterable<ReplyPart>): Promise<number> {
  let parts = 0
  for await (const _part of reply) parts += 1
  return parts
}

/** A piece again and again, in chunks of about 64 KB, until the client leaves. */
function* endless(text: string): Generator<Piece> {
  const block = text.repeat(Math.ceil(65_536 / text.length))
  for (;;) yield { raw: block }
}

const eventOf = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const deltaOf = (delta: object) => eventOf({ choices: [{ index: 0, delta, finish_reason: null }] })

const providers = ['openai-compatible', 'openai', 'mistral', 'anthropic'] as const

describe.each(providers)('a hostile response of %s', (provider) => {
  test.each<readonly [what: string, pieces: () => Iterable<Piece>, message: string]>([
    ['a line of 20 MB', () => [{ raw: `data: "${'a'.repeat(20_000_000)}"\n\n` }], 'too long'],
    ['a line without an end', () => endless('a'), 'too long'],
    ['an event without an end', () => endless('data: a\n'), 'too long'],
    [
      'an event with a million values',
      () => [{ raw: `data: [${'1,'.repeat(500_000)}1]\n\n` }],
      'too many values',
    ],
    [
      'an event that is nested 10,000 deep',
      () => [{ raw: `data: ${'['.repeat(10_000)}${']'.repeat(10_000)}\n\n` }],
      'nested too deeply',
    ],
  ])('with %s fails before its end, and is closed', async (_what, pieces, message) => {
    scripted.always(() => ({ pieces: pieces() }))
    await expect(count(stream(provider))).rejects.toMatchObject({
      name: 'ModelCallError',
      message: expect.stringContaining(message),
    })
    await scripted.idle()
  })
})

test.each<readonly [what: string, event: string, message: string]>([
  ['tiny events', 'data: {}\n\n', 'too many events'],
  ['comments', `: ${'wait'.repeat(250)}\n`, 'too large'],
])(
  'endless %s end at the limit',
  async (_what, event, message) => {
    scripted.always(() => ({ pieces: endless(event) }))
    await expect(count(stream('openai'))).rejects.toMatchObject({
      ...{ message: expect.stringContaining(message), report: { attempts: 1 } },
    })
    await scripted.idle()
  },
  120_000,
)

test('a frame of AWS that is longer than the limit, or no frame, is not collected', async () => {
  const prelude = (length: number) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt32BE(length, 0)
    return bytes
  }
  for (const first of [prelude(0xffff_ffff), prelude(0), prelude(12)]) {
    scripted.always(() => ({ pieces: [{ raw: first }, ...[...endless('a').take(200)]] }))
    await expect(count(stream('bedrock'))).rejects.toMatchObject({ name: 'ModelCallError' })
    await scripted.idle()
  }
})

test.each<readonly [what: string, provider: Provider, event: string]>([
  ['text', 'openai', deltaOf({ content: 'a' })],
  ['reasoning', 'openai-compatible', deltaOf({ reasoning_content: 'a' })],
])('endless %s leaves the event loop to others', async (_what, provider, event) => {
  scripted.always(() => ({ pieces: endless(event) }))
  const leave = new AbortController()
  let parts = 0
  const reading = (async () => {
    for await (const _part of stream(provider, leave.signal)) parts += 1
  })()
  reading.catch(() => undefined)
  const inTurn: number[] = []
  while (parts < 20_000) {
    const before = parts
    await nextLoop()
    inTurn.push(parts - before)
  }
  leave.abort(new Error('Stopped.'))
  await expect(reading).rejects.toThrow('Stopped.')
  await scripted.idle()
  // Many more arrive at once.
  expect(Math.max(...inTurn)).toBeLessThan(600)
})

test('calls of tools and probabilities of tokens beside a text do not end it', async () => {
  const logprobs = { content: Array.from({ length: 100 }, () => ({ token: 'a', logprob: -1 })) }
  const junk = 'x'.repeat(100_000)
  const call = { index: 0, id: 'call', function: { name: 'f', arguments: junk } }
  const choice = { index: 0, delta: { content: 'a', tool_calls: [call] }, logprobs }
  const sent = eventOf({ choices: [choice] })
  for (const provider of ['openai', 'openai-compatible', 'mistral'] as const) {
    scripted.always({ pieces: Array.from({ length: 300 }, () => ({ raw: sent })) })
    const parts: ReplyPart[] = []
    for await (const part of stream(provider)) parts.push(part)
    expect(parts.filter(({ type }) => type === 'text')).toHaveLength(300)
    expect(parts.at(-1)).toMatchObject({ type: 'end', finish: 'stop' })
  }
})

test('a reply of one-token events that is as long as replies may be is read whole', async () => {
  const token = ' abc'
  const events = limits.chatReplyLength.value / token.length
  const chunk = {
    ...{
      id: `chatcmpl-${'B'.repeat(29)}`,
      object: 'chat.completion.chunk',
      created: 1_741_570_283,
    },
    ...{ model: 'gpt-4o-2024-08-06', system_fingerprint: 'fp_50cad350e4' },
    choices: [{ index: 0, delta: { content: token }, logprobs: null, finish_reason: null }],
  }
  const block = eventOf(chunk).repeat(100)
  scripted.always({ pieces: Array.from({ length: events / 100 }, () => ({ raw: block })) })
  expect(await count(stream('openai'))).toBe(events + 1)
}, 120_000)
