import {
  listConversations,
  readConversation,
  removeConversation,
  restoreConversation,
  updateConversation,
} from '@assay/contract/conversations.ts'
import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { clockAt } from '../../../test/clock-at.ts'
import {
  attachmentRow,
  chatMessageRow,
  conversationRow,
  insertRows,
} from '../../../test/conversation-rows.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import type { Credentials } from '../../../test/started-app.ts'
import { newProject } from '../../accounts/project.ts'
import { newId } from '../../platform/ids.ts'
import type { ChatMessageRow, ConversationRow } from '../../storage/accounts/chat-tables.ts'

const start = Date.parse('2026-05-01T08:00:00.000Z')
let now = start
const service = runningService({ clock: clockAt(() => now) })
const tenant = tenantPerTest(service)
const other = tenantPerTest(service)
const ana = signedInPerTest(service, () => tenant.members.Viewer)
const colleague = signedInPerTest(service, () => tenant.members.Owner)
const stranger = signedInPerTest(service, () => other.members.Owner)
beforeEach(() => {
  now = start
})

const at = (second: number) => new Date(start + second * 1000).toISOString()
const owner = () => ({ project_id: tenant.projectId, user_id: tenant.members.Viewer.id })

async function add(more: Partial<ConversationRow> = {}, of = owner()): Promise<ConversationRow> {
  const row = conversationRow(of, more)
  await insertRows(service, 'conversations', [row])
  return row
}

async function addMessage(of: string, more: Partial<ChatMessageRow> = {}): Promise<ChatMessageRow> {
  const row = chatMessageRow(of, more)
  await insertRows(service, 'chat_messages', [row])
  return row
}

const slugOf = async (organizationId: string) =>
  (await service.accounts.organizations.find(organizationId))?.slug ?? ''

async function list(query: object = {}, as: Credentials = ana) {
  const slugs = { org: await slugOf(tenant.organizationId), project: 'project' }
  return await service.call(listConversations, { query: { ...slugs, ...query } }, as)
}
const titles = async (query: object = {}, as = ana) =>
  (await list(query, as)).data.conversations.map(({ title }) => title)

const inConversation = ({ id }: ConversationRow) => ({ params: { conversationId: id } })
const read = (row: ConversationRow, as = ana) =>
  service.call(readConversation, inConversation(row), as)
const update = (row: ConversationRow, body: object, as = ana) =>
  service.call(updateConversation, { ...inConversation(row), body }, as)
const remove = (row: ConversationRow, as = ana) =>
  service.call(removeConversation, inConversation(row), as)
const restore = (row: ConversationRow, as = ana) =>
  service.call(restoreConversation, inConversation(row), as)

const readStored = async () => [
  await service.query('select * from conversations order by id'),
  await service.query('select * from chat_messages order by id'),
]

const notFound = { status: 404, error: { code: 'NOT_FOUND', message: 'Conversation not found.' } }

/** Every endpoint of one conversation, with a valid request. */
const ofOne: readonly (readonly [AnyEndpoint, object?])[] = [
  [readConversation],
  [updateConversation, { title: 'Changed' }],
  [removeConversation],
  [restoreConversation],
]

async function expectNotFound(id: string, as: Credentials) {
  const before = await readStored()
  for (const [declared, body] of ofOne) {
    const args = { params: { conversationId: id }, ...(body && { body }) }
    expect(await service.call(declared, args, as)).toMatchObject(notFound)
  }
  expect(await readStored()).toEqual(before)
}

