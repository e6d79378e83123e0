import { enrollRefusals } from '@assay/contract/encryption-refusals.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newDeviceKeys } from '../../../../web/chat/src/crypto/device-keys.ts'
import { type ChainHead, signNew } from '../../../../web/chat/src/crypto/key-statements.ts'
import {
  engines,
  openTestAccounts,
  silent,
  type TestAccounts,
} from '../../../test/accounts-database.ts'
import { addTenant, type Tenant } from '../../../test/people.ts'
import { commandLineActor } from '../../accounts/audit.ts'
import { openMasterKey, rotateSecrets } from '../../accounts/master-key.ts'
import { openReplies } from '../../chat-replies/replies.ts'
import { issueChallenge } from '../../key-directory/challenge.ts'
import { systemClock } from '../../platform/clock.ts'
import { noOtherProcesses } from '../../platform/notifications.ts'
import { openSecretBox } from '../../platform/secret-box.ts'
import { addStatement } from './add-statement.ts'
import type { EncryptionKeysPorts } from './encryption-keys-ports.ts'

/*
 * Statements that are sent at the same time, on both engines.
 */

const masterSecret = 'a master secret for these tests only'
const nextSecret = 'another master secret for these tests'
const box = openSecretBox([masterSecret])
const challengeSecret = box.deriveKey('encryption key challenges')
const { signal } = new AbortController()

let opened: TestAccounts
let ports: EncryptionKeysPorts
let acme: Tenant

describe.each(engines)('on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
    // Without turns, so that statements at once are checked against the same chain.
    const chainTurns: EncryptionKeysPorts['chainTurns'] = (_by, work) => work()
    const replies = openReplies({ log: silent, notifications: noOtherProcesses })
    const { accounts } = opened
    ports = { accounts, box, challengeSecret, replies, clock: systemClock, chainTurns }
  })
  afterAll(() => opened.remove())
  beforeEach(async () => {
    acme = await addTenant(opened.accounts)
  })

  const ownerOf = ({ organizationId, members }: Tenant, role: 'Owner' | 'Viewer' = 'Viewer') => ({
    ...{ org: organizationId, user: members[role].id },
  })
  const none: ChainHead = { seq: 0, head: null }

  async function signed(
    owner = ownerOf(acme),
    { after = none, device = newDeviceKeys() } = {},
    type: 'enroll' | 'reset' = 'enroll',
  ) {
    const challenge = issueChallenge(challengeSecret, owner, systemClock.now())
    const one = await signNew({
      type,
      owner,
      after,
      label: 'Laptop',
      challenge,
      device: await device,
    })
    return () => addStatement(owner, one, commandLineActor, ports, signal)
  }

  /** What each of them results in, sent at once. */
  async function outcomes(sends: readonly (() => Promise<unknown>)[]) {
    const settled = await Promise.allSettled(sends.map((send) => send()))
    return settled.map((one) =>
      one.status === 'fulfilled' ? 'added' : (one.reason as Error).message,
    )
  }
  const rows = (owner = ownerOf(acme)) =>
    opened.accounts.keyDirectory.listStatements(owner.org, owner.user, 0, 100)
  const logSize = async () =>
    (await opened.accounts.keyDirectory.findLog(acme.organizationId))?.size

  test('case 33: of two tabs that enroll the first device at once, one wins', async () => {
    const sends = await Promise.all([signed(), signed(), signed(), signed()])
    const results = await outcomes(sends)
    expect(results.filter((one) => one === 'added')).toHaveLength(1)
    expect(results.filter((one) => one === enrollRefusals.chain)).toHaveLength(3)
    expect((await rows()).map(({ seq }) => seq)).toEqual([1])
    expect(await logSize()).toBe(1)
  })

  test('case 33: of two devices that reset at once, one wins, and the chain does not fork', async () => {
    const { head } = await (await signed())()
    const after = { seq: 1, head }
    const reset = () => signed(ownerOf(acme), { after }, 'reset')
    const results = await outcomes(await Promise.all([reset(), reset(), reset()]))
    expect(results.filter((one) => one === 'added')).toHaveLength(1)
    expect(results.filter((one) => one === enrollRefusals.chain)).toHaveLength(2)
    const stored = await rows()
    expect(stored.map(({ seq }) => seq)).toEqual([1, 2])
    expect(JSON.parse(stored[1]?.statement ?? '')).toMatchObject({ type: 'reset', prev: head })
    expect(await logSize()).toBe(2)
  })

  test('of two people who enroll one key at once, one wins, and nothing of the other is stored', async () => {
    const globex = await addTenant(opened.accounts)
    const device = await newDeviceKeys()
    const owners = [ownerOf(acme), ownerOf(globex)]
    const sends = owners.map((owner, n) =>
      signed(owner, {
        device: Promise.resolve(n === 0 ? device : { ...device, id: crypto.randomUUID() }),
      }),
    )
    const results = await outcomes(await Promise.all(sends))
    expect(results.toSorted()).toEqual(['added', enrollRefusals['used key']].toSorted())
    const stored = await Promise.all(owners.map(rows))
    expect(stored.flat()).toHaveLength(1)
    const free = results.indexOf(enrollRefusals['used key'])
    expect(await outcomes([await signed(owners[free])])).toEqual(['added'])
  })

  test('the log continues with the same key after the master secret is rotated', async () => {
    await outcomes([await signed()])
    const before = await opened.accounts.keyDirectory.findLog(acme.organizationId)
    await openMasterKey([masterSecret], opened.accounts)
    const rotated = openSecretBox([nextSecret, masterSecret])
    await rotateSecrets(rotated, opened.accounts, commandLineActor, () => undefined)
    const only = openSecretBox([nextSecret])
    const owner = ownerOf(acme, 'Owner')
    const challenge = issueChallenge(challengeSecret, owner, systemClock.now())
    const device = await newDeviceKeys()
    const one = await signNew({
      type: 'enroll',
      owner,
      after: none,
      label: 'Laptop',
      challenge,
      device,
    })
    await addStatement(owner, one, commandLineActor, { ...ports, box: only }, signal)
    const log = await opened.accounts.keyDirectory.findLog(acme.organizationId)
    expect(log).toMatchObject({ public_key: before?.public_key, size: 2 })
  })

  test('two members who enroll at once are both in the log', async () => {
    const sends = [signed(ownerOf(acme, 'Owner')), signed(ownerOf(acme, 'Viewer'))]
    expect(await outcomes(await Promise.all(sends))).toEqual(['added', 'added'])
    expect(await logSize()).toBe(2)
  })
})
