import { once } from 'node:events'
import type { ChatEvent } from '@assay/contract/chat-stream.ts'
import { limits } from '@assay/contract/limits.ts'
import { describe, expect, test } from 'vitest'
import { silent } from '../../test/accounts-database.ts'
import { noUsage } from '../domain/span.ts'
import { type CallReport, ModelCallError } from '../model-gateway/model-call.ts'
import type { ReplyPart } from '../model-gateway/reply-call.ts'
import { Unavailable } from '../platform/failure.ts'
import { noOtherProcesses } from '../platform/notifications.ts'
import { openReplies } from './replies.ts'
import type { EndedReply, PreparedTurn } from './reply-turn.ts'
import type { ReplyLimits, RunningReply } from './running-reply.ts'

/*
 * Replies with models that are iterators, and a store that records what it gets.
 */

const report: CallReport = {
  ...{ attempts: 1, latencyMs: 5, costUsd: 0.25, stopReason: 'stop', text: null },
  usage: { ...noUsage, tokensIn: 7, tokensOut: 3 },
}
const end = (finish: 'stop' | 'length' | 'filter' = 'stop'): ReplyPart => ({
  ...{ type: 'end', report, finish },
})
const text = (delta: string): ReplyPart => ({ type: 'text', delta })

type Script = (signal: AbortSignal) => AsyncIterable<ReplyPart>

const parts = (...all: readonly ReplyPart[]): Script =>
  async function* () {
    yield* all
  }

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

/** Writes the parts and then nothing, until it is aborted. */
const silentAfter = (...all: readonly ReplyPart[]): Script =>
  async function* (signal) {
    yield* all
    await untilAborted(signal)
    signal.throwIfAborted()
  }

const failsAfter = (error: Error, ...all: readonly ReplyPart[]): Script =>
  async function* () {
    yield* all
    throw error
  }

function play(write: Script, changed: Partial<ReplyLimits> = {}, turn: Partial<PreparedTurn> = {}) {
  const stored: EndedReply[] = []
  const renewed: string[] = []
  const replies = openReplies(
    { log: silent, notifications: noOtherProcesses },
    { retryMs: 0, ...changed },
  )
  const reply = replies.reserve(['acme', 'ana'], 100).start({
    ...{ userId: 'ana', conversationId: 'c', messageId: 'm', parentId: 'p', traceId: 't' },
    sealedFor: undefined,
    ...{ model: 'model-1', notices: [], write },
    async renew({ content }) {
      renewed.push(content)
      return true
    },
    async finish(ended) {
      stored.push(ended)
    },
    ...turn,
  })
  return { replies, reply, stored, renewed }
}

const readAll = (reply: RunningReply): Promise<ChatEvent[]> =>
  Array.fromAsync(reply.read(new AbortController().signal))

/** Resolves when the first text has come. */
async function readText(reply: RunningReply): Promise<void> {
  for await (const event of reply.read(new AbortController().signal))
    if (event.type === 'text') return
}

const summary = (events: readonly ChatEvent[]) =>
  events.map((event) => {
    if ('delta' in event) return `${event.type}: ${event.delta}`
    if (event.type === 'done') return `done: ${event.finish_reason}`
    return 'message' in event ? `${event.type}: ${event.message}` : event.type
  })

