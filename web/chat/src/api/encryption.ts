import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import {
  addKeyStatement,
  type KeyDirectory,
  type KeyStatement,
  readEncryptionKeys,
} from '@assay/contract/encryption-keys.ts'
import { listActive } from '@assay/contract/key-chain.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { limits } from '@assay/contract/limits.ts'
import { addMailboxKeys, listMailboxKeys } from '@assay/contract/mailbox-keys.ts'
import { type DeviceKeyPairs, newDeviceKeys } from '../crypto/device-keys.ts'
import { EncryptionProblem } from '../crypto/encryption-problem.ts'
import { signNew } from '../crypto/key-statements.ts'
import { findDevice, findPin, saveDevice, savePin } from '../crypto/key-store.ts'
import { openMailbox, sealMailboxKey } from '../crypto/mailbox.ts'
import { deriveRecoveryKeys, readRecoveryCode } from '../crypto/recovery-code.ts'
import { type VerifiedDirectory, verifyDirectory } from '../crypto/verify-directory.ts'

/*
 * The encryption keys of the signed-in user: reads and verifies the key directory, and adds statements to it.
 */

/** Whose keys, and by which project they are asked for. */
export interface EncryptionPlace {
  readonly slugs: { readonly org: string; readonly project: string }
  readonly owner: KeyOwner
}

export interface Encryption extends VerifiedDirectory {
  readonly mode: KeyDirectory['policy']['mode']
  readonly challenge: KeyDirectory['challenge']
  /** The keys of this browser, if its device is active. */
  readonly device: DeviceKeyPairs | undefined
}

/** Throws an EncryptionProblem if the keys cannot be trusted. */
export async function readEncryption(
  { slugs, owner }: EncryptionPlace,
  signal?: AbortSignal,
): Promise<Encryption> {
  const directory = await call(base, readEncryptionKeys, { query: slugs }, signal && { signal })
  const pinned = await findPin(owner)
  const verified = await verifyDirectory(directory, owner.user, pinned)
  await savePin(owner, verified.pin)
  const saved = await findDevice(owner)
  const known = saved && verified.chain.devices.get(saved.id)
  const isActive = known?.status === 'active' && known.kem_pub === saved?.kem_pub
  const { challenge, policy } = directory
  return { ...verified, challenge, mode: policy.mode, device: isActive ? saved : undefined }
}

interface NewEntry {
  readonly type: KeyStatement['type']
  readonly device: DeviceKeyPairs
  readonly by?: DeviceKeyPairs
  readonly label: string
}

async function addEntry(place: EncryptionPlace, entry: NewEntry): Promise<void> {
  const { owner, chain, challenge } = await readEncryption(place)
  const signed = await signNew({ owner, after: chain, challenge, ...entry })
  await call(base, addKeyStatement, { body: { ...place.slugs, ...signed } })
}

/** Tabs of a browser profile have one device together. */
function inTurn<Result>({ owner }: EncryptionPlace, work: () => Promise<Result>): Promise<Result> {
  return navigator.locks.request(`assay-encryption ${owner.org} ${owner.user}`, work)
}

/** The first device, this browser, with the recovery code that was typed back. */
export function setUpEncryption(place: EncryptionPlace, label: string, code: string) {
  return inTurn(place, async () => {
    const { owner } = place
    if ((await readEncryption(place)).device !== undefined) return
    const recovery = await deriveRecoveryKeys(await readRecoveryCode(code), owner)
    const device = await newDeviceKeys()
    await saveDevice(owner, device)
    await addEntry(place, { type: 'enroll', device, label })
    await addEntry(place, { type: 'recovery', device: recovery, by: device, label: recoveryLabel })
  })
}

const recoveryLabel = 'Recovery code'

/** Enrolls this browser, and opens the conversations that the recovery code opens for it. */
export function enrollWithCode(place: EncryptionPlace, label: string, code: string) {
  return inTurn(place, async () => {
    const { owner } = place
    const secret = await readRecoveryCode(code)
    const { chain } = await readEncryption(place)
    const derived = await deriveRecoveryKeys(secret, owner)
    const known = listActive(chain).find(({ sign_pub }) => sign_pub === derived.sign_pub)
    if (known === undefined) {
      const message = 'This recovery code does not belong to your keys, or was revoked.'
      throw new EncryptionProblem('code', message)
    }
    const by = { ...derived, id: known.id }
    const device = await newDeviceKeys()
    await saveDevice(owner, device)
    await addEntry(place, { type: 'enroll', device, by, label })
    await shareMailboxes(place, by, device)
  })
}

/** Seals the keys of earlier conversations for `to`, as far as `from` opens them. */
async function shareMailboxes(
  { slugs, owner }: EncryptionPlace,
  from: DeviceKeyPairs,
  to: DeviceKeyPairs,
): Promise<void> {
  for (;;) {
    const query = { ...slugs, device: from.id, lacking: to.id }
    const { keys } = await call(base, listMailboxKeys, { query })
    const sealed = await Promise.all(
      keys.map(async ({ conversation_id, ...stored }) => {
        const key = { enc: stored.enc, sealed: stored.sealed, device: from.id }
        const mailbox = await openMailbox({ ...stored, key }, owner, from).catch(() => undefined)
        if (mailbox === undefined) return []
        const { enc, sealed: forDevice } = await sealMailboxKey(mailbox, owner, to)
        return [{ conversation_id, epoch: stored.epoch, enc, sealed: forDevice }]
      }),
    )
    const added = sealed.flat()
    if (added.length === 0) return
    const body = { ...slugs, device: to.id, keys: added }
    await call(base, addMailboxKeys, { body })
    if (keys.length < limits.mailboxKeysAtOnce.value) return
  }
}

/** Of another device, or a recovery key. */
export async function revokeDevice(place: EncryptionPlace, deviceId: string): Promise<void> {
  const { device, chain } = await readEncryption(place)
  if (device === undefined) throw new EncryptionProblem('invalid', notEnrolled)
  const label = chain.devices.get(deviceId)?.label ?? ''
  await addEntry(place, {
    ...{ type: 'revoke', device: { ...device, id: deviceId }, by: device, label },
  })
}

const notEnrolled = 'This browser is not an active device. Enroll it with your recovery code first.'

/** Revokes all devices and recovery keys, and begins again with this browser and a new code. */
export function resetEncryption(place: EncryptionPlace, label: string, code: string) {
  return inTurn(place, async () => {
    const { owner } = place
    const recovery = await deriveRecoveryKeys(await readRecoveryCode(code), owner)
    const device = await newDeviceKeys()
    await saveDevice(owner, device)
    await addEntry(place, { type: 'reset', device, label })
    await addEntry(place, { type: 'recovery', device: recovery, by: device, label: recoveryLabel })
  })
}
