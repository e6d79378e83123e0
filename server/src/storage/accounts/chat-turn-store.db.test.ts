import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import {
  attachmentRow,
  chatMessageRow,
  conversationRow,
  insertRows,
} from '../../../test/conversation-rows.ts'
import { addTenant } from '../../../test/people.ts'
import { newId } from '../../platform/ids.ts'
import type { ChatAttachmentRow, ChatMessageRow, ConversationRow } from './chat-tables.ts'
import type { EndedMessage } from './chat-turn-store.ts'
import { isUniqueConflict } from './unique-conflict.ts'

let opened: TestAccounts

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const turns = () => opened.accounts.chatTurns

describe.each(engines)('turns on %s', (engine) => {
  let owner: Pick<ConversationRow, 'project_id' | 'user_id'>
  let conversation: ConversationRow

  beforeAll(async () => {
    opened = await openTestAccounts(engine)
    const { projectId, members } = await addTenant(opened.accounts)
    owner = { project_id: projectId, user_id: members.Viewer.id }
  })
  afterAll(() => opened.remove())
  beforeEach(async () => {
    conversation = conversationRow(owner, { text_length: 10, message_count: 2 })
    await insert(conversation)
  })

  const insert = (row: ConversationRow) => insertRows(opened, 'conversations', [row])
  const add = async (more: Partial<ChatMessageRow> = {}): Promise<ChatMessageRow> => {
    const row = chatMessageRow(conversation.id, more)
    await turns().insertMessage(row)
    return row
  }
  const addReply = (more: Partial<ChatMessageRow> = {}) =>
    add({ role: 'assistant', status: 'streaming', running_until: at(30), content: '', ...more })
  const addAttachment = async (more: Partial<ChatAttachmentRow> = {}) => {
    const row = attachmentRow(owner.user_id, { expires_at: at(9), ...more })
    await insertRows(opened, 'chat_attachments', [row])
    return row
  }
  const read = async (table: string, id: string) =>
    (await opened.query(`select * from ${table} where id = '${id}'`))[0]

  test('a conversation grows as far as there is room, and not after its removal', async () => {
    const growth = { messages: 2, textLength: 5, messageId: newId(), now: at(5) }
    const grow = (messages: number, textLength: number) =>
      turns().growConversation(owner.user_id, conversation.id, growth, { messages, textLength })
    expect([await grow(3, 15), await grow(4, 14)]).toEqual([false, false])
    expect(await grow(4, 15)).toBe(true)
    expect(await read('conversations', conversation.id)).toMatchObject({
      ...{ message_count: 4, text_length: 15, selected_message_id: growth.messageId },
      updated_at: at(5),
    })
    await opened.accounts.conversations.remove(owner.user_id, conversation.id, at(9))
    expect(await grow(100, 100)).toBe(false)
  })

  describe('a user with as many conversations in a project as they can have', () => {
    const idsOf = async () =>
      new Set(
        (await opened.query(`select id from conversations where user_id = '${user}'`)).map(
          ({ id }) => id,
        ),
      )
    let user: string
    let own: ConversationRow[]

    beforeEach(async () => {
      const tenant = await addTenant(opened.accounts)
      user = tenant.members.Viewer.id
      owner = { project_id: tenant.projectId, user_id: user }
      own = [conversationRow(owner), conversationRow(owner)]
      for (const row of own) await insert(row)
    })

    const begin = (row: ConversationRow, limit: number) =>
      opened.accounts.transaction(({ chatTurns }) => chatTurns.insertConversation(row, limit))

    test('begins no further one, unlike in another project, and unlike others', async () => {
      const further = conversationRow(owner)
      expect(await begin(further, 2)).toBe(false)
      expect(await idsOf()).toEqual(new Set(own.map(({ id }) => id)))
      expect(await begin(conversationRow({ ...owner, project_id: newId() }), 2)).toBe(true)
      const other = (await addTenant(opened.accounts)).members.Viewer
      expect(await begin(conversationRow({ ...owner, user_id: other.id }), 2)).toBe(true)
      expect(await begin(further, 3)).toBe(true)
    })

    test('exceeds the number by none that begin at once', async () => {
      const rows = Array.from({ length: 8 }, () => conversationRow(owner))
      const begun = await Promise.all(rows.map((row) => begin(row, 5)))
      expect(begun.filter((hasBegun) => hasBegun)).toHaveLength(3)
      expect((await idsOf()).size).toBe(5)
    })

    test('begins one in the place of the one that was removed first, for good', async () => {
      const [first, second] = own as [ConversationRow, ConversationRow]
      await opened.accounts.conversations.remove(user, second.id, at(9))
      await opened.accounts.conversations.remove(user, first.id, at(8))
      const [further, last] = [conversationRow(owner), conversationRow(owner)]
      expect(await begin(further, 2)).toBe(true)
      expect(await idsOf()).toEqual(new Set([second.id, further.id]))
      expect(await begin(last, 2)).toBe(true)
      expect(await idsOf()).toEqual(new Set([further.id, last.id]))
      expect(await begin(conversationRow(owner), 2)).toBe(false)
    })
  })

  test('a branch goes from a message to its root, in this conversation only', async () => {
    const root = await add({ content: 'äöü' })
    const reply = await add({ parent_id: root.id, role: 'assistant', content: 'Yes' })
    await add({ parent_id: root.id, content: 'another branch' })
    const last = await add({ parent_id: reply.id })
    await addAttachment({ message_id: root.id, chars: 7 })
    await addAttachment({ message_id: root.id, chars: 9 })
    const { listBranch, listBranchTexts, findMessage } = turns()
    const part = (from: ChatMessageRow, limit: number, { id } = conversation) => ({
      ...{ conversationId: id, messageId: from.id, limit },
    })
    const branch = [
      { id: last.id, parent_id: reply.id, bytes: 5, attachedChars: 0 },
      { id: reply.id, parent_id: root.id, bytes: 3, attachedChars: 0 },
      { id: root.id, parent_id: null, bytes: 6, attachedChars: 16 },
    ]
    expect(await listBranch(owner.user_id, part(last, 9, conversation))).toEqual(branch)
    expect(await listBranch(owner.user_id, part(last, 2, conversation))).toEqual(branch.slice(0, 2))
    expect(await listBranchTexts(owner.user_id, part(reply, 9, conversation))).toEqual([
      { id: reply.id, role: 'assistant', content: 'Yes' },
      { id: root.id, role: 'user', content: 'äöü' },
    ])
    expect(await listBranchTexts(owner.user_id, part(reply, 1, conversation))).toHaveLength(1)
    expect(await findMessage(owner.user_id, conversation.id, reply.id)).toEqual({
      ...{ id: reply.id, role: 'assistant', status: 'complete', running_until: null },
    })
    const other = conversationRow(owner)
    await insert(other)
    expect(await listBranch(owner.user_id, part(last, 9, other))).toEqual([])
    expect(await listBranchTexts(owner.user_id, part(last, 9, other))).toEqual([])
    expect(await findMessage(owner.user_id, other.id, last.id)).toBeUndefined()
    const stranger = newId()
    expect(await listBranch(stranger, part(last, 9, conversation))).toEqual([])
    expect(await listBranchTexts(stranger, part(last, 9, conversation))).toEqual([])
    expect(await findMessage(stranger, conversation.id, last.id)).toBeUndefined()
  })

  test('the newest message is the last by time', async () => {
    expect(await turns().findNewestMessage(owner.user_id, conversation.id)).toBeUndefined()
    const newest = await add({ created_at: at(2) })
    await add({ created_at: at(1) })
    expect(await turns().findNewestMessage(owner.user_id, conversation.id)).toBe(newest.id)
  })

  test('attachments of a user are attached once, until they expire', async () => {
    const message = await add()
    const [own, late, other] = [
      await addAttachment(),
      await addAttachment({ expires_at: at(5) }),
      await addAttachment({ user_id: (await addTenant(opened.accounts)).members.Owner.id }),
    ]
    const ids = [own.id, late.id, other.id, newId()]
    expect(await turns().attach(owner.user_id, ids, message.id, at(5))).toBe(1)
    expect(await turns().attach(owner.user_id, ids, message.id, at(5))).toBe(0)
    expect(await read('chat_attachments', own.id)).toMatchObject({
      ...{ message_id: message.id, expires_at: null },
    })
    expect(await turns().listAttachedIds(owner.user_id, message.id)).toEqual([own.id])
    expect(await turns().listAttachedIds(newId(), message.id)).toEqual([])
    expect(await turns().findAttachedText(owner.user_id, own.id)).toEqual({
      ...{ id: own.id, name: 'terms.txt', text: 'Returns' },
    })
    expect(await turns().findAttachedText(newId(), own.id)).toBeUndefined()
  })

  test('attachments of a conversation are copied for another message of their user', async () => {
    const [first, second] = [await add(), await add()]
    const own = await addAttachment({ message_id: first.id, expires_at: null, blocked: 1 })
    const reused = (user: string, of: string) =>
      opened.accounts.chatAttachments.listAttached(user, of, [own.id])
    expect(await reused(owner.user_id, conversation.id)).toEqual([
      { id: own.id, name: 'terms.txt', chars: 7, created_at: own.created_at },
    ])
    expect(await reused(newId(), conversation.id)).toEqual([])
    expect(await reused(owner.user_id, newId())).toEqual([])
    const copy = { id: newId(), message_id: second.id }
    expect(await opened.accounts.chatAttachments.copy(newId(), own.id, copy)).toBe(false)
    expect(await opened.accounts.chatAttachments.copy(owner.user_id, own.id, copy)).toBe(true)
    expect(await read('chat_attachments', copy.id)).toEqual({ ...own, ...copy })
    expect(await read('chat_attachments', own.id)).toEqual(own)
  })

  test('a message that follows another is found, in the conversation of the user only', async () => {
    const child = (of: string, id: string | null) => turns().findChild(owner.user_id, of, id)
    expect(await child(conversation.id, null)).toBeUndefined()
    const root = await add()
    expect(await child(conversation.id, null)).toBe(root.id)
    expect(await child(conversation.id, root.id)).toBeUndefined()
    const next = await add({ parent_id: root.id })
    expect(await child(conversation.id, root.id)).toBe(next.id)
    expect(await child(newId(), root.id)).toBeUndefined()
    expect(await turns().findChild(newId(), conversation.id, root.id)).toBeUndefined()
  })

  test('approved values are listed by conversation, each once', async () => {
    await turns().insertApprovals(conversation.id, ['a', 'b'])
    await turns().insertApprovals(conversation.id, ['b', 'c'])
    expect((await turns().listApprovals(owner.user_id, conversation.id)).toSorted()).toEqual([
      'a',
      'b',
      'c',
    ])
    expect(await turns().listApprovals(owner.user_id, newId())).toEqual([])
  })

  test('a client key is unique, and found by its user, also in a removed conversation', async () => {
    const client_key = newId()
    const asked = await add({ client_key })
    const error = await add({ client_key }).catch((thrown: unknown) => thrown)
    expect(isUniqueConflict(error)).toBe(true)
    const { user_id } = owner
    expect(await turns().findByKey(user_id, client_key)).toEqual({
      ...{ id: asked.id, role: 'user', conversation_id: conversation.id },
    })
    expect(await turns().findByKey(newId(), client_key)).toBeUndefined()
    await add({ parent_id: asked.id, role: 'assistant', created_at: at(2) })
    const first = await add({ parent_id: asked.id, role: 'assistant', created_at: at(1) })
    expect(await turns().findFirstReply(user_id, conversation.id, asked.id)).toBe(first.id)
    await opened.accounts.conversations.remove(user_id, conversation.id, at(9))
    expect(await turns().findByKey(user_id, client_key)).toMatchObject({ id: asked.id })
  })

  test('a reply is found by its user only, and not in a removed conversation', async () => {
    const reply = await addReply()
    const question = await add()
    const { user_id, project_id } = owner
    expect(await turns().findReply(user_id, reply.id)).toEqual({ ...reply, project_id })
    const lease = { status: 'streaming', running_until: at(30) }
    expect(await turns().findLease(user_id, reply.id)).toEqual(lease)
    expect(await turns().findReply(newId(), reply.id)).toBeUndefined()
    expect(await turns().findReply(user_id, question.id)).toBeUndefined()
    await opened.accounts.conversations.remove(user_id, conversation.id, at(9))
    expect(await turns().findReply(user_id, reply.id)).toBeUndefined()
    expect(await turns().findLease(user_id, reply.id)).toBeUndefined()
  })

  const ended: EndedMessage = {
    status: 'complete',
    finish_reason: 'stop',
    ...{ content: 'Yes', reasoning: 'Hm', problem: null },
    ...{ tokens_in: 1, tokens_out: 2, cost_nano_usd: 1500.5 },
  }

  test('the lease of a reply is renewed with its text until it is stopped or has ended', async () => {
    const { renewReply, requestStop, endReply } = turns()
    const text = { content: 'Y', reasoning: '', running_until: at(40) }
    const reply = await addReply()
    expect(await renewReply(owner.user_id, reply, text)).toBe(true)
    expect(await read('chat_messages', reply.id)).toMatchObject(text)
    expect(await requestStop(owner.user_id, reply, at(39))).toBe(true)
    expect(await renewReply(owner.user_id, reply, text)).toBe(false)
    await endReply(owner.user_id, reply, ended, at(41))
    expect(await renewReply(owner.user_id, reply, { ...text, content: 'late' })).toBe(false)
    expect(await read('chat_messages', reply.id)).toMatchObject({ content: 'Yes' })
    expect(await requestStop(owner.user_id, reply, at(0))).toBe(false)
    expect(await renewReply(owner.user_id, { ...reply, id: newId() }, text)).toBe(false)
  })

  test('a reply whose lease is over is not stopped', async () => {
    const reply = await addReply({ running_until: at(5) })
    expect(await turns().requestStop(owner.user_id, reply, at(5))).toBe(false)
  })

  test('a reply ends once, and its text counts for the conversation', async () => {
    const reply = await addReply()
    await turns().endReply(owner.user_id, reply, ended, at(7))
    await turns().endReply(owner.user_id, reply, { ...ended, content: 'Another text' }, at(8))
    expect(await read('chat_messages', reply.id)).toMatchObject({ ...ended, running_until: null })
    expect(await read('conversations', conversation.id)).toMatchObject({
      ...{ text_length: 15, updated_at: at(7) },
    })
  })

  test('a title that its user has chosen is not replaced', async () => {
    const replace = (from: string) =>
      turns().replaceTitle(...([owner.user_id, conversation.id, from] as const), {
        title: 'New',
        lower_title: 'new',
      })
    await replace('Other')
    expect(await read('conversations', conversation.id)).toMatchObject({ title: 'Refunds' })
    await replace('Refunds')
    expect(await read('conversations', conversation.id)).toMatchObject({
      ...{ title: 'New', lower_title: 'new' },
    })
  })
})
