import type { ChatEvent } from '@assay/contract/chat-stream.ts'
import { ApiError } from '@assay/contract/client.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { followReply, type ReplyOutcome, type ReplySource } from './follow-reply.ts'

type Unnumbered = ChatEvent extends infer Event
  ? Event extends ChatEvent
    ? Omit<Event, 'seq'>
    : never
  : never

const start: Unnumbered = {
  type: 'start',
  conversation_id: 'c',
  message_id: 'reply',
  parent_id: 'question',
  model: 'gpt-5',
  trace_id: 't',
}
const text = (delta: string): Unnumbered => ({ type: 'text', delta })
const done: Unnumbered = { type: 'done', message_id: 'reply', finish_reason: 'stop' }

function number(events: readonly Unnumbered[]): ChatEvent[] {
  return events.map((event, seq) => ({ ...event, seq }))
}

/** A connection with these events, which then ends, or breaks. */
function connection(events: readonly ChatEvent[], ending: 'ends' | 'breaks' = 'ends') {
  const bytes = new TextEncoder().encode(
    events.map((event) => `: still here\n\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  )
  let isSent = false
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (!isSent) controller.enqueue(bytes)
      else if (ending === 'ends') controller.close()
      else controller.error(new TypeError('network error'))
      isSent = true
    },
  })
}

interface Followed {
  readonly outcome: ReplyOutcome
  /** The text of the last connection. */
  readonly text: string
  readonly calls: readonly string[]
  readonly lost: number
}

async function follow(
  connections: readonly (() => ReadableStream<Uint8Array<ArrayBuffer>>)[],
  { isJoin = false, signal = new AbortController().signal } = {},
): Promise<Followed> {
  const calls: string[] = []
  let received = ''
  let lost = 0
  const next = async (call: string) => {
    const open = connections[calls.length]
    calls.push(call)
    if (open === undefined) throw new Error('There is no further connection.')
    return open()
  }
  const source: ReplySource = {
    ...(isJoin ? {} : { open: () => next('open') }),
    join: (messageId) => next(`join ${messageId}`),
  }
  const outcome = await followReply(
    source,
    isJoin ? 'reply' : undefined,
    {
      onConnection() {
        received = ''
      },
      onEvent(event) {
        if (event.type === 'text') received += event.delta
      },
      onLost() {
        lost += 1
      },
    },
    signal,
    async () => {},
  )
  return { outcome, text: received, calls, lost }
}

const whole = number([start, text('Hel'), text('lo'), done])

describe('a reply', () => {
  test('is read to its end over one connection', async () => {
    const { outcome, text: read, calls } = await follow([() => connection(whole)])
    expect(outcome).toEqual({ type: 'done', finishReason: 'stop' })
    expect([read, calls]).toEqual(['Hello', ['open']])
  })

  test('is complete and not doubled wherever connections are cut (case 8)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string(), { maxLength: 12 }),
        fc.array(fc.record({ at: fc.nat({ max: 14 }), breaks: fc.boolean() }), { maxLength: 5 }),
        async (deltas, cuts) => {
          const events = number([start, ...deltas.map(text), done])
          const cut = cuts.map(
            ({ at, breaks }) =>
              () =>
                connection(
                  events.slice(0, Math.min(at, events.length - 1)),
                  breaks ? 'breaks' : 'ends',
                ),
          )
          const { outcome, text: read } = await follow([...cut, () => connection(events)])
          expect(outcome.type).toBe('done')
          expect(read).toBe(deltas.join(''))
        },
      ),
    )
  })

  test('is joined, not sent again, once it has started', async () => {
    const { calls } = await follow([
      () => connection(whole.slice(0, 2), 'breaks'),
      () => connection(whole),
    ])
    expect(calls).toEqual(['open', 'join reply'])
  })

  test('is sent again with the same request when the connection was lost before its start', async () => {
    const { calls, lost } = await follow([() => connection([], 'breaks'), () => connection(whole)])
    expect([calls, lost]).toEqual([['open', 'open'], 1])
  })

  test('is joined again after a gap in the numbers of its events', async () => {
    const gap = whole.filter(({ seq }) => seq !== 1)
    const { text: read, calls } = await follow([() => connection(gap), () => connection(whole)])
    expect([read, calls]).toEqual(['Hello', ['open', 'join reply']])
  })

  test('that ended between the status and the join is played from the store (case 10)', async () => {
    const { outcome, text: read } = await follow([() => connection(whole)], { isJoin: true })
    expect([outcome.type, read]).toEqual(['done', 'Hello'])
  })

  test('that the provider fails keeps what arrived, and reports why', async () => {
    const events = number([start, text('Hel'), { type: 'error', message: 'The provider failed.' }])
    const { outcome, text: read } = await follow([() => connection(events)])
    expect(outcome).toEqual({ type: 'failed', message: 'The provider failed.', isTimeout: false })
    expect(read).toBe('Hel')
  })

  test('that takes too long is a failure', async () => {
    const events = number([
      start,
      { type: 'error', message: 'Too long.' },
      { type: 'done', message_id: 'reply', finish_reason: 'timeout' },
    ])
    const { outcome } = await follow([() => connection(events)])
    expect(outcome).toEqual({ type: 'failed', message: 'Too long.', isTimeout: true })
  })

  test('to a message that is held back has its findings', async () => {
    const finding = {
      category: 'credential' as const,
      type: 'github_token',
      start: 0,
      end: 40,
      preview: 'ghp_…aB',
      confidence: 1,
    }
    const events = number([
      { type: 'pii', findings: [finding] },
      { type: 'error', message: 'Held back.' },
    ])
    const { outcome, calls } = await follow([() => connection(events)])
    expect(outcome).toEqual({ type: 'held', findings: [finding] })
    expect(calls).toEqual(['open'])
  })

  test('that is refused is not requested again', async () => {
    const refused = new ApiError(409, 'NO_MODELS', 'Add a model.')
    const { outcome, calls } = await follow([
      () => {
        throw refused
      },
    ])
    expect(outcome).toEqual({ type: 'refused', error: refused })
    expect(calls).toEqual(['open'])
  })

  test('of a service that cannot be reached is given up after four attempts', async () => {
    const unreachable = new ApiError(0, 'UNREACHABLE', 'The service cannot be reached.')
    const { outcome, calls } = await follow(
      Array.from({ length: 4 }, () => () => {
        throw unreachable
      }),
    )
    expect(outcome).toEqual({ type: 'refused', error: unreachable })
    expect(calls).toHaveLength(4)
  })

  test('is left without an outcome when its reader leaves', async () => {
    const leaving = new AbortController()
    leaving.abort()
    const { outcome } = await follow([() => connection([], 'breaks')], { signal: leaving.signal })
    expect(outcome).toEqual({ type: 'left' })
  })
})
