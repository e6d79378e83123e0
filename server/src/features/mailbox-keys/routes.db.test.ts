import { limits } from '@assay/contract/limits.ts'
import { addMailboxKeys, listMailboxKeys } from '@assay/contract/mailbox-keys.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { newDeviceKeys } from '../../../../web/chat/src/crypto/device-keys.ts'
import { newMailbox, openMailbox, sealMailboxKey } from '../../../../web/chat/src/crypto/mailbox.ts'
import { type KeyUser, signInKeyUser } from '../../../test/key-directory-suite.ts'
import { readTables } from '../../../test/read-tables.ts'
import { runningService, tenantPerTest } from '../../../test/service-suite.ts'
import { newId } from '../../platform/ids.ts'

const service = runningService()
const tenant = tenantPerTest(service)

let ana: KeyUser
beforeEach(async () => {
  ana = await signInKeyUser(service, tenant)
})

const at = '2026-05-01T08:00:00.000Z'
const owner = () => ({ org: tenant.organizationId, user: tenant.members.Viewer.id })

/** An encrypted conversation of a user with the keys of an epoch. */
async function addConversation(
  keys: Parameters<typeof service.accounts.mailboxes.insertEpoch>[1],
  mailbox_pub: string,
  user = owner().user,
): Promise<string> {
  const id = newId()
  await service.query(
    `insert into conversations (id, project_id, user_id, title, lower_title, encrypted, message_count, text_length, created_at, updated_at)
     values ('${id}', '${tenant.projectId}', '${user}', '', '', 1, 0, 0, '${at}', '${at}')`,
  )
  const row = { conversation_id: id, epoch: 1, mailbox_pub, chain_seq: 1, created_at: at }
  await service.accounts.mailboxes.insertEpoch(row, keys)
  return id
}

const list = (device: string, lacking: string, as = ana) =>
  service.call(listMailboxKeys, { query: { ...as.at, device, lacking } }, as.credentials)
const add = (device: string, keys: readonly object[], as = ana) =>
  service.call(addMailboxKeys, { body: { ...as.at, device, keys } }, as.credentials)

test('a browser that is enrolled later gets the keys of earlier conversations from the recovery key', async () => {
  const laptop = await ana.add('enroll')
  const code = await ana.add('recovery', { by: laptop })
  const mailbox = await newMailbox(1)
  const sealed = await Promise.all([laptop, code].map((to) => sealMailboxKey(mailbox, owner(), to)))
  const id = await addConversation(sealed, mailbox.mailbox_pub)
  const phone = await ana.add('enroll', { by: code })
  const { keys } = (await list(code.id, phone.id)).data
  expect(keys).toHaveLength(1)
  const [
    { conversation_id, ...stored } = {
      conversation_id: '',
      enc: '',
      sealed: '',
      epoch: 0,
      mailbox_pub: '',
    },
  ] = keys
  const opened = await openMailbox(
    { ...stored, key: { ...stored, device: code.id } },
    owner(),
    code,
  )
  const { enc, sealed: forPhone } = await sealMailboxKey(opened, owner(), phone)
  const added = { conversation_id, epoch: 1, enc, sealed: forPhone }
  expect((await add(phone.id, [added])).data).toEqual({ added: 1 })
  expect(conversation_id).toBe(id)
  expect((await list(code.id, phone.id)).data.keys).toEqual([])
  const [own] = (await list(phone.id, newId())).data.keys
  if (own === undefined) throw new Error('the phone has no key')
  const onPhone = await openMailbox({ ...own, key: { ...own, device: phone.id } }, owner(), phone)
  expect(onPhone.secret).toEqual(mailbox.secret)
  expect((await add(phone.id, [added])).data).toEqual({ added: 0 })
})

describe('keys are not added', () => {
  const anything = { epoch: 1, enc: 'A'.repeat(43), sealed: 'A'.repeat(64) }

  test("for another person's conversation, or an epoch that it does not have", async () => {
    const laptop = await ana.add('enroll')
    const of = await addConversation(
      [{ device: laptop.id, ...anything }],
      'x',
      tenant.members.Owner.id,
    )
    const own = await addConversation([{ device: newId(), ...anything }], 'x')
    const before = await readTables(service)
    for (const keys of [
      [{ ...anything, conversation_id: of }],
      [{ ...anything, conversation_id: own, epoch: 2 }],
      [
        { ...anything, conversation_id: own },
        { ...anything, conversation_id: newId() },
      ],
    ]) {
      expect(await add(laptop.id, keys)).toMatchObject({
        ...{ status: 404, error: { code: 'NOT_FOUND', message: 'Conversation not found.' } },
      })
    }
    expect(await readTables(service)).toEqual(before)
  })

  test('for a device that is revoked, of somebody else, or unknown', async () => {
    const laptop = await ana.add('enroll')
    const phone = await ana.add('enroll', { by: laptop })
    await ana.add('revoke', { device: phone, by: laptop })
    const bob = await signInKeyUser(service, tenant, 'Owner')
    const other = await bob.add('enroll')
    const id = await addConversation([{ device: laptop.id, ...anything }], 'x')
    const before = await readTables(service)
    for (const device of [phone.id, other.id, (await newDeviceKeys()).id]) {
      const answer = await add(device, [{ ...anything, conversation_id: id }])
      expect([answer.status, answer.error.code]).toEqual([409, 'CONFLICT'])
    }
    expect(await readTables(service)).toEqual(before)
  })

  test.each([
    ['no keys', []],
    ['too many', Array.from({ length: limits.mailboxKeysAtOnce.value + 1 }, () => anything)],
    ['a short key', [{ ...anything, enc: 'A' }]],
    ['a long key', [{ ...anything, sealed: 'A'.repeat(65) }]],
  ])('with %s', async (_what, keys) => {
    const conversation_id = newId()
    const answer = await add(
      newId(),
      keys.map((key) => ({ ...key, conversation_id })),
    )
    expect([answer.status, answer.error.code]).toEqual([400, 'INVALID_BODY'])
  })
})

test('keys of conversations of others are not listed', async () => {
  const laptop = await ana.add('enroll')
  const key = { device: laptop.id, enc: 'A'.repeat(43), sealed: 'A'.repeat(64) }
  await addConversation([key], 'A'.repeat(43), tenant.members.Owner.id)
  expect((await list(laptop.id, newId())).data.keys).toEqual([])
})

test('keys of what is not a device are not listed', async () => {
  const answer = await list('no device', newId())
  expect([answer.status, answer.error.code]).toEqual([400, 'INVALID_QUERY'])
})
