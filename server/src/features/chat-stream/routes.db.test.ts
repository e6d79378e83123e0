import { joinReply, stopReply } from '@assay/contract/chat-stream.ts'
import {
  readConversation,
  removeConversation,
  restoreConversation,
} from '@assay/contract/conversations.ts'
import { limits } from '@assay/contract/limits.ts'
import { describe, expect, test } from 'vitest'
import {
  addChatUser,
  addColleague,
  type ChatUser,
  chatSuite,
  findStart,
  join,
  send,
  summary,
  textOf,
  upload,
} from '../../../test/chat-suite.ts'
import { addUser } from '../../../test/people.ts'
import { addModelConfig } from '../../../test/scripted-model-suite.ts'
import { newId } from '../../platform/ids.ts'

const { service, model, calls, ana, turn, refused } = chatSuite(({ body }) => ({
  answer: body['stream'] === true ? 'Yes, you may.' : 'Returns',
}))

/** The messages of the user, oldest first. */
const rowsOf = async ({ userId }: ChatUser) =>
  await service.query(
    `select m.* from chat_messages m join conversations c on c.id = m.conversation_id where c.user_id = '${userId}' order by m.created_at`,
  )

async function refusal(body: object, as = ana) {
  const { status, code } = await refused(body, as)
  return [status, code]
}

/** The texts that the model got for a reply, by call. */
const sentTexts = () =>
  calls
    .sent()
    .filter(({ body }) => body['stream'] === true)
    .map(({ texts }) => texts)

