import { describe, expect, test } from 'vitest'
import type { Step } from '../../test/scripted-model.ts'
import { requestsPerTest, runningModel, toGatewayModel } from '../../test/scripted-model-suite.ts'
import { nothingAllowed } from '../platform/network-rules.ts'
import { openModelGateway } from './gateway.ts'
import type { GatewayModel } from './gateway-model.ts'
import type { CallReport } from './model-call.ts'
import { openModelOutbound } from './model-outbound.ts'
import type { ReplyCall, ReplyPart } from './reply-call.ts'

const scripted = runningModel()
const { sent, received } = requestsPerTest(scripted)

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

const stream = (changes: Partial<ReplyCall> = {}, target = model()) =>
  openModelGateway({ retryMs: 1 }).stream(target, call(changes))

async function read(reply: AsyncIterable<ReplyPart>): Promise<ReplyPart[]> {
  const parts: ReplyPart[] = []
  for await (const part of reply) parts.push(part)
  return parts
}

describe('one retry before the first part', () => {
  test.each<readonly [what: string, step: Step]>([
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['503 with a delay', { status: 503, headers: { 'retry-after': '0' } }],
    ['a connection that closes without a response', 'hang-up'],
    ['a connection that breaks before the text', 'cut'],
    ['an end before the text', { pieces: [{ ending: 'end' }] }],
    ['an error event of an overloaded server', { pieces: [{ error: 'Overloaded.' }] }],
  ])('follows %s', async (_what, step) => {
    scripted.play(step, { answer: 'A test.' })
    const parts = await read(stream())
    expect(parts.at(-1)).toMatchObject({ type: 'end', report: { attempts: 2 } })
    expect(sent()).toHaveLength(2)
  })

  test('is the only one', async () => {
    scripted.play({ status: 500 }, { status: 500 })
    await expect(read(stream())).rejects.toMatchObject({
      ...{ kind: 'provider_error', status: 500, report: { attempts: 2 } },
    })
    expect(sent()).toHaveLength(2)
  })

  test.each([400, 401, 404, 302])('never follows %s', async (status) => {
    scripted.play({ status })
    await expect(read(stream())).rejects.toMatchObject({ status, report: { attempts: 1 } })
    expect(sent()).toHaveLength(1)
  })

  test('leaves out what reasoning models do not accept', async () => {
    const message = "Unsupported parameter: 'max_tokens' is not supported with this model."
    scripted.play({ status: 400, message }, { answer: 'A test.' })
    await read(stream({}, model({ provider: 'azure' })))
    expect(sent().at(-1)?.body).toMatchObject({ max_completion_tokens: 100, stream: true })
    expect(sent().at(-1)?.body).not.toHaveProperty('max_tokens')
  })
})

test('a compatible server that cannot be asked for usage is asked once', async () => {
  const message = "Extra inputs are not permitted: 'stream_options'"
  scripted.play({ status: 422, message }, { answer: 'A test.' }, { answer: 'A test.' })
  const gateway = openModelGateway({ retryMs: 1 })
  const attempts: unknown[] = []
  for (const _reply of [1, 2]) {
    const parts = await read(gateway.stream(model(), call()))
    attempts.push(parts.at(-1))
  }
  expect(attempts).toMatchObject([
    { report: { attempts: 2, costUsd: null } },
    { report: { attempts: 1, usage: { tokensIn: null } } },
  ])
  const asked = sent().map(({ body }) => 'stream_options' in body)
  expect(asked).toEqual([true, false, false])
})

