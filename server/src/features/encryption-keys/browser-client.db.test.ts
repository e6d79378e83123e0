import { listActive } from '@assay/contract/key-chain.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { toBase64url } from '../../../../web/chat/src/crypto/base64url.ts'
import { newDeviceKeys } from '../../../../web/chat/src/crypto/device-keys.ts'
import {
  deviceFingerprint,
  personFingerprint,
} from '../../../../web/chat/src/crypto/key-fingerprints.ts'
import { signNew } from '../../../../web/chat/src/crypto/key-statements.ts'
import {
  deriveRecoveryKeys,
  newRecoveryCode,
  readRecoveryCode,
} from '../../../../web/chat/src/crypto/recovery-code.ts'
import { type Pin, verifyDirectory } from '../../../../web/chat/src/crypto/verify-directory.ts'
import { type KeyUser, signInKeyUser } from '../../../test/key-directory-suite.ts'
import { runningService, tenantPerTest } from '../../../test/service-suite.ts'

/*
 * What a browser does with the key directory, against the service. "Case" is the number of a fault of similar products.
 */

const service = runningService()
const tenant = tenantPerTest(service)

let ana: KeyUser
beforeEach(async () => {
  ana = await signInKeyUser(service, tenant)
})

const directory = async () => (await ana.read()).data
type Directory = Awaited<ReturnType<typeof directory>>
const verify = async (pin?: Pin, data?: Directory) =>
  verifyDirectory(data ?? (await directory()), tenant.members.Viewer.id, pin)

async function ownerOf() {
  return (await verify()).owner
}

describe('a browser follows the keys of a person', () => {
  test('of two devices, one of them revoked, and computes the fingerprints that the server shows', async () => {
    const laptop = await ana.add('enroll')
    const phone = await ana.add('enroll', { by: laptop })
    await ana.add('revoke', { device: phone, by: laptop })
    const data = await directory()
    const { owner, chain } = await verify(undefined, data)
    expect([...chain.devices.values()].map(({ id, status }) => [id, status])).toEqual([
      [laptop.id, 'active'],
      [phone.id, 'revoked'],
    ])
    expect(chain.removalSeq).toBe(3)
    expect(await personFingerprint(owner, chain)).toBe(data.me.fingerprint)
    for (const { id, fingerprint } of data.me.devices) {
      const device = chain.devices.get(id)
      expect(device && (await deviceFingerprint(owner, device))).toBe(fingerprint)
    }
  })

  test('case 34: a browser without keys is enrolled with the recovery code', async () => {
    const owner = await ownerOf()
    const laptop = await ana.add('enroll')
    const code = await newRecoveryCode()
    const keys = await deriveRecoveryKeys(await readRecoveryCode(code), owner)
    await ana.add('recovery', { device: keys, by: laptop })
    const { chain } = await verify()
    const typed = await readRecoveryCode(code.toLowerCase().replaceAll('-', ' '))
    const derived = await deriveRecoveryKeys(typed, owner)
    const enrolled = listActive(chain).find(({ sign_pub }) => sign_pub === derived.sign_pub)
    expect(enrolled).toMatchObject({ id: keys.id, type: 'recovery', kem_pub: derived.kem_pub })
    const phone = await ana.add('enroll', { by: { ...derived, id: keys.id } })
    expect((await verify()).chain.devices.get(phone.id)?.status).toBe('active')
  })

  test('case 32: after a reset, none of the earlier devices is active', async () => {
    const laptop = await ana.add('enroll')
    await ana.add('enroll', { by: laptop })
    const before = await verify()
    const next = await ana.add('reset')
    const { owner, chain } = await verify(before.pin)
    expect(chain.generation).toBe(2)
    expect(listActive(chain).map(({ id }) => id)).toEqual([next.id])
    expect(await personFingerprint(owner, chain)).not.toBe(
      await personFingerprint(before.owner, before.chain),
    )
  })

  test('case 33: of two browsers that set up at once one wins, and the other sees its device', async () => {
    const parts = await ana.next()
    const { challenge } = await ana.next()
    const devices = [await newDeviceKeys(), await newDeviceKeys()]
    const signed = await Promise.all(
      devices.map((device, at) =>
        signNew({ ...parts, ...(at === 0 ? {} : { challenge }), type: 'enroll', device }),
      ),
    )
    const answers = await Promise.all(signed.map((one) => ana.send(one)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400])
    const winner = devices[answers.findIndex(({ status }) => status === 201)]
    const { chain } = await verify()
    expect([...chain.devices.keys()]).toEqual([winner?.id])
  })
})

