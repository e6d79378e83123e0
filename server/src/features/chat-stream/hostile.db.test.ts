import { joinReply, streamReply } from '@assay/contract/chat-stream.ts'
import { readConversation } from '@assay/contract/conversations.ts'
import { removeProject } from '@assay/contract/organizations.ts'
import { updateAccount } from '@assay/contract/platform.ts'
import { readTrace } from '@assay/contract/traces.ts'
import { describe, expect, test } from 'vitest'
import {
  addChatUser,
  addColleague,
  type ChatUser,
  findStart,
  send,
  summary,
  textOf,
} from '../../../test/chat-suite.ts'
import { eventually } from '../../../test/eventually.ts'
import { addUser } from '../../../test/people.ts'
import { requestsPerTest, runningModel } from '../../../test/scripted-model-suite.ts'
import { runningService } from '../../../test/service-suite.ts'
import { newId } from '../../platform/ids.ts'

/*
 * Replies of providers that do harm, and of people who lose their access meanwhile.
 */

const service = runningService({ replyLimits: { renewMs: 500 } })
const model = runningModel()
const calls = requestsPerTest(model)

const rowOf = async (messageId: string) =>
  (await service.query(`select * from chat_messages where id = '${messageId}'`))[0]

describe('a provider', () => {
  test('whose text is not UTF-8 has replacements in its place, as they are stored', async () => {
    const ana = await addChatUser(service, model)
    const event = Buffer.from('data: {"choices":[{"delta":{"content":"a?b"}}]}\n\n')
    event[event.indexOf('?')] = 0xff
    model.always(({ body }) =>
      body['stream'] === true ? { pieces: ['Yes ', { raw: event }, '.'] } : { status: 400 },
    )
    const events = await (await send(service, ana)).all()
    expect(textOf(events)).toBe('Yes a\uFFFDb.')
    const row = await rowOf(findStart(events).message_id)
    expect(row).toMatchObject({ content: 'Yes a\uFFFDb.', status: 'complete' })
  })

  test('that redirects is not followed', async () => {
    const ana = await addChatUser(service, model)
    const headers = { location: `${model.url}/elsewhere` }
    model.always(({ body }) => ({ status: body['stream'] === true ? 307 : 400, headers }))
    const events = await (await send(service, ana)).all()
    expect(summary(events).at(-1)).toMatch(/^error: /)
    expect(calls.sent().map(({ path }) => path)).not.toContain('/v1/elsewhere')
    expect(calls.sent().filter(({ body }) => body['stream'] === true)).toHaveLength(1)
  })

  test.each([1e300, 2 ** 53, -1, 0.5])(
    'that reports %d tokens has no usage and cost',
    async (n) => {
      const ana = await addChatUser(service, model)
      model.always(({ body }) =>
        body['stream'] === true
          ? { pieces: ['Yes.'], usage: { input: n, output: n } }
          : { status: 400 },
      )
      const events = await (await send(service, ana)).all()
      const usage = { tokens_in: null, tokens_out: null, cost_usd: null }
      expect(events).toContainEqual(expect.objectContaining({ type: 'usage', ...usage }))
      const { conversation_id, trace_id } = findStart(events)
      const of = { params: { conversationId: conversation_id } }
      const { data } = await service.call(readConversation, of, ana.as)
      expect(data.messages[1]).toMatchObject({ status: 'complete', cost_usd: null })
      const params = { projectId: ana.projectId, traceId: trace_id }
      expect((await service.call(readTrace, { params, query: {} }, ana.as)).status).toBe(200)
    },
  )
})

test('what is of somebody else gets the same response as what does not exist', async () => {
  const ana = await addChatUser(service, model)
  const ben = await addColleague(service, ana)
  model.always({ answer: 'Yes.' })
  const { conversation_id, message_id } = findStart(await (await send(service, ana)).all())
  const refused = async (ids: { readonly conversation: string; readonly message: string }) => {
    const { conversation, message } = ids
    const responses = [
      await service.call(joinReply, { params: { messageId: message } }, ben.as),
      await service.call(readConversation, { params: { conversationId: conversation } }, ben.as),
      await service.call(
        streamReply,
        { body: { ...ben.project, message: 'Hello', conversation_id: conversation } },
        ben.as,
      ),
    ]
    return responses.map(({ status, error }) => [status, error])
  }
  const others = await refused({ conversation: conversation_id, message: message_id })
  expect(others).toEqual(await refused({ conversation: newId(), message: newId() }))
  expect(others.map(([status]) => status)).toEqual([404, 404, 404])
})

const losses: Readonly<Record<string, (ana: ChatUser, ben: ChatUser) => Promise<number>>> = {
  async 'the account is disabled'(_ana, ben) {
    const admin = await service.signedIn(await addUser(service.accounts, { superAdmin: true }))
    const account = { params: { userId: ben.userId }, body: { disabled: true } }
    return (await service.call(updateAccount, account, admin)).status
  },
  async 'the account is deleted'(_ana, ben) {
    await service.query(`delete from users where id = '${ben.userId}' returning id`)
    return 200
  },
  async 'the project is removed'(ana) {
    const project = { params: { projectId: ana.projectId }, body: { confirm: 'project' } }
    return (await service.call(removeProject, project, ana.as)).status
  },
}

describe('a reply that is being written ends, and nobody reads it, when', () => {
  test.concurrent.each(Object.entries(losses))('%s', async (_loss, lose) => {
    const ana = await addChatUser(service, model)
    const ben = await addColleague(service, ana)
    const word = `Secret${newId()}`
    model.always(({ body }) =>
      body['stream'] === true ? { pieces: [word, { ending: 'stall' }] } : { status: 400 },
    )
    const reply = await send(service, ben)
    const { message_id } = await reply.next('start')
    await reply.next('text')
    expect(await lose(ana, ben)).toBe(200)
    await eventually(async () =>
      expect((await rowOf(message_id))?.['status']).not.toBe('streaming'),
    )
    const params = { messageId: message_id }
    const joined = await service.call(joinReply, { params }, ben.as)
    expect([401, 403, 404]).toContain(joined.status)
  })
})
