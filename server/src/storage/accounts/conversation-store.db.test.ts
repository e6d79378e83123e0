import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import {
  attachmentRow,
  chatMessageRow,
  conversationRow,
  insertRows,
} from '../../../test/conversation-rows.ts'
import { addTenant, addUser } from '../../../test/people.ts'
import { newId } from '../../platform/ids.ts'
import type { ChatMessageRow, ConversationRow } from './chat-tables.ts'

let opened: TestAccounts

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

async function addOwner() {
  const { projectId } = await addTenant(opened.accounts)
  const { id: user_id } = await addUser(opened.accounts)
  return { owner: { project_id: projectId, user_id } }
}

async function add(row: ConversationRow, ...messages: readonly ChatMessageRow[]) {
  await insertRows(opened, 'conversations', [row])
  await insertRows(opened, 'chat_messages', messages)
  return row
}

const count = async (table: string, condition: string) =>
  Number(
    (await opened.query(`select count(*) as rows from ${table} where ${condition}`))[0]?.['rows'],
  )

describe.each(engines)('conversations on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())

  test('pages of any size hold each conversation once, the newest first, also at equal times', async () => {
    const seconds = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 25 })
    await fc.assert(
      fc.asyncProperty(seconds, fc.integer({ min: 1, max: 7 }), async (times, limit) => {
        const { owner } = await addOwner()
        const rows = times.map((second) => conversationRow(owner, { updated_at: at(second) }))
        await insertRows(opened, 'conversations', rows)
        const listed: string[] = []
        for (let after: ConversationRow | undefined; ; ) {
          const query = { limit, after }
          const page = await opened.accounts.conversations.list(
            ...([owner.user_id, owner.project_id, query] as const),
          )
          listed.push(...page.map(({ id }) => id))
          after = rows.find(({ id }) => id === page.at(-1)?.id)
          if (page.length < limit || after === undefined) break
        }
        expect(listed.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
        const timeOf = (id: string) => rows.find((row) => row.id === id)?.updated_at ?? ''
        expect(listed.map(timeOf)).toEqual(listed.map(timeOf).toSorted().toReversed())
      }),
      { numRuns: 20 },
    )
  }, 60_000)

  test('are listed for their user in their project only, and not once they are removed', async () => {
    const { conversations } = opened.accounts
    const [{ owner }, { owner: other }] = [await addOwner(), await addOwner()]
    const own = await add(conversationRow(owner))
    await add(conversationRow({ ...owner, user_id: other.user_id }))
    await add(conversationRow({ ...owner, project_id: other.project_id }))
    await add(conversationRow(owner, { expires_at: at(9) }))
    const list = async () =>
      (await conversations.list(owner.user_id, owner.project_id, { limit: 9 })).map(({ id }) => id)
    expect(await list()).toEqual([own.id])
    expect(await conversations.remove(other.user_id, own.id, at(9))).toBeUndefined()
    expect(await conversations.remove(owner.user_id, own.id, at(9))).toEqual([])
    expect(await list()).toEqual([])
  })

  test('select only messages of their own', async () => {
    const { conversations } = opened.accounts
    const { owner } = await addOwner()
    const [row, otherRow] = [conversationRow(owner), conversationRow(owner)]
    const [message, elsewhere] = [chatMessageRow(row.id), chatMessageRow(otherRow.id)]
    await add(row, message)
    await add(otherRow, elsewhere)
    const select = (id: string) =>
      conversations.update(owner.user_id, row.id, { selected_message_id: id })
    expect(await select(message.id)).toMatchObject({ selected_message_id: message.id })
    for (const id of [elsewhere.id, newId()]) expect(await select(id)).toBeUndefined()
    expect((await conversations.find(owner.user_id, row.id))?.selected_message_id).toBe(message.id)
  })

  test('that are removed stop their replies, and can be restored until they expire', async () => {
    const { conversations } = opened.accounts
    const { owner } = await addOwner()
    const row = conversationRow(owner)
    const reply = { role: 'assistant', status: 'streaming', running_until: at(30) } as const
    const messages = [chatMessageRow(row.id), chatMessageRow(row.id, reply)]
    await add(row, ...messages)
    const ids = await conversations.remove(owner.user_id, row.id, at(9))
    expect(ids).toEqual([messages[1]?.id])
    const stopped = `conversation_id = '${row.id}' and is_stopped = 1`
    expect(await count('chat_messages', stopped)).toBe(1)
    expect(await conversations.find(owner.user_id, row.id)).toBeUndefined()
    const change = { title: 'Other' }
    expect(await conversations.update(owner.user_id, row.id, change)).toBeUndefined()
    expect(await conversations.restore(owner.user_id, row.id, at(9))).toBeUndefined()
    expect(await conversations.findRestorable(owner.user_id, row.id, at(9))).toBeUndefined()
    expect(await conversations.restore(owner.user_id, row.id, at(8))).toMatchObject({
      ...{ id: row.id, title: row.title, updated_at: row.updated_at },
    })
    expect(await conversations.find(owner.user_id, row.id)).toBeDefined()
  })

  test('are removed with their user, or in parts with their project, and those of others are not', async () => {
    const { conversations } = opened.accounts
    const [{ owner }, { owner: gone }, { owner: kept }] = [
      ...[await addOwner(), await addOwner(), await addOwner()],
    ] as const
    const addAll = async (user_id: string, project_id: string) => {
      const row = conversationRow({ user_id, project_id })
      const message = chatMessageRow(row.id)
      await add(row, message)
      const file = attachmentRow(user_id, { message_id: message.id })
      await insertRows(opened, 'chat_attachments', [file])
      await insertRows(opened, 'chat_approvals', [{ conversation_id: row.id, hash: 'h' }])
      return async () => [
        await count('conversations', `id = '${row.id}'`),
        await count('chat_messages', `conversation_id = '${row.id}'`),
        await count('chat_approvals', `conversation_id = '${row.id}'`),
        await count('chat_attachments', `message_id = '${message.id}'`),
      ]
    }
    const all = [1, 1, 1, 1]
    const none = [0, 0, 0, 0]
    const ofUser = await addAll(gone.user_id, kept.project_id)
    const ofProject = await addAll(kept.user_id, owner.project_id)
    const removed = await addAll(owner.user_id, owner.project_id)
    const others = await addAll(kept.user_id, kept.project_id)
    await opened.query(`delete from users where id = '${gone.user_id}'`)
    expect([await ofUser(), await ofProject(), await others()]).toEqual([none, all, all])
    const removeSome = () => conversations.removeOfProject(owner.project_id, 1)
    expect([await removeSome(), await removeSome(), await removeSome()]).toEqual([1, 1, 0])
    expect([await ofProject(), await removed(), await others()]).toEqual([none, none, all])
  })

  test('of 5,000, a page is read from the index, without sorting', async () => {
    const { owner } = await addOwner()
    const rows = Array.from({ length: 5000 }, (_, n) =>
      conversationRow(owner, { updated_at: at(n % 60) }),
    )
    await insertRows(opened, 'conversations', rows)
    const explain = engine === 'SQLite' ? 'explain query plan' : 'explain'
    if (engine === 'PostgreSQL') await opened.query('analyze conversations')
    const plan = await opened.query(
      `${explain} select id, title from conversations where user_id = '${owner.user_id}' and project_id = '${owner.project_id}' and expires_at is null and (updated_at, id) < ('${at(30)}', 'x') order by updated_at desc, id desc limit 51`,
    )
    const text = JSON.stringify(plan)
    expect(text).toContain('conversations_by_user')
    expect(text).not.toMatch(/TEMP B-TREE|Sort/)
  }, 60_000)
})
