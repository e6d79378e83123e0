import type { ChatEvent } from '@assay/contract/chat-stream.ts'
import { ApiError } from '@assay/contract/client.ts'
import { describe, expect, test } from 'vitest'
import { sampleMessage } from '../../test/sample-message.ts'
import { ConversationThread } from './conversation-thread.ts'
import { selectedBranch } from './message-tree.ts'
import type { SentMessage, ThreadPorts, Turn } from './thread-state.ts'

/** An open response of the service, which the test writes. */
interface Response {
  readonly call: string
  readonly signal: AbortSignal
  write(event: object): void
  end(): void
}

function openResponse(call: string, signal: AbortSignal) {
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(given) {
      controller = given
    },
  })
  signal.addEventListener('abort', () => controller?.error(signal.reason), { once: true })
  let seq = 0
  const response: Response = {
    ...{ call, signal },
    write(event) {
      const text = `data: ${JSON.stringify({ ...event, seq })}\n\n`
      controller?.enqueue(new TextEncoder().encode(text))
      seq += 1
    },
    end: () => controller?.close(),
  }
  return { body, response }
}

/** `refusal`: of the first message; `joinRefusal`: of all that read a reply again. */
function openThread(conversationId?: string, refusal?: ApiError, joinRefusal?: ApiError) {
  const responses: Response[] = []
  const turns: Turn[] = []
  const calls: string[] = []
  let ids = 0
  const open = (call: string, signal: AbortSignal) => {
    const { body, response } = openResponse(call, signal)
    responses.push(response)
    calls.push(call)
    return Promise.resolve(body)
  }
  const ports: ThreadPorts = {
    send(turn, signal) {
      turns.push(turn)
      if (refusal !== undefined && turns.length === 1) return Promise.reject(refusal)
      return open('send', signal)
    },
    join(messageId, signal) {
      if (joinRefusal === undefined) return open(`join ${messageId}`, signal)
      calls.push(`join ${messageId}`)
      return Promise.reject(joinRefusal)
    },
    stop: async (messageId) => calls.push(`stop ${messageId}`),
    select: async (_conversationId, messageId) => calls.push(`select ${messageId}`),
    newId() {
      ids += 1
      return `client-${ids}`
    },
    nowMs: () => Date.UTC(2026, 10, 20),
    nextFrame: (act) => act(),
    leaveAfterMs: 0,
    onBegin: (id) => calls.push(`begin ${id}`),
    onTitle: (_id, title) => calls.push(`title ${title}`),
    onEnd: (id) => calls.push(`end ${id}`),
    onLeave: (id) => calls.push(`leave ${id}`),
  }
  const thread = new ConversationThread(conversationId, ports)
  const branch = () =>
    selectedBranch(thread.getState().tree).map(({ id, status }) => `${id} ${status}`)
  const response = async (place: number): Promise<Response> => {
    await expect.poll(() => responses[place]).toBeDefined()
    return responses[place] as Response
  }
  return { thread, responses, turns, calls, branch, response }
}

const message = (text: string, parentId: string | null = null): SentMessage => ({
  text,
  parentId,
  attachments: [],
  modelConfigId: undefined,
})

const startOf = (reply: string, question: string): object => ({
  type: 'start',
  conversation_id: 'c1',
  message_id: reply,
  parent_id: question,
  model: 'gpt-5',
  trace_id: 't',
})
const text = (delta: string): object => ({ type: 'text', delta })
const done = (reason = 'stop'): object => ({
  type: 'done',
  message_id: 'a1',
  finish_reason: reason as Extract<ChatEvent, { type: 'done' }>['finish_reason'],
})

const stored = {
  id: 'c1',
  selected_message_id: null,
  messages: [
    sampleMessage('q1'),
    sampleMessage('a1', { role: 'assistant', parent_id: 'q1', status: 'streaming' }),
  ],
}