describe('a reply', () => {
  test('has its start, its text, its usage and its end, and is then stored', async () => {
    const { reply, stored } = play(
      parts({ type: 'reasoning', delta: 'Hm.' }, text('Yes.'), end()),
      {},
      { notices: ['Short.'] },
    )
    expect(await readAll(reply)).toEqual([
      {
        ...{ type: 'start', seq: 0, conversation_id: 'c', message_id: 'm', parent_id: 'p' },
        ...{ model: 'model-1', trace_id: 't' },
      },
      { type: 'notice', seq: 1, message: 'Short.' },
      { type: 'reasoning', seq: 2, delta: 'Hm.' },
      { type: 'text', seq: 3, delta: 'Yes.' },
      { type: 'usage', seq: 4, tokens_in: 7, tokens_out: 3, cost_usd: 0.25 },
      { type: 'done', seq: 5, message_id: 'm', finish_reason: 'stop' },
    ])
    expect(stored).toEqual([
      {
        ...{ content: 'Yes.', reasoning: 'Hm.', status: 'complete', finishReason: 'stop' },
        ...{ problem: null, report },
      },
    ])
  })

  test('that nobody reads is stored', async () => {
    const { reply, stored } = play(parts(text('Yes.'), end()))
    await reply.ended
    expect(stored[0]).toMatchObject({ content: 'Yes.', status: 'complete' })
  })

  test('is found by its user until it is stored', async () => {
    const { reply, replies } = play(silentAfter(text('Yes.')))
    expect(replies.find('ana', 'm')).toBe(reply)
    expect(replies.find('ben', 'm')).toBeUndefined()
    reply.stop()
    await reply.ended
    await expect.poll(() => replies.find('ana', 'm')).toBeUndefined()
    expect((await readAll(reply)).at(-1)).toMatchObject({ finish_reason: 'abort' })
  })

  test('chat case 2: that is stopped before its first token has no text, and is stored as aborted', async () => {
    const { reply, stored } = play(silentAfter())
    const events = readAll(reply)
    reply.stop()
    expect(summary(await events)).toEqual(['start', 'done: abort'])
    expect(stored[0]).toMatchObject({ content: '', status: 'aborted', finishReason: 'abort' })
  })

  test('that is stopped keeps what came, and takes nothing that comes later', async () => {
    const { reply, stored } = play(async function* (signal) {
      yield text('Yes')
      await untilAborted(signal)
      yield text(' and no')
      yield end()
    })
    await readText(reply)
    reply.stop()
    await reply.ended
    expect(stored[0]).toMatchObject({ content: 'Yes', status: 'aborted', report: undefined })
  })

  test.each(['length', 'filter'] as const)('can end for the reason %s', async (finish) => {
    const { reply, stored } = play(parts(text('Y'), end(finish)))
    expect(summary(await readAll(reply)).at(-1)).toBe(`done: ${finish}`)
    expect(stored[0]).toMatchObject({ status: 'complete', finishReason: finish })
  })

  test('of a provider that fails has the problem as its last event, and what came before', async () => {
    const problem = new ModelCallError('provider_error', 'The provider is busy.', { report })
    const { reply, stored } = play(failsAfter(problem, text('Y')))
    expect(summary(await readAll(reply))).toEqual([
      ...['start', 'text: Y', 'usage', 'error: The provider is busy.'],
    ])
    expect(stored[0]).toMatchObject({
      ...{ content: 'Y', status: 'failed', finishReason: null, problem: 'The provider is busy.' },
    })
  })

  test('that fails for another reason does not show it', async () => {
    const { reply } = play(failsAfter(new Error('secret')))
    expect(summary(await readAll(reply))).toEqual(['start', 'error: An unexpected error occurred.'])
  })

  test('that is too long ends with length, and its call is closed', async () => {
    let isClosed = false
    const { reply, stored } = play(
      async function* () {
        try {
          for (;;) yield text('1234')
        } finally {
          isClosed = true
        }
      },
      { replyLength: 10 },
    )
    expect(summary(await readAll(reply)).at(-1)).toBe('done: length')
    expect([isClosed, stored[0]?.content, stored[0]?.status]).toEqual([
      ...[true, '1234123412', 'complete'],
    ])
  })

  test('that takes too long has an error, then done with timeout, and is stored as failed', async () => {
    const { reply, stored } = play(silentAfter(text('Y')), { replyMs: 20 })
    const message = 'The reply took too long and was ended.'
    expect(summary(await readAll(reply))).toEqual([
      ...['start', 'text: Y', `error: ${message}`, 'done: timeout'],
    ])
    expect(stored[0]).toMatchObject({ content: 'Y', status: 'failed', finishReason: 'timeout' })
    expect(limits.chatReplySeconds.value).toBe(800)
  })

  test('is interrupted when the service stops, which waits for it, and no further one begins', async () => {
    const { reply, replies, stored } = play(silentAfter(text('Y')))
    await readText(reply)
    await replies.stop()
    expect(stored[0]).toMatchObject({ content: 'Y', status: 'interrupted', finishReason: null })
    expect(summary(await readAll(reply)).at(-1)).toContain('error: The service stopped')
    expect(() => replies.reserve(['acme', 'ana'], 100)).toThrow(Unavailable)
  })

  test('is stored in a further attempt', async () => {
    let attempts = 0
    const finish = async () => {
      attempts += 1
      if (attempts < 3) throw new Error('down')
    }
    const { reply } = play(parts(text('Y'), end()), {}, { finish })
    expect(summary(await readAll(reply)).at(-1)).toBe('done: stop')
  })

  test('that ends while the database is down is stored when it is back', async () => {
    let attempts = 0
    const finish = async () => {
      attempts += 1
      if (attempts < 20) throw new Unavailable('down', 1)
    }
    const { reply } = play(parts(text('Y'), end()), {}, { finish })
    expect(summary(await readAll(reply)).at(-1)).toBe('done: stop')
  })

  test('that ends while the database is down does not hold up a service that stops', async () => {
    const finish = () => Promise.reject(new Unavailable('down', 1))
    const { reply, replies } = play(parts(text('Y'), end()), {}, { finish })
    await replies.stop()
    expect(summary(await readAll(reply)).at(-1)).toContain('The reply could not be stored.')
  })

  test('that cannot be stored says so instead of done', async () => {
    const finish = () => Promise.reject(new Error('down'))
    const { reply } = play(parts(text('Y'), end()), {}, { finish })
    const message = 'The reply could not be stored. Try again.'
    expect(summary(await readAll(reply)).slice(-2)).toEqual(['usage', `error: ${message}`])
  })
})

