import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { beginEpoch } from '../../web/chat/src/crypto/begin-epoch.ts'
import { type DeviceKeyPairs, newDeviceKeys } from '../../web/chat/src/crypto/device-keys.ts'
import { signNew } from '../../web/chat/src/crypto/key-statements.ts'
import { commandLineActor } from '../src/accounts/audit.ts'
import { openReplies } from '../src/chat-replies/replies.ts'
import { addStatement } from '../src/features/encryption-keys/add-statement.ts'
import type { EncryptionKeysPorts } from '../src/features/encryption-keys/encryption-keys-ports.ts'
import { addKeys } from '../src/features/mailbox-keys/add-keys.ts'
import { issueChallenge } from '../src/key-directory/challenge.ts'
import { readChain } from '../src/key-directory/read-chain.ts'
import { systemClock } from '../src/platform/clock.ts'
import { Failure } from '../src/platform/failure.ts'
import { noOtherProcesses } from '../src/platform/notifications.ts'
import { openSecretBox } from '../src/platform/secret-box.ts'
import {
  getSealingMailbox,
  lockMailbox,
  storeBegun,
} from '../src/sealed-history/sealing-mailbox.ts'
import type { Accounts } from '../src/storage/accounts/connect.ts'
import { engines, openTestAccounts, silent, type TestAccounts } from './accounts-database.ts'
import { conversationRow, insertRows } from './conversation-rows.ts'
import { addTenant } from './people.ts'

/*
 * What is sealed, and keys that are added, while devices are enrolled and revoked: between the check of the keys and
 * the transaction that stores, and during that transaction.
 */

const box = openSecretBox(['a master secret for these tests only'])
const challengeSecret = box.deriveKey('encryption key challenges')
const chainTurns: EncryptionKeysPorts['chainTurns'] = (_by, work) => work()
const { signal } = new AbortController()
const at = systemClock.now().toISOString()

const replies = openReplies({ log: silent, notifications: noOtherProcesses })

let opened: TestAccounts
let owner: KeyOwner
let conversation: string
let laptop: DeviceKeyPairs

const ports = (accounts: Accounts = opened.accounts) => ({
  ...{ accounts, box, challengeSecret, replies, clock: systemClock, chainTurns },
})
const chainNow = async () => (await readChain(owner, ports(), signal)).chain

async function add(type: 'enroll' | 'revoke', device: DeviceKeyPairs): Promise<DeviceKeyPairs> {
  const after = await chainNow()
  const challenge = issueChallenge(challengeSecret, owner, systemClock.now())
  const by = after.seq === 0 ? device : laptop
  const signed = await signNew({ type, owner, after, challenge, device, by, label: 'Browser' })
  await addStatement(owner, signed, commandLineActor, ports(), signal)
  return device
}
const enroll = async () => await add('enroll', await newDeviceKeys())
/** The newest of the other devices. Nothing when there is none. */
async function revoke(): Promise<void> {
  const others = (await activeIds()).filter((id) => id !== laptop.id)
  const last = others.at(-1)
  if (last !== undefined) await add('revoke', { ...laptop, id: last })
}
const activeIds = async () =>
  [...(await chainNow()).devices.values()]
    .filter(({ status }) => status === 'active')
    .map(({ id }) => id)

/** Accounts with which `work` runs between what a request reads and the transaction in which it stores. */
function interrupted(work: () => Promise<unknown>): Accounts {
  let isDone = false
  return {
    ...opened.accounts,
    async transaction(store) {
      if (!isDone) await work()
      isDone = true
      return await opened.accounts.transaction(store)
    },
  }
}

const lastEpoch = () => opened.accounts.mailboxes.findLastEpoch(owner.user, conversation)

