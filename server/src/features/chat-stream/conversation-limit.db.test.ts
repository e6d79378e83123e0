import { streamReply } from '@assay/contract/chat-stream.ts'
import { removeConversation } from '@assay/contract/conversations.ts'
import { limits } from '@assay/contract/limits.ts'
import { expect, test } from 'vitest'
import { addChatUser, findStart, send } from '../../../test/chat-suite.ts'
import { conversationRow, insertRows } from '../../../test/conversation-rows.ts'
import { requestsPerTest, runningModel } from '../../../test/scripted-model-suite.ts'
import { runningService } from '../../../test/service-suite.ts'

/*
 * How many conversations a user can have.
 */

const service = runningService()
const model = runningModel()
const calls = requestsPerTest(model)

test('messages at once begin as many conversations as there may be, and a removed one makes room', async () => {
  const ana = await addChatUser(service, model)
  model.always({ answer: 'Yes.' })
  const owner = { project_id: ana.projectId, user_id: ana.userId }
  const rows = Array.from({ length: limits.conversations.value - 2 }, () => conversationRow(owner))
  await insertRows(service, 'conversations', rows)
  const count = async () =>
    (await service.query(`select id from conversations where user_id = '${ana.userId}'`)).length
  const begun = await Promise.allSettled(Array.from({ length: 5 }, () => send(service, ana)))
  const replies = begun.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  expect(replies).toHaveLength(2)
  const [first] = await Promise.all(replies.map(({ all }) => all()))
  expect(await count()).toBe(limits.conversations.value)
  const body = { ...ana.project, message: 'Hello' }
  const before = calls.sent().length
  const { status, error } = await service.call(streamReply, { body }, ana.as)
  expect([status, error]).toEqual([
    409,
    {
      code: 'CONFLICT',
      message: 'You have 10,000 conversations in this project, which is the limit. Remove one.',
    },
  ])
  expect([await count(), calls.sent().length]).toEqual([limits.conversations.value, before])
  const params = { conversationId: findStart(first ?? []).conversation_id }
  await service.call(removeConversation, { params }, ana.as)
  await (await send(service, ana)).all()
  expect(await count()).toBe(limits.conversations.value)
})
