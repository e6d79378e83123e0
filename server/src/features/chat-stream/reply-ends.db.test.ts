import { joinReply, stopReply } from '@assay/contract/chat-stream.ts'
import { readConversation, removeConversation } from '@assay/contract/conversations.ts'
import { limits } from '@assay/contract/limits.ts'
import { removeMember } from '@assay/contract/members.ts'
import { removeProject } from '@assay/contract/organizations.ts'
import { readTrace } from '@assay/contract/traces.ts'
import { describe, expect, test } from 'vitest'
import {
  addChatUser,
  addColleague,
  chatSuite,
  findStart,
  join,
  send,
  summary,
  textOf,
} from '../../../test/chat-suite.ts'
import type { Step } from '../../../test/scripted-model.ts'

/*
 * How replies end: by their provider, their reader, or the loss of the process or of access.
 */

// Longer than the time after which a stream ends for a reader without access.
const options = { replyLimits: { renewMs: 4_000 } }
const { service, model, calls, ana, rowOf } = chatSuite(undefined, options)

/** The model streams this, and writes no titles. */
const play = (step: Step) =>
  model.always((call) => {
    if (call.body['stream'] !== true) return { status: 400 }
    return typeof step === 'function' ? step(call) : step
  })

const stop = (messageId: string, user = ana) =>
  service.call(stopReply, { params: { messageId } }, user.as)

/** Without the title, and what follows the text in no particular order. */
const outline = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('title'))

/** What a reply ends with when it is played by the step. */
async function played(step: Step) {
  play(step)
  const events = await (await send(service, ana)).all()
  const row = await rowOf(findStart(events).message_id)
  return { lines: outline(summary(events)), events, row }
}

const answer = 'Items can be returned.'

describe('a provider', () => {
  test('that reasons has its reasoning before its text, and both are stored', async () => {
    const { lines, row } = await played({
      pieces: [{ reasoning: 'Hm, ' }, { reasoning: 'so.' }, 'Yes.'],
    })
    expect(lines).toEqual(['start', 'reasoning: Hm, so.', 'text: Yes.', 'usage', 'done: stop'])
    expect(row).toMatchObject({ reasoning: 'Hm, so.', content: 'Yes.', status: 'complete' })
  })

  test.each([
    ['length', { pieces: ['Yes'], stop: 'length' }],
    ['filter', { pieces: ['Yes'], stop: 'filter' }],
  ] as const)('can end a reply by its %s', async (reason, step) => {
    const { lines, row } = await played(step)
    expect(lines.at(-1)).toBe(`done: ${reason}`)
    expect(row).toMatchObject({ content: 'Yes', status: 'complete', finish_reason: reason })
  })

  test.each([
    ['is busy', { status: 429, headers: { 'retry-after': '0' } }, ''],
    ['fails', { status: 500, headers: { 'retry-after': '0' } }, ''],
    ['hangs up', 'hang-up', ''],
    ['sends something else', { garbage: '<html>' }, ''],
    ['reports an error in the middle', { pieces: ['Yes', { error: 'Overloaded.' }] }, 'Yes'],
    ['is cut off in the middle', { pieces: ['Yes', { ending: 'cut' }] }, 'Yes'],
  ] as const)(
    'that %s has an error as the last event, and what came is stored',
    async (_case, step, content) => {
      const { lines, row } = await played(step)
      expect(lines.at(-1)).toMatch(/^error: .+\.$/)
      expect(lines.some((line) => line.startsWith('done'))).toBe(false)
      expect(row).toMatchObject({ content, status: 'failed', finish_reason: null })
      expect(lines.at(-1)).toBe(`error: ${String(row?.['problem'])}`)
    },
  )

  test('that writes without end is closed at the longest reply, which ends with length', async () => {
    function* endless() {
      for (;;) yield 'x'.repeat(5000)
    }
    const { lines, row } = await played({ pieces: endless() })
    expect(lines.at(-1)).toBe('done: length')
    expect(row).toMatchObject({ status: 'complete' })
    expect(String(row?.['content'])).toHaveLength(limits.chatReplyLength.value)
    await model.idle()
  })

  test('gets a failed reply as no part of the context of the next one, if it has no text', async () => {
    const { events } = await played({ status: 400 })
    const { conversation_id } = findStart(events)
    play({ answer })
    await (await send(service, ana, { conversation_id, message: 'Again' })).all()
    expect(calls.sent().at(-1)?.texts).toEqual(['Hello\n\nAgain'])
  })
})

