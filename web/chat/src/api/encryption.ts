import { base } from '@assay/account/api/base.ts'
import { ApiError, call } from '@assay/contract/client.ts'
import {
  addKeyStatement,
  type KeyDirectory,
  type KeyStatement,
  readEncryptionKeys,
  type SignedKeyStatement,
} from '@assay/contract/encryption-keys.ts'
import { enrollRefusals } from '@assay/contract/encryption-refusals.ts'
import type { ProjectSlugs } from '@assay/contract/fields.ts'
import { type Chain, listActive } from '@assay/contract/key-chain.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { type DeviceKeyPairs, newDeviceKeys } from '../crypto/device-keys.ts'
import { EncryptionProblem } from '../crypto/encryption-problem.ts'
import { signNew } from '../crypto/key-statements.ts'
import {
  acceptOffered,
  findDevice,
  findPin,
  hasEarlierKeys,
  offerDevice,
  savePin,
} from '../crypto/key-store.ts'
import { type VerifiedDirectory, verifyDirectory } from '../crypto/verify-directory.ts'

/*
 * The encryption keys of the signed-in user: reads and verifies the key directory, and adds statements to it.
 */

/** Whose keys, and by which project they are asked for. */
export interface EncryptionPlace {
  readonly slugs: ProjectSlugs
  readonly owner: KeyOwner
}

export interface Encryption extends VerifiedDirectory {
  readonly mode: KeyDirectory['policy']['mode']
  readonly challenge: KeyDirectory['challenge']
  /** The keys of this browser, if its device is active. */
  readonly device: DeviceKeyPairs | undefined
  /** Whether it has earlier keys that conversations may still be sealed for. */
  readonly isRotating: boolean
  /** What took this browser's keys away, if it had some. */
  readonly removal: Removal | undefined
  /** Why this browser has no keys of a person who encrypts conversations in others; undefined if it has some. */
  readonly missing: MissingKeys | undefined
}

export type MissingKeys = Removal['by'] | 'never'

export interface Removal {
  readonly by: 'revoke' | 'reset'
  /** ISO 8601, as the device that signed it reports it. */
  readonly at: string
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
  const { challenge, policy, me } = directory
  const saved = await findDevice(owner)
  const isCurrent = (keys: DeviceKeyPairs) => isActive(keys, verified.chain)
  const device = saved && isCurrent(saved) ? saved : await acceptOffered(owner, isCurrent)
  const removal = saved && !device ? findRemoval(saved.id, me.statements) : undefined
  const isElsewhere = device === undefined && listActive(verified.chain).length > 0
  const missing = removal?.by ?? (isElsewhere ? 'never' : undefined)
  const isRotating = device !== undefined && (await hasEarlierKeys(owner))
  return { ...verified, challenge, mode: policy.mode, device, isRotating, removal, missing }
}

function isActive({ id, sign_pub, kem_pub }: DeviceKeyPairs, { devices }: Chain): boolean {
  const known = devices.get(id)
  return known?.status === 'active' && known.sign_pub === sign_pub && known.kem_pub === kem_pub
}

function findRemoval(id: string, statements: readonly SignedKeyStatement[]): Removal | undefined {
  const enrolled = statements.findIndex(({ statement }) => statement.device === id)
  for (const { statement } of enrolled < 0 ? [] : statements.slice(enrolled + 1)) {
    const { type, device, created_at: at } = statement
    if (type === 'reset' || (type === 'revoke' && device === id)) return { by: type, at }
  }
  return undefined
}

interface NewEntry {
  readonly type: KeyStatement['type']
  readonly device: DeviceKeyPairs
  readonly by?: DeviceKeyPairs
  readonly label: string
}

const attempts = 3

/**
 * Adds the statement that `toEntry` makes of the keys as they are, and again if another browser has changed them in the
 * meantime. Adds none if it returns undefined. Returns the keys after it.
 */
export async function addEntry(
  place: EncryptionPlace,
  toEntry: (now: Encryption) => NewEntry | undefined,
): Promise<Encryption> {
  for (let attempt = 1; ; attempt += 1) {
    const now = await readEncryption(place)
    const entry = toEntry(now)
    if (entry === undefined) return now
    const { owner, chain, challenge } = now
    const signed = await signNew({ owner, after: chain, challenge, ...entry })
    try {
      await call(base, addKeyStatement, { body: { ...place.slugs, ...signed } })
      break
    } catch (error) {
      if (attempt === attempts || !isOvertaken(error)) throw error
    }
  }
  return await readEncryption(place)
}

/** Another statement was added since the keys were read. */
function isOvertaken(error: unknown): boolean {
  return error instanceof ApiError && error.message === enrollRefusals.chain
}

/** Tabs of a browser profile have one device together. */
export function inTurn<Result>(
  { owner }: EncryptionPlace,
  work: () => Promise<Result>,
): Promise<Result> {
  return navigator.locks.request(`assay-encryption ${owner.org} ${owner.user}`, work)
}

/** Enrolls this browser, unless it is enrolled. In turn. */
export async function addDevice(
  place: EncryptionPlace,
  label: string,
  by: DeviceKeyPairs,
): Promise<DeviceKeyPairs> {
  const { device, chain } = await readEncryption(place)
  if (device !== undefined) return device
  const offered = await offerNewDevice(place, chain)
  return getDevice(
    await addEntry(place, (now) =>
      now.device ? undefined : { type: 'enroll', device: offered, by, label },
    ),
  )
}

/** Keys with an id that the directory does not have. */
export function offerNewDevice({ owner }: EncryptionPlace, { devices }: Chain) {
  return offerDevice(owner, ({ id }) => !devices.has(id), newDeviceKeys)
}

/** Throws an EncryptionProblem if this browser is not an active device. */
export function getDevice({ device }: Pick<Encryption, 'device'>): DeviceKeyPairs {
  if (device === undefined) throw new EncryptionProblem('invalid', notEnrolled)
  return device
}

const notEnrolled = 'This browser is not an active device. Enroll it with your recovery code first.'

/** Of another device, or a recovery key. Nothing happens if it is revoked already. */
export async function revokeDevice(place: EncryptionPlace, deviceId: string): Promise<void> {
  await addEntry(place, (now) => {
    const by = getDevice(now)
    const revoked = now.chain.devices.get(deviceId)
    if (revoked?.status !== 'active') return undefined
    return { type: 'revoke', device: { ...by, id: deviceId }, by, label: revoked.label }
  })
}