describe('a browser refuses', () => {
  /** With two devices. */
  async function changed(change: (data: Directory) => Directory, pin?: Pin) {
    const data = change(structuredClone(await directory()))
    return await verify(pin, data).then(
      () => 'accepted',
      (error: { kind?: string }) => error.kind,
    )
  }
  beforeEach(async () => {
    const laptop = await ana.add('enroll')
    await ana.add('enroll', { by: laptop })
  })
  const withMe = (data: Directory, me: Partial<Directory['me']>): Directory => ({
    ...data,
    me: { ...data.me, ...me },
  })
  const withStatement = (data: Directory, at: number, members: object): Directory =>
    withMe(data, {
      statements: data.me.statements.map((one, index) =>
        index === at ? { ...one, statement: { ...one.statement, ...members } } : one,
      ),
    })
  /** The neutral element of Ed25519. */
  const neutral = toBase64url(Uint8Array.of(1, ...Array.from({ length: 31 }, () => 0)))

  test('nothing of what the service sends', async () => {
    expect(await changed((data) => data)).toBe('accepted')
  })

  test.each<[string, (data: Directory) => Directory]>([
    ['keys of somebody else', (data) => withMe(data, { user_id: data.org_id })],
    ['another head', (data) => withMe(data, { head: data.log_head.hash })],
    ['another generation', (data) => withMe(data, { generation: 2 })],
    [
      'a chain without its first statement',
      (data) => withMe(data, { statements: data.me.statements.slice(1) }),
    ],
    ['a changed label', (data) => withStatement(data, 0, { label: 'Phone' })],
    ['a changed key', (data) => withStatement(data, 1, { kem_pub: data.challenge.kem_pub })],
    ['case 35: a key of small order', (data) => withStatement(data, 1, { sign_pub: neutral })],
    ['another signer', (data) => withStatement(data, 1, { by: data.project_id })],
    ['another organization', (data) => withStatement(data, 1, { org: data.project_id })],
    ['a log that is not signed', (data) => ({ ...data, log_head: { ...data.log_head, size: 3 } })],
    [
      'a log of another key',
      (data) => ({ ...data, log_head: { ...data.log_head, public_key: neutral } }),
    ],
  ])('%s', async (_what, change) => {
    expect(await changed(change)).toBe('invalid')
  })

  test('case 35: an older state than it has seen, of the own keys or of the organization', async () => {
    const old = await directory()
    const laptop = await ana.add('reset')
    const { pin } = await verify()
    expect(await changed(() => old, pin)).toBe('older')
    const bob = await signInKeyUser(service, tenant, 'Owner')
    const before = await directory()
    await bob.add('enroll')
    const later = await verify(pin)
    expect(await changed(() => before, later.pin)).toBe('older')
    expect(await changed((data) => data, later.pin)).toBe('accepted')
    expect(laptop.id).toBeDefined()
  })

  test('case 35: a log of the same length with another hash, or with another key', async () => {
    const { pin } = await verify()
    const other = pin.chain.head ?? ''
    expect(await changed((data) => data, { ...pin, log: { ...pin.log, hash: other } })).toBe(
      'invalid',
    )
    expect(await changed((data) => data, { ...pin, log: { ...pin.log, key_id: other } })).toBe(
      'invalid',
    )
    const forked = { ...pin, chain: { ...pin.chain, head: pin.log.hash } }
    expect(await changed((data) => data, forked)).toBe('invalid')
  })
})