describe('a message', () => {
  test('begins a conversation, and is answered', async () => {
    const reply = await send(service, ana, { message: 'May I return it?' })
    const events = await reply.all()
    const { conversation_id, message_id, parent_id, trace_id } = findStart(events)
    expect(reply.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(reply.headers.get('x-accel-buffering')).toBe('no')
    expect(textOf(events)).toBe('Yes, you may.')
    expect(summary(events.slice(-3)).toSorted()).toEqual(['done: stop', 'title: Returns', 'usage'])
    expect(events.at(-1)).toMatchObject({ type: 'done', message_id })
    expect(events.find(({ type }) => type === 'usage')).toMatchObject({
      ...{ tokens_in: 100, tokens_out: 10, cost_usd: 0.0011 },
    })
    expect(await rowsOf(ana)).toMatchObject([
      { id: parent_id, parent_id: null, role: 'user', content: 'May I return it?' },
      {
        ...{ id: message_id, parent_id, role: 'assistant', content: 'Yes, you may.' },
        ...{ status: 'complete', finish_reason: 'stop', running_until: null, model: 'model-1' },
        ...{ tokens_in: 100, tokens_out: 10, cost_nano_usd: 1_100_000, trace_id },
      },
    ])
    const [row] = await service.query(`select * from conversations where id = '${conversation_id}'`)
    expect(row).toMatchObject({
      ...{ title: 'Returns', message_count: 2, selected_message_id: message_id, encrypted: 0 },
      text_length: 'May I return it?Yes, you may.'.length,
    })
  })

  test('is sent with system and the messages before it, without a limit of its reply', async () => {
    const first = await turn({ message: 'One' })
    await turn({ conversation_id: first.conversation_id, message: 'Two', system: 'Be brief.' })
    expect(sentTexts()).toEqual([['One'], ['One', 'Yes, you may.', 'Two']])
    const [last] = calls.sent().slice(-1)
    expect([last?.system, last?.body['max_tokens']]).toEqual(['Be brief.', undefined])
  })

  test('is sent with history in place of the messages before it', async () => {
    const { conversation_id } = await turn({ message: 'One' })
    const history = [
      { role: 'user', content: 'Q' },
      { role: 'assistant', content: 'A' },
    ]
    await turn({ conversation_id, message: 'Two', history })
    expect(sentTexts().at(-1)).toEqual(['Q', 'A', 'Two'])
  })

  test('has its attachments, also in later turns, and each once', async () => {
    const id = await upload(service, ana, 'Within ``` 30 days')
    const first = await turn({ message: 'When?', attachment_ids: [id.toUpperCase(), id] })
    const attached = 'Attached file terms.txt:\n````\nWithin ``` 30 days\n````\n\nWhen?'
    await turn({ conversation_id: first.conversation_id, message: 'Why?' })
    expect(sentTexts()).toEqual([[attached], [attached, 'Yes, you may.', 'Why?']])
    const [row] = await service.query(`select * from chat_attachments where id = '${id}'`)
    expect(row).toMatchObject({ message_id: first.parent_id, expires_at: null })
    expect(await refusal({ attachment_ids: [id] })).toEqual([404, 'NOT_FOUND'])
  })

  test('is answered by the requested model, by default the oldest', async () => {
    const { modelConfigId } = await addModelTo(ana)
    expect((await turn()).model).toBe('model-1')
    expect((await turn({ model_config_id: modelConfigId })).model).toBe('model-2')
  })

  test('with zeros and lone surrogates is stored with replacements', async () => {
    await turn({ message: 'a\u0000b\ud800c' })
    expect((await rowsOf(ana))[0]).toMatchObject({ content: 'a\ufffdb\ufffdc' })
  })

  test('chat case 13: is stored in its own conversation only, also beside another one', async () => {
    const [one, two] = await Promise.all([turn({ message: 'One' }), turn({ message: 'Two' })])
    expect(one.conversation_id).not.toBe(two.conversation_id)
    const contents = async (conversationId: string) =>
      (
        await service.query(
          `select content from chat_messages where conversation_id = '${conversationId}' and role = 'user'`,
        )
      ).map(({ content }) => content)
    expect(await contents(one.conversation_id)).toEqual(['One'])
    expect(await contents(two.conversation_id)).toEqual(['Two'])
  })

  test('longer than the model reads leaves the oldest messages out, and says so', async () => {
    const small = await addModelTo(ana, { provider: 'openai', model: 'gpt-3.5-turbo' })
    const history = Array.from({ length: 20 }, (_, n) => ({
      ...{ role: n % 2 === 0 ? 'user' : 'assistant', content: `${n} `.repeat(1000) },
    }))
    const { events } = await turn({ model_config_id: small.modelConfigId, history })
    const notice = events.find(({ type }) => type === 'notice')
    expect(notice).toMatchObject({
      message: expect.stringMatching(/^The \d+ oldest messages were/),
    })
    const [row] = (await rowsOf(ana)).slice(-1)
    expect(JSON.parse(String(row?.['notices']))).toEqual([
      notice?.type === 'notice' && notice.message,
    ])
  })
})

async function addModelTo(user: ChatUser, changes: object = { model: 'model-2' }) {
  const at = { orgId: user.organizationId, as: user.as }
  return { modelConfigId: await addModelConfig(service, model, at, changes) }
}

describe('the title of a conversation', () => {
  const titled = async (title: object) => {
    model.always(({ body }) => (body['stream'] === true ? { answer: 'Y' } : (title as never)))
    const { events, conversation_id } = await turn({
      message: `  How long\ncan I ${'return things '.repeat(9)}`,
    })
    const [row] = await service.query(`select * from conversations where id = '${conversation_id}'`)
    const event = events.find(({ type }) => type === 'title')
    expect(event).toMatchObject({ title: row?.['title'] })
    return row
  }

  test('is written by its model without marks and quotes', async () => {
    expect(await titled({ answer: '"Time for Returns."\nMore' })).toMatchObject({
      ...{ title: 'Time for Returns', lower_title: 'time for returns' },
    })
  })

  test.each([
    ['is too long', { answer: 'word '.repeat(100) }],
    ['is empty', { answer: ' ' }],
    ['fails', { status: 400 }],
  ])('is the first words if its call %s', async (_case, step) => {
    const title = 'How long can I return things return things return things…'
    expect(await titled(step)).toMatchObject({ title })
  })

  test('is not written again for a further message', async () => {
    const { conversation_id } = await turn()
    const { events } = await turn({ conversation_id })
    expect(events.some(({ type }) => type === 'title')).toBe(false)
    expect(calls.sent()).toHaveLength(3)
  })
})

describe('the tree of a conversation', () => {
  test('a further message follows the newest one, and an edited one begins a branch', async () => {
    const first = await turn({ message: 'One' })
    const { conversation_id } = first
    const second = await turn({ conversation_id, message: 'Two' })
    const edited = await turn({ conversation_id, message: 'Due', parent_id: first.message_id })
    const begun = await turn({ conversation_id, message: 'Uno', parent_id: null })
    const parents = Object.fromEntries(
      (await rowsOf(ana)).map((row) => [row['id'], row['parent_id']]),
    )
    expect(parents[second.parent_id]).toBe(first.message_id)
    expect(parents[edited.parent_id]).toBe(first.message_id)
    expect(parents[begun.parent_id]).toBeNull()
    expect(sentTexts().slice(2)).toEqual([['One', 'Yes, you may.', 'Due'], ['Uno']])
  })

  test('chat case 15: an edit of a message never removes what followed it', async () => {
    const first = await turn({ message: 'One' })
    const { conversation_id } = first
    await turn({ conversation_id, message: 'Two' })
    const before = await rowsOf(ana)
    await turn({ conversation_id, message: 'Uno', parent_id: null })
    expect((await rowsOf(ana)).slice(0, before.length)).toEqual(before)
  })

  test('regenerate writes a second reply beside the first, from the same context', async () => {
    const first = await turn({ message: 'One', system: 'S' })
    const { conversation_id, parent_id } = first
    model.always({ answer: 'No.' })
    const again = await turn({ conversation_id, parent_id, regenerate: true, message: undefined })
    expect([again.parent_id, textOf(again.events)]).toEqual([parent_id, 'No.'])
    expect(again.message_id).not.toBe(first.message_id)
    expect(sentTexts()).toEqual([['One'], ['One']])
    const { data } = await service.call(
      readConversation,
      { params: { conversationId: conversation_id } },
      ana.as,
    )
    expect(data.messages.map(({ parent_id: of, content }) => [of, content])).toEqual([
      ...[
        [null, 'One'],
        [parent_id, 'Yes, you may.'],
        [parent_id, 'No.'],
      ],
    ])
    expect([data.message_count, data.selected_message_id]).toEqual([3, again.message_id])
  })
})

describe('client_message_id', () => {
  const client_message_id = 'a-1'

  test('joins the first reply when it is repeated, for a new conversation and in one', async () => {
    const first = await turn({ client_message_id })
    const repeated = await turn({ client_message_id, message: 'Other' })
    expect(repeated.message_id).toBe(first.message_id)
    expect(textOf(repeated.events)).toBe('Yes, you may.')
    const { conversation_id } = first
    const second = await turn({ conversation_id, client_message_id })
    expect(second.message_id).not.toBe(first.message_id)
    expect((await turn({ conversation_id, client_message_id })).message_id).toBe(second.message_id)
    expect(await rowsOf(ana)).toHaveLength(4)
  })

  test('of two requests at once gives both the same reply', async () => {
    const replies = await Promise.all([turn({ client_message_id }), turn({ client_message_id })])
    expect(new Set(replies.map(({ message_id }) => message_id)).size).toBe(1)
    expect(replies.map(({ events }) => textOf(events))).toEqual(['Yes, you may.', 'Yes, you may.'])
    expect(await rowsOf(ana)).toHaveLength(2)
    expect(sentTexts()).toHaveLength(1)
  })

  test('of a request to regenerate gives the same second reply', async () => {
    const { conversation_id, parent_id } = await turn({ client_message_id })
    const body = { conversation_id, parent_id, regenerate: true, client_message_id: 'b' }
    const again = await turn(body)
    expect((await turn(body)).message_id).toBe(again.message_id)
    expect(await rowsOf(ana)).toHaveLength(3)
  })

  test('of a removed conversation finds no reply until it is restored', async () => {
    const { conversation_id, message_id } = await turn({ client_message_id })
    const removed = { params: { conversationId: conversation_id } }
    await service.call(removeConversation, removed, ana.as)
    expect(await refusal({ client_message_id })).toEqual([404, 'NOT_FOUND'])
    await service.call(restoreConversation, removed, ana.as)
    expect((await turn({ client_message_id })).message_id).toBe(message_id)
  })

  test('of another person is another one', async () => {
    const ben = await addColleague(service, ana)
    const mine = await turn({ client_message_id })
    expect((await turn({ client_message_id }, ben)).message_id).not.toBe(mine.message_id)
  })
})

describe('a request is refused before its stream, and stores nothing', () => {
  test('without a session', async () => {
    expect(await refusal({}, { ...ana, as: {} })).toEqual([401, 'UNAUTHENTICATED'])
  })

  test.each([
    ['no message', { message: undefined }],
    ['an empty message', { message: '' }],
    ['a message that is too long', { message: 'x'.repeat(100_001) }],
    ['regenerate without parent_id', { regenerate: true, conversation_id: newId() }],
    ['parent_id without conversation_id', { parent_id: newId() }],
    ['a client_message_id with a space', { client_message_id: 'a b' }],
    ['too many attachments', { attachment_ids: Array.from({ length: 11 }, () => newId()) }],
    ['a role of history that is none', { history: [{ role: 'system', content: 'x' }] }],
  ])('with %s', async (_case, body) => {
    expect(await refusal(body)).toEqual([400, 'INVALID_BODY'])
  })

  test('by the organization and the project', async () => {
    expect(await refusal({ org: 'none' })).toEqual([404, 'ORG_NOT_FOUND'])
    expect(await refusal({ project: 'none' })).toEqual([404, 'PROJECT_NOT_FOUND'])
  })

  test('for a member of another organization', async () => {
    const other = await service.addTenant()
    const viewer = { ...ana, as: await service.signedIn(other.members.Viewer) }
    expect(await refusal({}, viewer)).toEqual([404, 'ORG_NOT_FOUND'])
  })

  test('in a conversation that does not exist, of somebody else, of another project, or that was removed', async () => {
    const { conversation_id } = await turn()
    const ben = await addColleague(service, ana)
    const other = await addChatUser(service, model)
    const elsewhere = await turn({}, other)
    expect(await refusal({ conversation_id: newId() })).toEqual([404, 'NOT_FOUND'])
    expect(await refusal({ conversation_id }, ben)).toEqual([404, 'NOT_FOUND'])
    const { conversation_id: of } = elsewhere
    expect(await refusal({ conversation_id: of })).toEqual([404, 'NOT_FOUND'])
    const params = { conversationId: conversation_id }
    await service.call(removeConversation, { params }, ana.as)
    expect(await refusal({ conversation_id })).toEqual([404, 'NOT_FOUND'])
  })

  test('after a message that is not in its conversation, or to regenerate what is no message of a user', async () => {
    const { conversation_id, message_id } = await turn()
    const other = await turn()
    for (const parent_id of [newId(), other.message_id]) {
      expect(await refusal({ conversation_id, parent_id })).toEqual([404, 'NOT_FOUND'])
    }
    const regenerate = { conversation_id, parent_id: message_id, regenerate: true }
    expect(await refusal(regenerate)).toEqual([404, 'NOT_FOUND'])
  })

  test('chat case 23: with the attachment of somebody else, or that does not exist', async () => {
    const ben = await addColleague(service, ana)
    const attachment_ids = [await upload(service, ben, 'Returns')]
    expect(await refusal({ attachment_ids })).toEqual([404, 'NOT_FOUND'])
    expect(await refusal({ attachment_ids: [newId()] })).toEqual([404, 'NOT_FOUND'])
    expect((await turn({ attachment_ids }, ben)).type).toBe('start')
  })

  test('by a model that the organization does not have, or has none of', async () => {
    const { modelConfigId: model_config_id } = await addChatUser(service, model)
    expect(await refusal({ model_config_id })).toEqual([404, 'NOT_FOUND'])
    const { organizationId, members } = await service.addTenant()
    const org = (await service.accounts.organizations.find(organizationId))?.slug
    const as = await service.signedIn(members.Viewer)
    expect(await refusal({ org }, { ...ana, as })).toEqual([409, 'NO_MODELS'])
  })

  test('in a conversation that is full', async () => {
    const { conversation_id } = await turn()
    const set = (column: string, value: number) =>
      service.query(
        `update conversations set ${column} = ${value} where id = '${conversation_id}' returning id`,
      )
    await set('message_count', limits.chatMessages.value - 1)
    expect(await refusal({ conversation_id })).toEqual([409, 'CONFLICT'])
    await set('message_count', 2)
    await set('text_length', limits.conversationTextLength.value - 1)
    expect(await refusal({ conversation_id })).toEqual([409, 'CONFLICT'])
  })

  test('longer than the model reads', async () => {
    const { modelConfigId: model_config_id } = await addModelTo(ana, {
      ...{ provider: 'openai', model: 'gpt-3.5-turbo' },
    })
    const message = 'x'.repeat(60_000)
    expect(await refusal({ model_config_id, message })).toEqual([409, 'CONFLICT'])
  })

  test('where the project requires encrypted history', async () => {
    await service.query(
      `update projects set encrypted_history = 'required' where id = '${ana.projectId}' returning id`,
    )
    expect(await refusal({})).toEqual([409, 'CONFLICT'])
  })

  test('beyond the number of replies of a user, until one of them ends', async () => {
    model.always('stall')
    const most = limits.chatRepliesOfUser.value
    const open = await Promise.all(Array.from({ length: most }, () => send(service, ana)))
    const { message_id } = await open[0]!.next('start')
    expect(await refusal({})).toEqual([503, 'INTERNAL_ERROR'])
    model.always({ answer: 'Y' })
    const params = { messageId: message_id }
    expect((await service.call(stopReply, { params }, ana.as)).data).toEqual({ stopped: true })
    expect((await turn()).type).toBe('start')
    for (const one of open) one.leave()
  })
})

describe('a reply of somebody else', () => {
  test('cannot be joined or stopped, nor one that does not exist', async () => {
    const { message_id, parent_id } = await turn()
    const ben = await addColleague(service, ana)
    const admin = {
      ...ana,
      as: await service.signedIn(await addUser(service.accounts, { superAdmin: true })),
    }
    for (const [user, messageId] of [
      ...([
        [ben, message_id],
        [admin, message_id],
        [ana, newId()],
      ] as const),
      ...([
        [ana, parent_id],
        [ana, 'x'],
      ] as const),
    ]) {
      for (const declared of [joinReply, stopReply]) {
        const { status, error } = await service.call(declared, { params: { messageId } }, user.as)
        expect([status, error]).toEqual([404, { code: 'NOT_FOUND', message: 'Reply not found.' }])
      }
    }
  })

  test('a reply that has ended is not stopped, and read again in whole', async () => {
    const { message_id, events } = await turn()
    const params = { messageId: message_id }
    expect((await service.call(stopReply, { params }, ana.as)).data).toEqual({ stopped: false })
    const again = await (await join(service, ana, message_id)).all()
    const without = events.filter(({ type }) => type !== 'title')
    expect(summary(again)).toEqual(summary(without))
    expect(again.at(-1)).toMatchObject({ finish_reason: 'stop', message_id })
  })
})
