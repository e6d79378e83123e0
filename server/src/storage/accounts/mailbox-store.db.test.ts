import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { addTenant, type Tenant } from '../../../test/people.ts'
import { newId } from '../../platform/ids.ts'

const at = '2026-05-01T08:00:00.000Z'

let opened: TestAccounts
let acme: Tenant

describe.each(engines)('the mailbox store on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())
  beforeEach(async () => {
    acme = await addTenant(opened.accounts)
  })

  const owner = () => ({ user: acme.members.Viewer.id, org: acme.organizationId })
  const key = (device: string) => ({
    device,
    kem_pub: 'now',
    enc: `enc ${device}`,
    sealed: `sealed ${device}`,
  })

  async function addConversation(tenant = acme, user = owner().user): Promise<string> {
    const id = newId()
    await opened.query(
      `insert into conversations (id, project_id, user_id, title, lower_title, encrypted, message_count, text_length, created_at, updated_at)
       values ('${id}', '${tenant.projectId}', '${user}', '', '', 1, 0, 0, '${at}', '${at}')`,
    )
    return id
  }

  async function addEpoch(conversation_id: string, epoch: number, devices: readonly string[]) {
    const row = {
      conversation_id,
      epoch,
      mailbox_pub: `pub ${epoch}`,
      chain_seq: 1,
      created_at: at,
    }
    return await opened.accounts.mailboxes.insertEpoch(row, devices.map(key))
  }

  test('an epoch is added once, with its keys', async () => {
    const id = await addConversation()
    const { mailboxes } = opened.accounts
    expect(await mailboxes.findLastEpoch(owner().user, id)).toBeUndefined()
    expect(await addEpoch(id, 1, ['laptop', 'code'])).toBe(true)
    expect(await addEpoch(id, 2, ['laptop'])).toBe(true)
    expect(await addEpoch(id, 2, ['thief'])).toBe(false)
    expect(await mailboxes.findLastEpoch(owner().user, id)).toEqual({
      ...{ conversation_id: id, epoch: 2, mailbox_pub: 'pub 2', chain_seq: 1, created_at: at },
    })
    expect(await mailboxes.listEpochs(owner().user, [id], 'code')).toEqual([
      {
        conversation_id: id,
        epoch: 1,
        mailbox_pub: 'pub 1',
        enc: 'enc code',
        sealed: 'sealed code',
      },
      { conversation_id: id, epoch: 2, mailbox_pub: 'pub 2', enc: null, sealed: null },
    ])
    expect(
      (await mailboxes.listEpochs(owner().user, [id], 'thief')).map(({ sealed }) => sealed),
    ).toEqual([...[null, null]])
    expect(await mailboxes.listEpochs(owner().user, [], 'code')).toEqual([])
  })

  test('lists the keys of a device that another one lacks, of one user in one organization', async () => {
    const id = await addConversation()
    await addEpoch(id, 1, ['laptop', 'phone'])
    await addEpoch(id, 2, ['laptop'])
    const ofOthers = await addConversation(acme, acme.members.Owner.id)
    await addEpoch(ofOthers, 1, ['laptop'])
    const globex = await addTenant(opened.accounts)
    await addEpoch(await addConversation(globex), 1, ['laptop'])
    const { mailboxes } = opened.accounts
    const devices = { device: 'laptop', lacking: 'phone', kem_pub: 'now' }
    expect(await mailboxes.listLacking(owner(), devices, 10)).toEqual([
      {
        conversation_id: id,
        epoch: 2,
        enc: 'enc laptop',
        sealed: 'sealed laptop',
        mailbox_pub: 'pub 2',
      },
    ])
    const all = { device: 'laptop', lacking: 'new', kem_pub: 'now' }
    expect(await mailboxes.listLacking(owner(), all, 10)).toHaveLength(2)
    expect(await mailboxes.listLacking(owner(), all, 1)).toHaveLength(1)
    expect(await mailboxes.listLacking(owner(), { ...all, device: 'new' }, 1)).toEqual([])
    expect(await mailboxes.listOwnedEpochs(owner(), [id, ofOthers])).toEqual(
      expect.arrayContaining([
        { conversation_id: id, epoch: 1 },
        { conversation_id: id, epoch: 2 },
      ]),
    )
    expect(await mailboxes.listOwnedEpochs(owner(), [ofOthers])).toEqual([])
  })

  test('lists what is sealed for an earlier key of a device', async () => {
    const id = await addConversation()
    await addEpoch(id, 1, ['laptop', 'phone'])
    await addEpoch(id, 2, ['laptop', 'phone'])
    const { mailboxes } = opened.accounts
    const of = (device: string, kem_pub: string, lacking = 'phone') =>
      mailboxes.listLacking(owner(), { device, lacking, kem_pub }, 10)
    for (const device of ['laptop', 'phone']) {
      expect(await of(device, 'now')).toEqual([])
      expect(await of(device, 'next')).toHaveLength(2)
    }
    // Stored before the key was recorded: only the device itself can find out.
    const unknown = `update conversation_keys set kem_pub = null where conversation_id = '${id}' and device = 'phone'`
    await opened.query(`${unknown} returning epoch`)
    expect(await of('laptop', 'now')).toEqual([])
    expect(await of('phone', 'now')).toHaveLength(2)
  })

  test('a key is replaced only by one for another key of the device, and goes with its conversation', async () => {
    const id = await addConversation()
    await addEpoch(id, 1, ['laptop', 'phone'])
    const { mailboxes } = opened.accounts
    const row = { conversation_id: id, epoch: 1 }
    const sealedFor = async (device: string) =>
      (await mailboxes.listEpochs(owner().user, [id], device))[0]?.sealed
    const forged = { ...row, ...key('laptop'), sealed: 'forged' }
    expect(await mailboxes.insertKeys(owner(), [forged, { ...row, ...key('new') }])).toBe(1)
    expect(await sealedFor('laptop')).toBe('sealed laptop')
    const next = { ...row, ...key('laptop'), kem_pub: 'next', sealed: 'sealed again' }
    expect(await mailboxes.insertKeys(owner(), [next])).toBe(1)
    expect(await mailboxes.insertKeys(owner(), [next])).toBe(0)
    expect(await sealedFor('laptop')).toBe('sealed again')
    expect(await sealedFor('phone')).toBe('sealed phone')
    await opened.query(`delete from conversations where id = '${id}'`)
    expect(
      await opened.query(`select 1 from conversation_keys where conversation_id = '${id}'`),
    ).toEqual([])
  })
})