/** Stores something sealed for the mailbox of the last epoch, or of a new one. Undefined: it was refused. */
async function seal(begins: boolean, between: () => Promise<unknown>): Promise<number | undefined> {
  const last = (await lastEpoch())?.epoch ?? 0
  const verified = { owner, chain: await chainNow() }
  const given = begins ? (await beginEpoch(last + 1, verified)).encryption : undefined
  try {
    const mailbox = await getSealingMailbox(conversation, given, owner, ports(), signal)
    await interrupted(between).transaction(async (stores) => {
      await lockMailbox(mailbox, stores)
      await storeBegun(mailbox, conversation, at, stores)
    })
    return mailbox.epoch
  } catch (error) {
    if (error instanceof Failure && error.code === 'CONFLICT') return undefined
    throw error
  }
}

async function devicesOf(epoch: number): Promise<readonly string[]> {
  const rows = await opened.query(
    `select device from conversation_keys where conversation_id = '${conversation}' and epoch = ${epoch}`,
  )
  return rows.map(({ device }) => String(device))
}

/** Seals the key of the last epoch for a device. False: it was refused. */
async function wrap(device: string, between: () => Promise<unknown>): Promise<boolean> {
  const epoch = (await lastEpoch())?.epoch ?? 0
  const key = { conversation_id: conversation, epoch, enc: 'A'.repeat(43), sealed: 'A'.repeat(64) }
  try {
    const kem_pub = (await chainNow()).devices.get(device)?.kem_pub ?? ''
    await addKeys(owner, { device, kem_pub, keys: [key] }, ports(interrupted(between)), signal)
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'CONFLICT') return false
    throw error
  }
}

describe.each(engines)('on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())
  beforeEach(begin)

  async function begin() {
    const { organizationId, projectId, members } = await addTenant(opened.accounts)
    owner = { org: organizationId, user: members.Viewer.id }
    const row = conversationRow({ project_id: projectId, user_id: owner.user }, { encrypted: 1 })
    await insertRows(opened, 'conversations', [row])
    conversation = row.id
    laptop = await enroll()
    expect(await seal(true, async () => undefined)).toBe(1)
  }

  const between = fc.constantFrom('nothing', 'enroll', 'revoke')
  const step = fc.oneof(
    fc.record({ type: fc.constant('seal' as const), begins: fc.boolean(), between }),
    fc.record({ type: fc.constant('wrap' as const), nth: fc.nat({ max: 3 }), between }),
    fc.record({ type: fc.constant('enroll' as const) }),
    fc.record({ type: fc.constant('revoke' as const) }),
  )
  const meanwhile = { nothing: async () => undefined, enroll, revoke }

  test('however requests interleave, no revoked device has a key of what is sealed after its revocation', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        await begin()
        for (const one of steps) {
          if (one.type === 'seal') {
            const epoch = await seal(one.begins, meanwhile[one.between])
            if (epoch !== undefined) {
              expect(await activeIds()).toEqual(
                expect.arrayContaining([...(await devicesOf(epoch))]),
              )
            } else expect(one).not.toMatchObject({ begins: true, between: 'nothing' })
          } else if (one.type === 'wrap') {
            const all = [...(await chainNow()).devices.keys()]
            const device = all[one.nth % all.length] ?? ''
            const isAdded = await wrap(device, meanwhile[one.between])
            expect([device, isAdded]).toEqual([device, (await activeIds()).includes(device)])
          } else await meanwhile[one.type]()
        }
      }),
      { numRuns: 25 },
    )
  }, 60_000)

  test('a revocation waits for what is being sealed, and does not come in between', async () => {
    const mailbox = await getSealingMailbox(conversation, undefined, owner, ports(), signal)
    const phone = await enroll()
    const current = { ...mailbox, chainSeq: 2 }
    const order: string[] = []
    let revoking: Promise<unknown> = Promise.resolve()
    await opened.accounts.transaction(async (stores) => {
      await lockMailbox(current, stores)
      revoking = add('revoke', { ...laptop, id: phone.id }).then(() => order.push('revoked'))
      // On SQLite, nobody else has a turn until the transaction ends.
      while (engine === 'PostgreSQL' && order.length === 0 && !(await isSomebodyWaiting())) {}
      order.push('sealed')
    })
    await revoking
    expect(order).toEqual(['sealed', 'revoked'])
  })

  async function isSomebodyWaiting(): Promise<boolean> {
    const waiting = await opened.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return waiting.length > 0
  }
})
