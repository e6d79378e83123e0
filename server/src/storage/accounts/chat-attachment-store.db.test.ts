import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { addUser } from '../../../test/people.ts'
import { newId } from '../../platform/ids.ts'
import type { ChatAttachmentRow } from './chat-tables.ts'

let opened: TestAccounts

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

async function add(more: Partial<ChatAttachmentRow> = {}): Promise<ChatAttachmentRow> {
  const row: ChatAttachmentRow = {
    ...{ id: newId(), user_id: more.user_id ?? (await addUser(opened.accounts)).id, name: 'a.txt' },
    ...{ extension: 'txt', size: 12, chars: 10, text: 'Returns', truncated: 0, pages: null },
    ...{
      message_id: null,
      notes: '[]',
      findings: '[]',
      blocked: 0,
      created_at: at(0),
      expires_at: at(9),
      ...more,
    },
  }
  await opened.accounts.chatAttachments.insert(row)
  return row
}

describe.each(engines)('attachments on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())

  const idsOf = async ({ user_id }: ChatAttachmentRow) =>
    (
      await opened.query(
        `select id from chat_attachments where user_id = '${user_id}' order by created_at`,
      )
    ).map(({ id }) => id)

  test('are found by their user until they expire', async () => {
    const { chatAttachments } = opened.accounts
    const own = await add({ blocked: 1, findings: '[1]', expires_at: at(9) })
    const other = await add()
    const ids = [own.id, other.id, newId()]
    expect(await chatAttachments.listNew(own.user_id, ids, at(8))).toEqual([
      {
        id: own.id,
        name: 'a.txt',
        chars: 10,
        blocked: 1,
        findings: '[1]',
        created_at: own.created_at,
      },
    ])
    expect(await chatAttachments.listNew(own.user_id, ids, at(9))).toEqual([])
  })

  test('are removed from the oldest, by number and by length, for their user only', async () => {
    const { chatAttachments } = opened.accounts
    const other = await add()
    const first = await add()
    const { user_id } = first
    const [second, third, fourth] = [
      await add({ user_id, created_at: at(2) }),
      await add({ user_id, created_at: at(3) }),
      await add({ user_id, created_at: at(4) }),
    ]
    await chatAttachments.removeOldest(user_id, { count: 4, chars: 40 })
    expect(await idsOf(first)).toHaveLength(4)
    await chatAttachments.removeOldest(user_id, { count: 3, chars: 40 })
    expect(await idsOf(first)).toEqual([second.id, third.id, fourth.id])
    await chatAttachments.removeOldest(user_id, { count: 3, chars: 29 })
    expect(await idsOf(first)).toEqual([third.id, fourth.id])
    expect(await idsOf(other)).toEqual([other.id])
  })

  test('are removed with their user', async () => {
    const [own, other] = [await add(), await add()]
    await opened.query(`delete from users where id = '${own.user_id}'`)
    expect([await idsOf(own), await idsOf(other)]).toEqual([[], [other.id]])
  })
})