describe('the lease of a reply', () => {
  test('is renewed with the text so far', async () => {
    const { reply, renewed } = play(silentAfter(text('Y')), { renewMs: 5 })
    await expect.poll(() => renewed.at(-1)).toBe('Y')
    reply.stop()
    await reply.ended
  })

  test('that cannot be renewed stops it', async () => {
    const renew = async () => false
    const { reply, stored } = play(silentAfter(text('Y')), { renewMs: 5 }, { renew })
    await reply.ended
    expect(stored[0]).toMatchObject({ content: 'Y', status: 'aborted' })
  })

  test('whose renewal fails is tried again', async () => {
    let renewals = 0
    const renew = () => {
      renewals += 1
      return Promise.reject(new Error('down'))
    }
    const { reply, stored } = play(silentAfter(text('Y')), { renewMs: 5 }, { renew })
    await expect.poll(() => renewals).toBeGreaterThan(1)
    expect(stored).toEqual([])
    reply.stop()
    await reply.ended
  })

  test('whose renewal fails is tried again long before the next would be due', async () => {
    let renewals = 0
    const renew = async () => {
      renewals += 1
      if (renewals === 1) throw new Error('down')
      return true
    }
    const limits = { renewMs: 1_000, retryMs: 5, replyMs: 1_600 }
    const { reply } = play(silentAfter(text('Y')), limits, { renew })
    await reply.ended
    expect(renewals).toBe(2)
  })
})

test('a reply whose keys are taken away is stopped, also after a check that failed', async () => {
  const checks = [() => Promise.resolve(true), () => Promise.reject(new Error('down'))]
  const hasKeys = () => checks.shift()?.() ?? Promise.resolve(false)
  const { reply, stored } = play(silentAfter(text('Y')), { keysMs: 5 }, { hasKeys })
  await reply.ended
  expect(checks).toEqual([])
  expect(stored[0]).toMatchObject({ content: 'Y', status: 'aborted' })
})

describe('the title of a conversation', () => {
  /** Resolves to a fallback when it is aborted. */
  const writeNone = async (signal: AbortSignal) => {
    await untilAborted(signal)
    return 'First words'
  }

  test('comes before done', async () => {
    const writeTitle = async () => 'Returns'
    const { reply } = play(parts(text('Y'), end()), {}, { writeTitle })
    const events = await readAll(reply)
    expect(events).toContainEqual(expect.objectContaining({ type: 'title', title: 'Returns' }))
    expect(events.at(-1)?.type).toBe('done')
  })

  test('is awaited for a while after the reply only', async () => {
    const { reply } = play(parts(text('Y'), end()), { titleMs: 10 }, { writeTitle: writeNone })
    expect(summary(await readAll(reply)).slice(1)).toEqual([
      ...['text: Y', 'usage', 'title', 'done: stop'],
    ])
  })

  test('ends with a reply that is stopped', async () => {
    const { reply } = play(silentAfter(), { titleMs: 1e6 }, { writeTitle: writeNone })
    reply.stop()
    expect(summary(await readAll(reply))).toEqual(['start', 'title', 'done: abort'])
  })
})

test('a user with as many replies as they can have gets no further one until one ends, unlike others', async () => {
  const { replies, reply } = play(silentAfter())
  const held = Array.from({ length: limits.chatRepliesOfUser.value - 1 }, () =>
    replies.reserve(['acme', 'ana'], 100),
  )
  expect(() => replies.reserve(['acme', 'ana'], 100)).toThrow(Unavailable)
  replies.reserve(['acme', 'ben'], 100).release()
  reply.stop()
  await reply.ended
  await expect.poll(() => replies.find('ana', 'm')).toBeUndefined()
  replies.reserve(['acme', 'ana'], 100).release()
  for (const place of held) place.release()
})

test('a user whose replies have as much context as they may gets no further long one, unlike others, until one ends', () => {
  const replies = openReplies({ log: silent, notifications: noOtherProcesses })
  const half = limits.chatContextLengthOfUser.value / 2
  const [held] = [replies.reserve(['acme', 'ana'], half), replies.reserve(['acme', 'ana'], half)]
  expect(() => replies.reserve(['acme', 'ana'], 1)).toThrow('Too many long conversations')
  // Refused, it takes no other place either.
  for (let n = 0; n < limits.chatReplies.value; n += 1)
    expect(() => replies.reserve(['acme', 'ana'], half)).toThrow('Too many long conversations')
  replies.reserve(['acme', 'ben'], half).release()
  held.release()
  replies.reserve(['acme', 'ana'], half).release()
})

test('one organization leaves room for the context of another', () => {
  const replies = openReplies({ log: silent, notifications: noOtherProcesses })
  const long = limits.chatContextLengthOfUser.value
  const begin = (organization: string) => {
    for (let n = 0; ; n += 1) {
      try {
        replies.reserve([organization, `${organization} ${n}`], long)
      } catch {
        return n
      }
    }
  }
  expect(begin('acme') * long).toBeLessThanOrEqual(limits.chatContextLengthOfOrganization.value)
  expect(begin('other')).toBeGreaterThan(0)
})