describe('a reader', () => {
  test('chat case 1: that stops a reply closes the connection to the provider, and what came is kept', async () => {
    play({ pieces: ['Items ', 'can ', { ending: 'stall' }] })
    const reply = await send(service, ana)
    const { message_id, trace_id } = await reply.next('start')
    await reply.next('text')
    await expect.poll(() => model.open).toBe(1)
    expect((await stop(message_id)).data).toEqual({ stopped: true })
    await model.idle()
    expect(summary(await reply.all()).at(-1)).toBe('done: abort')
    expect(await rowOf(message_id)).toMatchObject({
      ...{ content: 'Items can ', status: 'aborted', finish_reason: 'abort', problem: null },
    })
    const params = { projectId: ana.projectId, traceId: trace_id }
    const { data } = await service.call(readTrace, { params, query: {} }, ana.as)
    expect(data.spans.find(({ name }) => name === 'reply')).toMatchObject({
      output: { messages: [{ content: 'Items can ' }] },
    })
    expect((await stop(message_id)).data).toEqual({ stopped: false })
  })

  test('chat case 2: that stops before the first token gets no text, and the turn is stored as aborted', async () => {
    play('stall')
    const reply = await send(service, ana)
    const { message_id } = await reply.next('start')
    await stop(message_id)
    await model.idle()
    expect(outline(summary(await reply.all()))).toEqual(['done: abort'])
    expect(await rowOf(message_id)).toMatchObject({ content: '', status: 'aborted' })
  })

  test('chat cases 3 and 6: that leaves before the first token finds the whole reply when it comes back', async () => {
    const go = Promise.withResolvers<void>()
    play({ pieces: [{ until: go.promise }, ...answer.split(/(?= )/)] })
    const reply = await send(service, ana)
    const { message_id } = await reply.next('start')
    reply.leave()
    const running = await join(service, ana, message_id)
    go.resolve()
    expect(textOf(await running.all())).toBe(answer)
    expect(textOf(await (await join(service, ana, message_id)).all())).toBe(answer)
    expect(await rowOf(message_id)).toMatchObject({ content: answer, status: 'complete' })
  })

  test('chat case 7: that stops and sends at once has the partial reply in the context', async () => {
    play({ pieces: ['Items can', { ending: 'stall' }] })
    const reply = await send(service, ana)
    const { message_id, conversation_id } = await reply.next('start')
    await reply.next('text')
    const next = { conversation_id, message: 'Why?' }
    const busy = send(service, ana, next)
    await expect(busy).rejects.toThrow('409')
    const stopped = stop(message_id)
    play({ answer })
    await stopped
    const after = await (await send(service, ana, next)).all()
    const [asked] = await service.query(
      `select parent_id from chat_messages where id = '${findStart(after).parent_id}'`,
    )
    expect(asked).toEqual({ parent_id: message_id })
    expect(calls.sent().at(-1)?.texts).toEqual(['Hello', 'Items can', 'Why?'])
  })

  test('chat case 8: that joins in the middle gets one copy of the reply, like the others', async () => {
    const go = Promise.withResolvers<void>()
    play({ pieces: ['Items ', { until: go.promise }, 'can ', 'be returned.'] })
    const first = await send(service, ana)
    const { message_id } = await first.next('start')
    await first.next('text')
    const second = await join(service, ana, message_id)
    go.resolve()
    const events = await second.all()
    expect(textOf(events)).toBe(answer)
    const rest = await first.all()
    expect(events.slice(-rest.length)).toEqual(rest)
    const params = { conversationId: findStart(events).conversation_id }
    const { data } = await service.call(readConversation, { params }, ana.as)
    expect(data.messages.map(({ content }) => content)).toEqual(['Hello', answer])
  })

  test('chat case 10: that joins when the reply has just ended gets the stored one', async () => {
    const { events } = await played({ pieces: [{ reasoning: 'Hm.' }, 'Yes.'] })
    const again = await (await join(service, ana, findStart(events).message_id)).all()
    expect(summary(again)).toEqual(outline(summary(events)))
  })

  test('that removes the conversation stops its reply', async () => {
    play({ pieces: ['Items', { ending: 'stall' }] })
    const reply = await send(service, ana)
    const { conversation_id, message_id } = await reply.next('start')
    await reply.next('text')
    const params = { conversationId: conversation_id }
    await service.call(removeConversation, { params }, ana.as)
    await model.idle()
    expect(summary(await reply.all()).at(-1)).toBe('done: abort')
    const { status } = await service.call(joinReply, { params: { messageId: message_id } }, ana.as)
    expect(status).toBe(404)
  })

  test('that is removed from the organization, or whose project is removed, loses the reply, which ends', async () => {
    const [ben, cleo] = [await addColleague(service, ana), await addChatUser(service, model)]
    function* endless() {
      for (;;) yield 'x '
    }
    play(() => ({ pieces: endless(), perSecond: 20 }))
    const replies = [await send(service, ben), await send(service, cleo)] as const
    const [ofBen, ofCleo] = await Promise.all([replies[0].next('start'), replies[1].next('start')])
    for (const reply of replies) await reply.next('text')
    const removals = [
      await service.call(
        removeMember,
        { params: { orgId: ana.organizationId, userId: ben.userId } },
        ana.as,
      ),
      await service.call(
        removeProject,
        { params: { projectId: cleo.projectId }, body: { confirm: cleo.project.project } },
        cleo.as,
      ),
    ]
    expect(removals.map(({ status }) => status)).toEqual([200, 200])
    for (const reply of replies) {
      const rest = summary(await reply.all())
      expect(rest.some((line) => line.startsWith('done'))).toBe(false)
    }
    const joined = [
      await service.call(joinReply, { params: { messageId: ofBen.message_id } }, ben.as),
      await service.call(joinReply, { params: { messageId: ofCleo.message_id } }, cleo.as),
    ]
    expect(joined.map(({ status }) => status)).toEqual([404, 404])
    await model.idle()
    await expect.poll(async () => (await rowOf(ofBen.message_id))?.['status']).toBe('aborted')
    expect(await rowOf(ofCleo.message_id)).toBeUndefined()
  })
})