describe('the list of conversations', () => {
  test('has those of the caller in the project, the newest first', async () => {
    await add({ title: 'Older', updated_at: at(1), message_count: 4 })
    const newest = await add({ title: 'Newest', updated_at: at(2), created_at: at(0) })
    await add({}, { ...owner(), user_id: tenant.members.Owner.id })
    const answer = await list()
    expect(answer).toMatchObject({ status: 200, data: { cursor: null } })
    expect(answer.data.conversations).toEqual([
      {
        ...{ id: newest.id, title: 'Newest', encrypted: false, message_count: 0 },
        ...{ created_at: at(0), updated_at: at(2) },
      },
      expect.objectContaining({ title: 'Older', message_count: 4 }),
    ])
    expect(await titles({}, colleague)).toEqual(['Refunds'])
  })

  test('is paged with a cursor that skips and repeats nothing', async () => {
    for (let n = 0; n < 5; n += 1) await add({ title: `Number ${n}`, updated_at: at(1) })
    const seen: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await list({ limit: 2, ...(cursor && { cursor }) })
      seen.push(...page.data.conversations.map(({ title }) => title))
      cursor = page.data.cursor
    } while (cursor !== null)
    expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4].map((n) => `Number ${n}`))
  })

  test.each([
    ['100%', ['100% of refunds']],
    [' Refund ', ['Refund_Policy', '100% of refunds']],
    ['d_p', ['Refund_Policy']],
    ['ÄRZTE', ['Die Ärzte']],
    ["o'", ["O'Reilly"]],
    ['\\', ['C:\\temp']],
    ['%%', []],
    [' ', ['C:\\temp', "O'Reilly", 'Die Ärzte', 'Refund_Policy', '100% of refunds']],
  ])('is searched by the part %s of titles, in any case', async (q, found) => {
    const all = ['100% of refunds', 'Refund_Policy', 'Die Ärzte', "O'Reilly", 'C:\\temp']
    for (const [n, title] of all.entries()) await add({ title, updated_at: at(n) })
    expect(await titles({ q })).toEqual(found)
  })

  test('of 5,000 is searched to its end, in pages', async () => {
    const rows = Array.from({ length: 5000 }, (_, n) => {
      const title = n % 1000 === 0 ? `Refund ${n}` : 'Other'
      return conversationRow(owner(), { title, updated_at: at(n) })
    })
    await insertRows(service, 'conversations', rows)
    const first = await list({ q: 'refund', limit: 3 })
    const rest = await list({ q: 'refund', limit: 3, cursor: first.data.cursor })
    const found = [first, rest].map(({ data }) => data.conversations.map(({ title }) => title))
    expect(found).toEqual([
      ['Refund 4000', 'Refund 3000', 'Refund 2000'],
      ['Refund 1000', 'Refund 0'],
    ])
    expect(rest.data.cursor).toBeNull()
  }, 30_000)

  test('refuses a cursor of another project, and one that was not issued', async () => {
    for (let n = 0; n < 2; n += 1) await add()
    const { cursor } = (await list({ limit: 1 })).data
    await service.accounts.projects.insert(
      newProject(tenant.organizationId, 'Other', 'other', at(0)).row,
    )
    const refusal = { code: 'INVALID_QUERY', message: 'cursor must be cursor of an earlier page' }
    const forged = Buffer.from(`${at(0)} a`).toString('base64url')
    for (const query of [{ cursor, project: 'other' }, { cursor: forged }])
      expect(await list(query)).toMatchObject({ status: 400, error: refusal })
    expect((await list({ cursor })).status).toBe(200)
  })

  test.each([{ org: undefined }, { project: undefined }, { limit: 0 }, { limit: 'x' }])(
    'refuses a query with %o',
    async (query) => {
      expect(await list(query)).toMatchObject({ status: 400, error: { code: 'INVALID_QUERY' } })
    },
  )

  test('of an unknown organization or project, or of one of others, is not found', async () => {
    const cases = [{ org: 'unknown' }, { project: 'unknown' }]
    for (const query of [...cases, { org: await slugOf(other.organizationId) }]) {
      expect(await list(query)).toMatchObject({
        ...{ status: 404, error: { code: 'PROJECT_NOT_FOUND', message: 'Project not found.' } },
      })
    }
    expect((await list({}, stranger)).error.code).toBe('PROJECT_NOT_FOUND')
  })
})