describe('a conversation', () => {
  test('shows a message and its reply at once, and takes the ids of the service', async () => {
    const { thread, branch, response, calls } = openThread()
    thread.attach()
    thread.send(message('Hello'))
    expect(branch()).toEqual(['local-client-1 complete', 'local-reply-client-1 streaming'])
    const stream = await response(0)
    stream.write(startOf('a1', 'q1'))
    stream.write(text('Hi'))
    await expect.poll(branch).toEqual(['q1 complete', 'a1 streaming'])
    await expect.poll(() => thread.getState().live.get('a1')?.getState().text).toBe('Hi')
    stream.write({ type: 'title', title: 'Greeting' })
    stream.write({ type: 'usage', tokens_in: 3, tokens_out: 1, cost_usd: 0.5 })
    stream.write(done())
    await expect.poll(branch).toEqual(['q1 complete', 'a1 complete'])
    const reply = selectedBranch(thread.getState().tree).at(-1)
    expect(reply).toMatchObject({ content: 'Hi', tokens_out: 1, cost_usd: 0.5, trace_id: 't' })
    expect(thread.getState().live.size).toBe(0)
    expect(calls).toEqual(['send', 'begin c1', 'title Greeting', 'end c1'])
  })

  test('keeps a message expanded when it gets its id of the service', async () => {
    const { thread, response } = openThread()
    thread.attach()
    thread.send(message('A long message'))
    thread.setExpanded('local-client-1', true)
    const stream = await response(0)
    stream.write(startOf('a1', 'q1'))
    await expect.poll(() => [...thread.getState().expanded]).toEqual(['q1'])
    thread.setExpanded('q1', false)
    expect(thread.getState().expanded.size).toBe(0)
  })

  test('stops a reply before its first token as soon as it has an id (case 2)', async () => {
    const { thread, calls, branch, response } = openThread()
    thread.attach()
    thread.send(message('Hello'))
    thread.stop('local-reply-client-1')
    const stream = await response(0)
    stream.write(startOf('a1', 'q1'))
    await expect.poll(() => calls).toContain('stop a1')
    stream.write(done('abort'))
    await expect.poll(branch).toEqual(['q1 complete', 'a1 aborted'])
  })

  test('follows a stopped reply with the next message (case 7)', async () => {
    const { thread, turns, response, branch } = openThread()
    thread.attach()
    thread.send(message('Hello'))
    const stream = await response(0)
    stream.write(startOf('a1', 'q1'))
    stream.write(text('Partial'))
    stream.write(done('abort'))
    await expect.poll(branch).toEqual(['q1 complete', 'a1 aborted'])
    thread.send(message('Go on', 'a1'))
    await expect.poll(() => turns[1]?.parentId).toBe('a1')
    expect(branch().slice(0, 2)).toEqual(['q1 complete', 'a1 aborted'])
  })

  test('joins a reply once although the page is mounted twice (cases 8 and 9)', async () => {
    const { thread, calls, response, branch } = openThread('c1')
    const detach = thread.attach()
    thread.load(stored)
    detach()
    thread.attach()
    thread.load(stored)
    const stream = await response(0)
    stream.write(startOf('a1', 'q1'))
    stream.write(text('Hi'))
    stream.write(done())
    await expect.poll(branch).toEqual(['q1 complete', 'a1 complete'])
    expect(calls.filter((call) => call.startsWith('join'))).toEqual(['join a1'])
  })

  test('has one reader per reply while it is loaded again and again', async () => {
    const { thread, calls } = openThread('c1')
    thread.attach()
    for (let times = 0; times < 3; times += 1) thread.load(stored)
    await expect.poll(() => calls).toEqual(['join a1'])
  })

  test('stops reading when no page shows it, and joins again when one does', async () => {
    const { thread, calls, response } = openThread('c1')
    const detach = thread.attach()
    thread.load(stored)
    const stream = await response(0)
    stream.write(startOf('a1', 'q1'))
    detach()
    await expect.poll(() => stream.signal.aborted).toBe(true)
    await expect.poll(() => calls).toContain('leave c1')
    thread.attach()
    await expect.poll(() => calls.filter((call) => call === 'join a1')).toHaveLength(2)
    expect(calls).not.toContain('stop a1')
  })

  test('delivers a message although its page closes before the reply starts (cases 6 and 13)', async () => {
    const { thread, response, branch } = openThread('c1')
    const detach = thread.attach()
    thread.load({ ...stored, messages: [] })
    thread.send(message('Hello'))
    const stream = await response(0)
    detach()
    await new Promise((resolve) => setTimeout(resolve))
    expect(stream.signal.aborted).toBe(false)
    stream.write(startOf('a2', 'q2'))
    await expect.poll(() => stream.signal.aborted).toBe(true)
    expect(branch()).toEqual(['q2 complete', 'a2 streaming'])
  })

  test('takes back a message that is held back, and sends it with the approval', async () => {
    const { thread, turns, response, branch } = openThread()
    thread.attach()
    thread.send(message('secret'))
    const stream = await response(0)
    const finding = { category: 'credential', type: 'jwt', start: 0, end: 6, preview: 's…t' }
    stream.write({ type: 'pii', findings: [finding] })
    stream.write({ type: 'error', message: 'Held back.' })
    stream.end()
    await expect.poll(() => thread.getState().held?.turn.message?.text).toBe('secret')
    expect(branch()).toEqual([])
    expect(thread.getState().conversationId).toBeUndefined()
    thread.override()
    expect(thread.getState().held).toBeUndefined()
    await expect.poll(() => turns.map(({ isOverride }) => isOverride)).toEqual([false, true])
    expect(turns[1]?.clientMessageId).not.toBe(turns[0]?.clientMessageId)
  })

  test('asks about another reply whose context is held back, and requests it with the approval', async () => {
    const { thread, turns, response, branch } = openThread('c1')
    thread.attach()
    thread.load({ ...stored, messages: [sampleMessage('q1')] })
    thread.regenerate('q1', undefined)
    const stream = await response(0)
    stream.write({ type: 'pii', findings: [] })
    stream.write({ type: 'error', message: 'Held back.' })
    stream.end()
    await expect.poll(() => thread.getState().held?.turn.parentId).toBe('q1')
    expect(branch()).toEqual(['q1 complete'])
    thread.override()
    await expect.poll(() => turns.at(-1)).toMatchObject({ parentId: 'q1', isOverride: true })
  })

  test('returns the text of an edited message that is held back to its editor, on its branch', async () => {
    const { thread, response, branch } = openThread('c1')
    const later = { created_at: '2026-11-20T10:01:00Z' }
    const messages = [
      sampleMessage('q1', { content: 'First' }),
      sampleMessage('a1', { parent_id: 'q1' }),
      sampleMessage('q2', later),
      sampleMessage('a2', { parent_id: 'q2', ...later }),
    ]
    thread.load({ ...stored, messages, selected_message_id: 'a1' })
    thread.beginEdit('q1')
    expect(thread.getState().edits.get('q1')).toEqual({ text: 'First', attachments: [] })
    thread.send({ ...message('secret'), editedId: 'q1' })
    expect(thread.getState().edits.size).toBe(0)
    const stream = await response(0)
    stream.write({ type: 'pii', findings: [] })
    stream.write({ type: 'error', message: 'Held back.' })
    stream.end()
    await expect.poll(() => thread.getState().edits.get('q1')?.text).toBe('secret')
    expect(thread.getState().held?.turn.message?.editedId).toBe('q1')
    expect(branch()).toEqual(['q1 complete', 'a1 complete'])
    thread.cancelEdit('q1')
    expect(thread.getState().edits.size).toBe(0)
  })

  test('returns the text of an edited message that is refused to its editor', async () => {
    const { thread } = openThread('c1', new ApiError(503, 'UNAVAILABLE', 'Too many replies.'))
    thread.load({ ...stored, messages: [sampleMessage('q1')] })
    thread.send({ ...message('Edited'), editedId: 'q1' })
    await expect.poll(() => thread.getState().edits.get('q1')?.text).toBe('Edited')
    expect(thread.getState().refused?.turn.message?.text).toBe('Edited')
  })

  test('has no editor for a message that the service has not accepted', () => {
    const { thread } = openThread()
    thread.send(message('Hello'))
    thread.beginEdit('local-client-1')
    expect(thread.getState().edits.size).toBe(0)
  })

  test('repeats a refused message with the same id', async () => {
    const refused = new ApiError(503, 'UNAVAILABLE', 'Too many replies.')
    const { thread, turns, branch } = openThread(undefined, refused)
    thread.attach()
    thread.send(message('Hello'))
    await expect.poll(() => thread.getState().refused?.error).toBe(refused)
    expect(branch()).toEqual([])
    thread.retry()
    await expect.poll(() => turns).toHaveLength(2)
    expect(turns[1]).toEqual(turns[0])
  })

  test('keeps a message that the service has accepted when its reply cannot be read again', async () => {
    const gone = new ApiError(404, 'NOT_FOUND', 'Reply not found.')
    const { thread, branch, response } = openThread(undefined, undefined, gone)
    thread.attach()
    thread.send(message('Hello'))
    const stream = await response(0)
    stream.write(startOf('a1', 'q1'))
    stream.end()
    await expect.poll(branch).toEqual(['q1 complete', 'a1 interrupted'])
    expect(thread.getState().refused).toBeUndefined()
  })

  test('does not ask again for a reply that only other devices can read', async () => {
    const forbidden = new ApiError(403, 'FORBIDDEN', 'Only an active device can read it.')
    const { thread, branch, calls } = openThread('c1', undefined, forbidden)
    thread.attach()
    const [question, reply] = stored.messages
    thread.load({ ...stored, messages: [question!, { ...reply!, content: '' }] })
    await expect.poll(branch).toEqual(['q1 complete', 'a1 complete'])
    expect(selectedBranch(thread.getState().tree).at(-1)?.content).toContain('cannot be opened')
    expect(calls).toEqual(['join a1'])
  })

  test('keeps the first version and what follows it when a message is edited (case 15)', () => {
    const { thread, branch } = openThread('c1')
    thread.load({
      ...stored,
      messages: [sampleMessage('q1'), sampleMessage('a1', { parent_id: 'q1' })],
    })
    thread.send(message('Edited', null))
    expect(branch()).toEqual(['local-client-1 complete', 'local-reply-client-1 streaming'])
    expect(thread.getState().tree.messages.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['q1', 'a1']),
    )
    thread.select('q1', -1)
    expect(branch()).toEqual(['q1 complete', 'a1 complete'])
  })

  test('remembers a selected branch', async () => {
    const { thread, calls } = openThread('c1')
    const messages = [
      sampleMessage('q1'),
      sampleMessage('a1', { parent_id: 'q1' }),
      sampleMessage('a2', { parent_id: 'q1', created_at: '2026-11-20T10:01:00Z' }),
    ]
    thread.load({ ...stored, messages, selected_message_id: 'a1' })
    thread.select('a2', 1)
    await expect.poll(() => calls).toEqual(['select a2'])
  })
})