describe('chat case 11: a reply whose process was killed', () => {
  const killed = async () => {
    const { events } = await played({ answer })
    const { message_id } = findStart(events)
    await service.query(
      `update chat_messages set status = 'streaming', finish_reason = null, tokens_in = null, tokens_out = null, cost_nano_usd = null, running_until = '2026-01-01T00:00:00.000Z' where id = '${message_id}' returning id`,
    )
    return findStart(events)
  }

  test('is interrupted, with what was stored, and its conversation goes on', async () => {
    const { conversation_id, message_id, parent_id } = await killed()
    const params = { conversationId: conversation_id }
    const { data } = await service.call(readConversation, { params }, ana.as)
    expect(data.messages).toMatchObject([
      { id: parent_id, parent_id: null, status: 'complete' },
      { id: message_id, parent_id, status: 'interrupted', content: answer },
    ])
    const next = await (await send(service, ana, { conversation_id, message: 'Go on' })).all()
    expect(summary(next).at(-1)).toBe('done: stop')
    expect(calls.sent().at(-1)?.texts).toEqual(['Hello', answer, 'Go on'])
  })

  test('is joined with what was stored, and an error', async () => {
    const { message_id } = await killed()
    expect(summary(await (await join(service, ana, message_id)).all())).toEqual([
      ...['start', `text: ${answer}`],
      'error: The service stopped before the reply was complete.',
    ])
    expect((await stop(message_id)).data).toEqual({ stopped: false })
  })
})