describe('a conversation', () => {
  test('is read with its messages in order, and without the text of attachments', async () => {
    const row = await add({ title: 'Refunds', message_count: 3 })
    const question = await addMessage(row.id, { content: 'How long?', created_at: at(1) })
    const file = attachmentRow(owner().user_id, { message_id: question.id, text: 'A canary' })
    await insertRows(service, 'chat_attachments', [file])
    const answer = { parent_id: question.id, role: 'assistant', model: 'm' } as const
    const replies = [
      await addMessage(row.id, {
        ...{ ...answer, content: '14 days', reasoning: 'Terms', finish_reason: 'stop' },
        ...{ tokens_in: 9, tokens_out: 2, cost_nano_usd: 1500, trace_id: 'a', created_at: at(2) },
      }),
      await addMessage(row.id, {
        ...{ ...answer, status: 'failed', problem: 'No response.', content: '', created_at: at(3) },
      }),
    ] as const
    await update(row, { selected_message_id: replies[0].id })
    const { status, data } = await read(row)
    expect(status).toBe(200)
    const usage = { tokens_in: null, tokens_out: null, cost_usd: null }
    expect(data).toEqual({
      ...{ id: row.id, title: 'Refunds', encrypted: false, message_count: 3 },
      ...{ created_at: row.created_at, updated_at: row.updated_at },
      selected_message_id: replies[0].id,
      messages: [
        {
          ...{ id: question.id, parent_id: null, role: 'user', content: 'How long?' },
          ...{ status: 'complete', created_at: at(1) },
          attachments: [
            {
              ...{ id: file.id, name: 'terms.txt', extension: 'txt', size: 12, chars: 7 },
              truncated: false,
            },
          ],
        },
        {
          ...{ id: replies[0].id, parent_id: question.id, role: 'assistant', content: '14 days' },
          ...{ reasoning: 'Terms', status: 'complete', attachments: [], created_at: at(2) },
          ...{ model: 'm', finish_reason: 'stop', tokens_in: 9, tokens_out: 2, trace_id: 'a' },
          cost_usd: 0.0000015,
        },
        {
          ...{ id: replies[1].id, parent_id: question.id, role: 'assistant', content: '' },
          ...{ status: 'failed', attachments: [], created_at: at(3), model: 'm', ...usage },
          problem: 'No response.',
        },
      ],
    })
    expect(JSON.stringify(data)).not.toContain('canary')
  })

  test('shows a reply as interrupted once its lease is over', async () => {
    const row = await add()
    const reply = { role: 'assistant', status: 'streaming', running_until: at(30) } as const
    await addMessage(row.id, reply)
    const statusAt = async (second: number) => {
      now = start + second * 1000
      return (await read(row)).data.messages[0]?.status
    }
    expect([await statusAt(29), await statusAt(30)]).toEqual(['streaming', 'interrupted'])
  })

  test('with as many messages and as much text as it can have is read whole', async () => {
    const row = await add()
    const count = limits.chatMessages.value
    const length = limits.conversationTextLength.value / count
    const messages = Array.from({ length: count }, (_, n) =>
      chatMessageRow(row.id, { content: `${n} `.padEnd(length, 'é'), created_at: at(n) }),
    )
    await insertRows(service, 'chat_messages', messages)
    const { data } = await read(row)
    expect(data.messages.map(({ content }) => content)).toEqual(
      messages.map(({ content }) => content),
    )
  }, 30_000)

  test('without messages has an empty list', async () => {
    expect((await read(await add())).data).toMatchObject({ messages: [], message_count: 0 })
  })

  test('is renamed, and is then the newest and found by its new title', async () => {
    const row = await add({ title: 'Refunds', updated_at: at(-9) })
    await add({ title: 'Other', updated_at: at(-8) })
    now = start + 60_000
    const { status, data } = await update(row, { title: ' Fees in Zürich ' })
    expect([status, data.title, data.updated_at]).toEqual([200, 'Fees in Zürich', at(60)])
    expect(await titles()).toEqual(['Fees in Zürich', 'Other'])
    expect(await titles({ q: 'zürich' })).toEqual(['Fees in Zürich'])
    expect(await titles({ q: 'refund' })).toEqual([])
  })

  test('keeps its place in the list when a branch is selected', async () => {
    const row = await add({ updated_at: at(-9) })
    const message = await addMessage(row.id)
    const { data } = await update(row, { selected_message_id: message.id })
    expect(data.updated_at).toBe(at(-9))
    expect((await read(row)).data.selected_message_id).toBe(message.id)
  })

  test('does not select a message of another conversation', async () => {
    const [row, otherRow] = [await add(), await add()]
    const elsewhere = await addMessage(otherRow.id)
    const before = await readStored()
    for (const id of [elsewhere.id, newId()]) {
      expect(await update(row, { title: 'Changed', selected_message_id: id })).toMatchObject({
        ...{ status: 404, error: { code: 'NOT_FOUND', message: 'Message not found.' } },
      })
    }
    expect(await readStored()).toEqual(before)
  })

  test.each([
    [{}],
    [{ title: '' }],
    [{ title: ' ' }],
    [{ title: 'x'.repeat(limits.conversationTitleLength.value + 1) }],
    [{ title: 'a\u0000b' }],
    [{ title: '\ud800' }],
    [{ title: 7 }],
    [{ selected_message_id: 'x' }],
    [{ selected_message_id: null }],
  ])('refuses the change %o, and is unchanged', async (body) => {
    const row = await add()
    const before = await readStored()
    expect(await update(row, body)).toMatchObject({
      ...{ status: 400, error: { code: 'INVALID_BODY' } },
    })
    expect(await readStored()).toEqual(before)
  })

  test('that is encrypted has a sealed title, which does not change without keys', async () => {
    const sealedTitle = { epoch: 1, sealed: 'AQ' }
    const row = await add({ encrypted: 1, title: '', sealed_title: JSON.stringify(sealedTitle) })
    const before = await readStored()
    expect(await update(row, { title: 'Plain' })).toMatchObject({
      ...{ status: 409, error: { code: 'CONFLICT' } },
    })
    expect(await readStored()).toEqual(before)
    expect((await list()).data.conversations).toMatchObject([
      { encrypted: true, title: '', sealed_title: sealedTitle },
    ])
  })

  test('that is removed does not exist, except to be restored for ten minutes', async () => {
    const row = await add()
    expect(await remove(row)).toMatchObject({ status: 200, data: { status: 'removed' } })
    expect(await titles()).toEqual([])
    for (const refused of [await read(row), await update(row, { title: 'x' }), await remove(row)])
      expect(refused).toMatchObject(notFound)
    now = start + 10 * 60_000 - 1
    const restored = await restore(row)
    expect([restored.status, restored.data.title]).toEqual([200, 'Refunds'])
    expect(await titles()).toEqual(['Refunds'])
    expect((await restore(row)).status).toBe(200)
    await remove(row)
    now += 10 * 60_000
    await expectNotFound(row.id, ana)
  })

  test('of somebody else, of another organization or of nobody does not exist, and is unchanged', async () => {
    const row = await add()
    await addMessage(row.id)
    for (const as of [colleague, stranger]) await expectNotFound(row.id, as)
    for (const id of [newId(), 'x', '%00', row.id.slice(0, -1)]) await expectNotFound(id, ana)
    expect((await read(row)).status).toBe(200)
  })

  test('does not exist for somebody who left the organization, until they are back', async () => {
    const row = await add()
    const { id: userId } = tenant.members.Viewer
    await service.accounts.memberships.remove(tenant.organizationId, userId)
    await expectNotFound(row.id, ana)
    expect((await list()).error.code).toBe('PROJECT_NOT_FOUND')
    const joined = { organization_id: tenant.organizationId, user_id: userId }
    await service.accounts.memberships.insert({ ...joined, role: 'Viewer', joined_at: at(0) })
    expect((await read(row)).status).toBe(200)
  })
})

test('a conversation of a removed project does not exist, also before it is deleted', async () => {
  const row = await add()
  await service.accounts.projects.remove(tenant.projectId, 'project')
  await expectNotFound(row.id, ana)
  expect((await list()).error.code).toBe('PROJECT_NOT_FOUND')
})

test('titles are returned as they were given, whatever they contain', async () => {
  const row = await add()
  for (const title of [
    '<img src=x onerror=alert(1)>',
    '"><script>alert(1)</script>',
    'invoice \u202Efdp.exe',
    '\u2067שלום\u2069 a',
    'x'.repeat(limits.conversationTitleLength.value),
    "'; drop table conversations; --",
  ]) {
    expect((await update(row, { title })).data.title).toBe(title)
    expect(await titles()).toEqual([title])
    expect((await read(row)).data.title).toBe(title)
  }
})
