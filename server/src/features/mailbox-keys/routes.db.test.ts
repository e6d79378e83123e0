import { limits } from '@assay/contract/limits.ts'
import { addMailboxKeys, listMailboxKeys } from '@assay/contract/mailbox-keys.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { type DeviceKeyPairs, newDeviceKeys } from '../../../../web/chat/src/crypto/device-keys.ts'
import {
  newMailbox,
  openMailbox,
  type Recipient,
  sealMailboxKey,
} from '../../../../web/chat/src/crypto/mailbox.ts'
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

const anyKey = 'A'.repeat(43)
const list = (device: string, lacking: Partial<Recipient> = {}, as = ana) => {
  const { id = newId(), kem_pub = anyKey } = lacking
  const query = { ...as.at, device, lacking: id, kem_pub }
  return service.call(listMailboxKeys, { query }, as.credentials)
}
const add = ({ id: device, kem_pub }: Recipient, keys: readonly object[], as = ana) =>
  service.call(addMailboxKeys, { body: { ...as.at, device, kem_pub, keys } }, as.credentials)

test('a browser that is enrolled later gets the keys of earlier conversations from the recovery key', async () => {
  const laptop = await ana.add('enroll')
  const code = await ana.add('recovery', { by: laptop })
  const mailbox = await newMailbox(1)
  const sealed = await Promise.all([laptop, code].map((to) => sealMailboxKey(mailbox, owner(), to)))
  const id = await addConversation(sealed, mailbox.mailbox_pub)
  const phone = await ana.add('enroll', { by: code })
  const { keys } = (await list(code.id, phone)).data
  expect(keys.map(({ conversation_id }) => conversation_id)).toEqual([id])
  const added = await resealed(keys, code, phone)
  expect((await add(phone, added)).data).toEqual({ added: 1 })
  expect((await list(code.id, phone)).data.keys).toEqual([])
  const [own] = (await list(phone.id)).data.keys
  if (own === undefined) throw new Error('the phone has no key')
  const onPhone = await openMailbox({ ...own, key: own }, owner(), phone)
  expect(onPhone.secret).toEqual(mailbox.secret)
  expect((await add(phone, added)).data).toEqual({ added: 0 })
})

test('the new keys of a browser replace the earlier ones, and these open nothing that is stored', async () => {
  const laptop = await ana.add('enroll')
  const mailbox = await newMailbox(1)
  const sealed = [await sealMailboxKey(mailbox, owner(), laptop)]
  await addConversation(sealed, mailbox.mailbox_pub)
  expect((await list(laptop.id, laptop)).data.keys).toEqual([])
  const next = await newDeviceKeys(laptop.id)
  await ana.add('rotate', { device: next, by: laptop })
  const { keys } = (await list(next.id, next)).data
  const again = await resealed(keys, laptop, next)
  expect((await add(next, [...again, ...again])).data).toEqual({ added: 1 })
  expect((await list(next.id, next)).data.keys).toEqual([])
  const [stored] = (await list(next.id)).data.keys
  if (stored === undefined) throw new Error('the browser has no key')
  const opened = await openMailbox({ ...stored, key: stored }, owner(), next)
  expect(opened.secret).toEqual(mailbox.secret)
  await expect(openMailbox({ ...stored, key: stored }, owner(), laptop)).rejects.toThrow()
})

/** Listed keys as `from` seals them for `to`. */
function resealed(
  keys: Awaited<ReturnType<typeof list>>['data']['keys'],
  from: DeviceKeyPairs,
  to: Recipient,
) {
  return Promise.all(
    keys.map(async ({ conversation_id, epoch, mailbox_pub, ...key }) => {
      const opened = await openMailbox({ epoch, mailbox_pub, key }, owner(), from)
      const { enc, sealed } = await sealMailboxKey(opened, owner(), to)
      return { conversation_id, epoch, enc, sealed }
    }),
  )
}

describe('keys are not added', () => {
  const anything = { epoch: 1, enc: 'A'.repeat(43), sealed: 'A'.repeat(64) }

  test("for another person's conversation, or an epoch that it does not have", async () => {
    const laptop = await ana.add('enroll')
    const of = await addConversation(
      [{ device: laptop.id, kem_pub: laptop.kem_pub, ...anything }],
      'x',
      tenant.members.Owner.id,
    )
    const own = await addConversation([{ device: newId(), kem_pub: anyKey, ...anything }], 'x')
    const before = await readTables(service)
    for (const keys of [
      [{ ...anything, conversation_id: of }],
      [{ ...anything, conversation_id: own, epoch: 2 }],
      [
        { ...anything, conversation_id: own },
        { ...anything, conversation_id: newId() },
      ],
    ]) {
      expect(await add(laptop, keys)).toMatchObject({
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
    const id = await addConversation([{ ...anything, device: laptop.id, kem_pub: anyKey }], 'x')
    const before = await readTables(service)
    for (const device of [phone, other, await newDeviceKeys()]) {
      const answer = await add(device, [{ ...anything, conversation_id: id }])
      expect([answer.status, answer.error.code]).toEqual([409, 'CONFLICT'])
    }
    expect(await readTables(service)).toEqual(before)
  })

  test('for an earlier key of a device', async () => {
    const laptop = await ana.add('enroll')
    await ana.add('rotate', { device: await newDeviceKeys(laptop.id), by: laptop })
    const id = await addConversation([{ ...anything, device: newId(), kem_pub: anyKey }], 'x')
    const before = await readTables(service)
    const { status, error } = await add(laptop, [{ ...anything, conversation_id: id }])
    expect([status, error.code]).toEqual([409, 'CONFLICT'])
    expect(error.message).toContain('not the present key')
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
      { id: newId(), kem_pub: anyKey },
      keys.map((key) => ({ ...key, conversation_id })),
    )
    expect([answer.status, answer.error.code]).toEqual([400, 'INVALID_BODY'])
  })
})

test('keys of conversations of others are not listed', async () => {
  const laptop = await ana.add('enroll')
  const key = { device: laptop.id, kem_pub: anyKey, enc: 'A'.repeat(43), sealed: 'A'.repeat(64) }
  await addConversation([key], 'A'.repeat(43), tenant.members.Owner.id)
  expect((await list(laptop.id)).data.keys).toEqual([])
})

test('keys of what is not a device are not listed', async () => {
  const answer = await list('no device')
  expect([answer.status, answer.error.code]).toEqual([400, 'INVALID_QUERY'])
})
