import { joinReply, stopReply, streamReply } from '@assay/contract/chat-stream.ts'
import {
  listConversations,
  readConversation,
  removeConversation,
  restoreConversation,
} from '@assay/contract/conversations.ts'
import { describe, expect, test } from 'vitest'
import {
  addColleague,
  type ChatUser,
  chatSuite,
  findStart,
  send,
} from '../../../test/chat-suite.ts'

/*
 * Conversations as messages and replies make them.
 */

const { service, model, ana } = chatSuite({ answer: 'Yes.' })

async function begin(): Promise<string> {
  const reply = await send(service, ana, { message: 'May I return it?' })
  return findStart(await reply.all()).conversation_id
}

const list = async ({ as, project }: ChatUser) =>
  (await service.call(listConversations, { query: project }, as)).data.conversations
const of = (conversationId: string) => ({ params: { conversationId } })
const read = async (id: string) => (await service.call(readConversation, of(id), ana.as)).data

test('a conversation that a message begins is listed and read by its person only', async () => {
  const id = await begin()
  expect(await list(ana)).toMatchObject([{ id, title: 'Yes', message_count: 2 }])
  const [question, reply] = (await read(id)).messages
  expect(question).toMatchObject({ role: 'user', content: 'May I return it?', parent_id: null })
  expect(reply).toMatchObject({
    ...{ role: 'assistant', content: 'Yes.', parent_id: question?.id, status: 'complete' },
    ...{ model: 'model-1', model_config_id: ana.modelConfigId, finish_reason: 'stop' },
    ...{ tokens_in: 100, tokens_out: 10, cost_usd: 0.0011 },
  })
  expect(await list(await addColleague(service, ana))).toEqual([])
})

test('the conversation of the latest message is the first of the list', async () => {
  const [first, second] = [await begin(), await begin()]
  expect((await list(ana)).map(({ id }) => id)).toEqual([second, first])
  await (await send(service, ana, { conversation_id: first })).all()
  expect((await list(ana)).map(({ id }) => id)).toEqual([first, second])
})

describe('the removal of a conversation', () => {
  test('stops a reply that is being written, and keeps what came', async () => {
    const never = new Promise(() => undefined)
    model.always({ pieces: ['One', { until: never }] })
    const reply = await send(service, ana)
    const { conversation_id, message_id } = await reply.next('start')
    await reply.next('text')
    await service.call(removeConversation, of(conversation_id), ana.as)
    expect(await reply.next('done')).toMatchObject({ finish_reason: 'abort' })
    await model.idle()
    await service.call(restoreConversation, of(conversation_id), ana.as)
    expect((await read(conversation_id)).messages.at(-1)).toMatchObject({
      ...{ id: message_id, status: 'aborted', content: 'One', finish_reason: 'abort' },
    })
  })

  test('ends what can be done with it, until it is restored', async () => {
    const id = await begin()
    const messageId = (await read(id)).messages[1]?.id ?? ''
    await service.call(removeConversation, of(id), ana.as)
    const body = { ...ana.project, conversation_id: id, message: 'Hello' }
    const answers = [
      await service.call(streamReply, { body }, ana.as),
      await service.call(joinReply, { params: { messageId } }, ana.as),
      await service.call(stopReply, { params: { messageId } }, ana.as),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    await service.call(restoreConversation, of(id), ana.as)
    const reply = await send(service, ana, { conversation_id: id, message: 'And now?' })
    await reply.all()
    expect((await read(id)).message_count).toBe(4)
  })
})

test('somebody who left the organization can neither continue a conversation nor read a reply', async () => {
  const id = await begin()
  const messageId = (await read(id)).messages[1]?.id ?? ''
  await service.accounts.memberships.remove(ana.organizationId, ana.userId)
  const body = { ...ana.project, conversation_id: id, message: 'Hello' }
  const answers = [
    await service.call(streamReply, { body }, ana.as),
    await service.call(joinReply, { params: { messageId } }, ana.as),
  ]
  expect(answers.map(({ error }) => error.code)).toEqual([...['ORG_NOT_FOUND', 'NOT_FOUND']])
})