describe('a reply fails', () => {
  test.each([
    [401, 'Bad.', 'The provider refused the API key (401). Check the key and its permissions.'],
    [
      400,
      'This model has a maximum context length of 8192 tokens.',
      'The text is longer than the context window of the model.',
    ],
    [
      400,
      'The response was filtered due to the content management policy.',
      "The provider's content filter refused the request.",
    ],
    [400, `Bad header: ${key}`, 'The provider responded with 400: Bad header: ….'],
  ])('at %i (%s) with a message for users', async (status, message, shown) => {
    scripted.play({ status, message })
    await expect(read(stream())).rejects.toMatchObject({ message: shown, status })
  })

  test.each(['openai-compatible', 'openai', 'mistral', 'anthropic'] as const)(
    'by an error event of %s with its message, without the key',
    async (provider) => {
      scripted.play({ pieces: ['A', { error: `Key ${key} has no quota`, code: 'quota' }] })
      const failed = read(stream({}, model({ provider })))
      await expect(failed).rejects.toMatchObject({
        kind: 'provider_error',
        message: expect.stringMatching(/: Key … has no quota\.$/),
      })
    },
  )

  test('with the tokens that the provider has reported so far', async () => {
    scripted.play({ pieces: ['A', { ending: 'cut' }] })
    await expect(read(stream({}, model({ provider: 'anthropic' })))).rejects.toMatchObject({
      message: 'The provider closed the connection before the end of its response.',
      report: { usage: { tokensIn: 100, tokensCacheRead: 40, tokensOut: null }, costUsd: null },
    })
  })

  test('without a text, and has its usage and cost', async () => {
    scripted.play({ pieces: [{ reasoning: 'Hm.' }] })
    await expect(read(stream())).rejects.toMatchObject({
      ...{
        kind: 'invalid_output',
        message: 'The model returned an empty reply. Try again, or choose another model.',
      },
      report: { usage: { tokensIn: 100 }, costUsd: 0.00026 },
    })
  })

  test.each<readonly [what: string, step: Step]>([
    ['not a stream', { garbage: '{"hello":"world"}' }],
    ['a page', { garbage: '<html>' }],
    ['an event that is not JSON', { pieces: ['A', { raw: 'data: {{\n\n' }] }],
    [
      'events of another form',
      { pieces: ['A', { raw: 'data: {"choices":[{"delta":{"content":[1]}}]}\n\n' }] },
    ],
  ])('if it is %s', async (_what, step) => {
    for (const provider of ['openai-compatible', 'openai', 'mistral'] as const) {
      scripted.play(step)
      await expect(read(stream({}, model({ provider })))).rejects.toMatchObject({
        name: 'ModelCallError',
        report: { attempts: 1 },
      })
    }
  })

  test('when its time is up, and its connection is closed', async () => {
    for (const step of ['stall', { pieces: ['A', { ending: 'stall' }] }] as const) {
      scripted.always(step)
      await expect(read(stream({ maxMs: 100 }))).rejects.toMatchObject({ kind: 'timeout' })
    }
    await scripted.idle()
    scripted.always({ answer: 'Yes.' })
  })

  test('without a key, and at a private address, before anything is sent', async () => {
    const withoutKey = model({ provider: 'openai', apiKey: null })
    await expect(read(stream({}, withoutKey))).rejects.toThrow('No API key is stored')
    const outbound = openModelOutbound(nothingAllowed)('acme')
    await expect(read(stream({}, model({ outbound })))).rejects.toThrow(
      'The address is in a private network.',
    )
    expect(sent()).toEqual([])
  })
})

describe('a reply that is aborted', () => {
  test('reports the tokens that are known', async () => {
    scripted.play({ pieces: ['A', { ending: 'stall' }] })
    const leave = new AbortController()
    const reports: CallReport[] = []
    const target = model({ provider: 'anthropic' })
    const reply = stream({ signal: leave.signal, onAbort: (one) => reports.push(one) }, target)
    const stopped = (async () => {
      for await (const part of reply) if (part.type === 'text') leave.abort(new Error('Stopped.'))
    })()
    await expect(stopped).rejects.toThrow('Stopped.')
    expect(reports).toMatchObject([{ attempts: 1, usage: { tokensIn: 100, tokensOut: null } }])
  })

  test('before the first part closes its connection', async () => {
    scripted.play('stall')
    const leave = new AbortController()
    const stopped = read(stream({ signal: leave.signal }))
    await received(1)
    leave.abort(new Error('Stopped.'))
    await expect(stopped).rejects.toThrow('Stopped.')
    await scripted.idle()
  })
})

describe('the allowance', () => {
  const openMeter = () => {
    const spent: number[] = []
    const meter = {
      isUsedUp: () => Promise.resolve(spent.length > 0),
      add: (usd: number) => Promise.resolve(void spent.push(usd)),
    }
    return { meter, spent }
  }
  /** Of 100 output tokens. */
  const worst = (100 * 10) / 1e6

  test('counts the cost of a reply, and stops the next one once it is used up', async () => {
    const { meter, spent } = openMeter()
    scripted.play({ answer: 'A test.' })
    await read(stream({}, model({ meter })))
    expect(spent).toEqual([0.00026])
    await expect(read(stream({}, model({ meter })))).rejects.toMatchObject({ kind: 'budget' })
    expect(sent()).toHaveLength(1)
  })

  test.each<
    readonly [
      what: string,
      step: Step,
      leave: (reply: AsyncIterable<ReplyPart>, stop: AbortController) => Promise<unknown>,
    ]
  >([
    ['breaks', { pieces: ['A', { ending: 'cut' }] }, (reply) => read(reply)],
    ['reports no usage', { pieces: ['A'], usage: null }, (reply) => read(reply)],
    [
      'is aborted',
      { pieces: ['A', { ending: 'stall' }] },
      async (reply, stop) => {
        for await (const _part of reply) stop.abort()
      },
    ],
    [
      'is not read to its end',
      { pieces: ['A', { ending: 'stall' }] },
      async (reply) => {
        for await (const _part of reply) break
      },
    ],
  ])('counts the most that a reply may have cost which %s, once', async (_what, step, leave) => {
    const { meter, spent } = openMeter()
    scripted.play(step)
    const stop = new AbortController()
    await leave(stream({ signal: stop.signal }, model({ meter })), stop).catch(() => undefined)
    expect(spent).toHaveLength(1)
    expect(spent[0]).toBeGreaterThanOrEqual(worst)
  })
})
