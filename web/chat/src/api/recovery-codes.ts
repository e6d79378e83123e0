import { type Chain, type Device, listActive } from '@assay/contract/key-chain.ts'
import type { DeviceKeyPairs } from '../crypto/device-keys.ts'
import { EncryptionProblem } from '../crypto/encryption-problem.ts'
import { deriveRecoveryKeys, readRecoveryCode } from '../crypto/recovery-code.ts'
import {
  addDevice,
  addEntry,
  type Encryption,
  type EncryptionPlace,
  getDevice,
  inTurn,
  offerNewDevice,
  readEncryption,
  revokeDevice,
} from './encryption.ts'
import { hasMoreKeys, shareMailboxes } from './mailbox-keys.ts'

/*
 * What is done with recovery codes: set-up, enrollment of further browsers, a new code, and a reset. Each can be
 * interrupted at any time and repeated: it then continues with what is missing.
 */

/** The active recovery keys, the newest last. */
export function listCodes(chain: Pick<Chain, 'devices'>): readonly Device[] {
  return listActive(chain).filter(({ type }) => type === 'recovery')
}

export const setUpElsewhere =
  'Encryption has been set up in another tab or browser in the meantime. The code that was shown here is not valid: use the other one, and discard your copy of this one.'

/** The first keys: those of the code that was typed back, then those of this browser. */
export function setUpEncryption(
  place: EncryptionPlace,
  label: string,
  code: string,
): Promise<void> {
  return inTurn(place, async () => {
    // Before the device: with the code alone, set-up can be finished in any browser.
    const recovery = await addCode(place, code, ({ chain }) => {
      if (chain.seq > 0) throw new EncryptionProblem('code', setUpElsewhere)
      return undefined
    })
    await addDevice(place, label, recovery)
  })
}

/** Enrolls this browser, unless it is enrolled, and opens the conversations for it that the code opens. */
export function enrollWithCode(place: EncryptionPlace, label: string, code: string): Promise<void> {
  return inTurn(place, async () => {
    const by = await getKeysOfCode(place, code)
    await shareMailboxes(place, by, await addDevice(place, label, by))
  })
}

async function getKeysOfCode(place: EncryptionPlace, code: string): Promise<DeviceKeyPairs> {
  const secret = await readRecoveryCode(code)
  const { chain } = await readEncryption(place)
  const derived = await deriveRecoveryKeys(secret, place.owner)
  const known = findByKeys(chain, derived)
  if (known?.status === 'active') return { ...derived, id: known.id }
  throw new EncryptionProblem('code', known === undefined ? unknownCode : revokedCode)
}

const unknownCode =
  'This recovery code does not belong to you in this organization. Check which code it is.'
const revokedCode = 'This recovery code was revoked. Use the newest one.'

/** Makes the code the only valid one. Earlier ones are revoked when it opens all that they open. */
export function replaceCode(place: EncryptionPlace, code: string): Promise<void> {
  return inTurn(place, async () => {
    const { id } = await addCode(place, code, getDevice)
    await keepNewestCode(place)
    if (listCodes((await readEncryption(place)).chain).at(-1)?.id !== id) {
      throw new EncryptionProblem('code', newerCode)
    }
  })
}

const newerCode =
  'Another browser has created a newer code in the meantime. Use that one, and discard your copy of this one.'

/** Continues a replacement that was interrupted. */
export function finishReplacement(place: EncryptionPlace): Promise<void> {
  return inTurn(place, () => keepNewestCode(place))
}

async function keepNewestCode(place: EncryptionPlace): Promise<void> {
  const now = await readEncryption(place)
  const codes = listCodes(now.chain)
  const newest = codes.at(-1)
  if (newest === undefined) return
  await shareMailboxes(place, getDevice(now), newest)
  for (const { id } of codes.slice(0, -1)) {
    if (await hasMoreKeys(place, id, newest)) throw new EncryptionProblem('code', earlierNeeded)
    await revokeDevice(place, id)
  }
}

const earlierNeeded =
  'The new code is valid. The earlier one still is, too, because it opens conversations that this browser cannot read. Enter it under Unreadable conversations and continue here, or revoke it under Devices if you have lost it.'

/**
 * Revokes all devices and recovery keys of the generation, and begins again with this browser and a new code. If this
 * browser has done the first part, only the code is added.
 */
export function resetEncryption(
  place: EncryptionPlace,
  generation: number,
  label: string,
  code: string,
): Promise<void> {
  return inTurn(place, async () => {
    const { chain } = await readEncryption(place)
    const device = await offerNewDevice(place, chain)
    await addEntry(place, (now) =>
      now.chain.generation === generation ? { type: 'reset', device, label } : undefined,
    )
    await addCode(place, code, getDevice)
  })
}

/** The keys of the code, added to the directory unless it has them; signed by what `getSigner` returns, or by themselves. */
async function addCode(
  place: EncryptionPlace,
  code: string,
  getSigner: (now: Encryption) => DeviceKeyPairs | undefined,
): Promise<DeviceKeyPairs> {
  const derived = await deriveRecoveryKeys(await readRecoveryCode(code), place.owner)
  const { chain } = await addEntry(place, (now) => {
    if (findByKeys(now.chain, derived) !== undefined) return undefined
    const by = getSigner(now)
    return { type: 'recovery', device: derived, label: 'Recovery code', ...(by && { by }) }
  })
  return { ...derived, id: findByKeys(chain, derived)?.id ?? derived.id }
}

function findByKeys({ devices }: Chain, { sign_pub }: DeviceKeyPairs): Device | undefined {
  return [...devices.values()].find((one) => one.sign_pub === sign_pub)
}

/** Whether this browser and the newest code open the same conversations. */
export interface Coverage {
  /** The code opens conversations that this browser cannot read. */
  readonly browserLacks: boolean
  /** This browser reads conversations that the code does not open. */
  readonly codeLacks: boolean
}

export async function readCoverage(
  place: EncryptionPlace,
  { chain, device, isRotating }: Pick<Encryption, 'chain' | 'device' | 'isRotating'>,
  signal: AbortSignal,
): Promise<Coverage> {
  if (device === undefined) return { browserLacks: false, codeLacks: false }
  const newest = listCodes(chain).at(-1)
  // A rotation that is completed opens what only the earlier keys of this browser open.
  const browserLacks = !isRotating && (await anyCodeHasMore(place, chain, device, signal))
  const codeLacks = newest !== undefined && (await hasMoreKeys(place, device.id, newest, signal))
  return { browserLacks, codeLacks }
}

async function anyCodeHasMore(
  place: EncryptionPlace,
  chain: Chain,
  device: DeviceKeyPairs,
  signal: AbortSignal,
): Promise<boolean> {
  for (const { id } of listCodes(chain)) {
    if (await hasMoreKeys(place, id, device, signal)) return true
  }
  return false
}
