import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type EmptyDatabase, emptyDatabase, silent } from '../../test/accounts-database.ts'
import { openTestNotifications } from '../../test/postgres-notifications.ts'
import type { ReplyPart } from '../model-gateway/reply-call.ts'
import {
  type NotificationListener,
  type Notifications,
  noOtherProcesses,
} from '../platform/notifications.ts'
import { openReplies } from './replies.ts'
import type { EndedReply, PreparedTurn } from './reply-turn.ts'
import type { ReplyLimits } from './running-reply.ts'

/*
 * Two processes that notify each other over PostgreSQL: one writes a reply, which the other reads or stops.
 */

let database: EmptyDatabase
let opened: Notifications[] = []
const { signal } = new AbortController()
beforeAll(async () => {
  database = await emptyDatabase('PostgreSQL')
})
afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()))
  opened = []
})
afterAll(() => database.remove())

async function openProcess(changed: Partial<ReplyLimits> = {}) {
  const notifications = openTestNotifications(database.location.databaseUrl ?? '')
  opened.push(notifications)
  const limits = { renewMs: 600_000, readElsewhereMs: 10, disconnectedMs: 600_000 }
  const replies = openReplies({ notifications, log: silent }, { ...limits, ...changed })
  await expect.poll(notifications.isConnected).toBe(true)
  return { replies, notifications }
}

type Process = Awaited<ReturnType<typeof openProcess>>

/** Writes what `say` gets, until it is stopped. */
function write({ replies }: Pick<Process, 'replies'>, turn: Partial<PreparedTurn> = {}) {
  const stored: string[] = []
  const ended: EndedReply[] = []
  const said: string[] = []
  let wake = () => {}
  async function* parts(stop: AbortSignal): AsyncIterable<ReplyPart> {
    const aborted = once(stop, 'abort')
    while (!stop.aborted) {
      for (const delta of said.splice(0)) yield { type: 'text', delta }
      await Promise.race([aborted, new Promise<void>((resolve) => (wake = resolve))])
    }
  }
  const reply = replies.reserve(['acme', 'ana'], 100).start({
    ...{ userId: 'ana', conversationId: 'c', messageId: 'm', parentId: 'p', traceId: 't' },
    ...{ sealedFor: undefined, model: 'model-1', notices: [], write: parts },
    async renew({ content }) {
      stored.push(content)
      return true
    },
    async finish(end) {
      ended.push(end)
    },
    ...turn,
  })
  const say = (delta: string) => {
    said.push(delta)
    wake()
  }
  return { reply, stored, ended, say }
}

describe('a reply of another process', () => {
  test('has its text stored soon while somebody reads it, and the reader is notified each time', async () => {
    const [writer, reader] = [await openProcess(), await openProcess()]
    const { reply, stored, say } = write(writer)
    const followed = reader.replies.elsewhere.follow('ana', 'm')
    const words = ['May', ' be', ' returned.']
    for (const [at, word] of words.entries()) {
      say(word)
      const text = words.slice(0, at + 1).join('')
      while (stored.at(-1) !== text) await followed.more(signal)
    }
    followed.end()
    reply.stop()
    await reply.ended
    expect(stored).toEqual(['May', 'May be', 'May be returned.'])
  })

  test('is stored no more often while nobody reads it, or only somebody else tries to', async () => {
    const [writer, reader] = [await openProcess(), await openProcess()]
    const { reply, stored, say } = write(writer)
    say('Yes.')
    const other = reader.replies.elsewhere.follow('ben', 'm')
    await other.more(signal)
    const followed = reader.replies.elsewhere.follow('ana', 'another')
    await followed.more(signal)
    expect(stored).toEqual([])
    reply.stop()
    await reply.ended
  })

  test('that is encrypted is stored no more often, and its reader is notified of its end', async () => {
    const [writer, reader] = [await openProcess(), await openProcess()]
    const { reply, stored, ended, say } = write(writer, { sealedFor: 'acme' })
    say('Secret.')
    const received: unknown[] = []
    reader.notifications.listen('replies', { onMessage: (message) => received.push(message) })
    const followed = reader.replies.elsewhere.follow('ana', 'm')
    await followed.more(signal)
    expect([stored, received]).toEqual([[], []])
    reply.stop()
    await reply.ended
    await expect.poll(() => received).toEqual([{ type: 'stored', userId: 'ana', messageId: 'm' }])
    expect(ended).toMatchObject([{ content: 'Secret.' }])
  })

  test('is stopped at once for its owner, and for nobody else', async () => {
    const [writer, reader] = [await openProcess(), await openProcess()]
    const { reply, ended } = write(writer)
    reader.replies.elsewhere.stop('ben', 'm')
    reader.replies.elsewhere.stop('ana', 'another')
    // Messages of one process arrive in their order.
    const followed = reader.replies.elsewhere.follow('ana', 'm')
    await followed.more(signal)
    expect(reply.isStopping).toBe(false)
    reader.replies.elsewhere.stop('ana', 'm')
    await reply.ended
    expect(ended).toMatchObject([{ status: 'aborted', finishReason: 'abort' }])
  })

  test('is stored and asked whether it was stopped by itself, while no message arrives', async () => {
    const writer = await openProcess({ disconnectedMs: 10 })
    let isStopped = false
    const contents: string[] = []
    const { reply, say, ended } = write(writer, {
      async renew({ content }) {
        contents.push(content)
        return !isStopped
      },
    })
    say('Yes.')
    await writer.notifications.close()
    await expect.poll(() => contents).toContain('Yes.')
    isStopped = true
    await reply.ended
    expect(ended).toMatchObject([{ status: 'aborted' }])
  })

  test('asks soon whether it was stopped, after messages may have been lost', async () => {
    const listeners: NotificationListener[] = []
    const listen: Notifications['listen'] = (_topic, listener) => {
      listeners.push(listener)
      return () => undefined
    }
    const notifications = { ...noOtherProcesses, listen }
    const limits = { renewMs: 600_000, disconnectedMs: 100 }
    const replies = openReplies({ notifications, log: silent }, limits)
    const { reply, ended } = write({ replies }, { renew: async () => false })
    for (const listener of listeners) listener.onGap?.()
    await reply.ended
    expect(ended).toMatchObject([{ status: 'aborted', finishReason: 'abort' }])
  })
})
