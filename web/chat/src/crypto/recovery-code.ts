import { canonicalJson } from '@assay/contract/canonical-json.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { type DeviceKeyPairs, importDeviceKeys } from './device-keys.ts'
import { EncryptionProblem } from './encryption-problem.ts'

/*
 * The recovery code: 160 random bits, and 20 that notice a typo, as nine groups of four characters. The keys of type
 * `recovery` follow from it and the person.
 */

/** Crockford's base32: without I, L, O and U, which are mistaken for others. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const secretBytes = 20
const secretCharacters = 32
const checkCharacters = 4

export async function newRecoveryCode(): Promise<string> {
  const secret = crypto.getRandomValues(new Uint8Array(secretBytes))
  const text = encodeBase32(secret) + (await checkOf(secret))
  return text.replaceAll(/.{4}(?!$)/g, '$&-')
}

/** The code as it was typed: case, spaces and hyphens do not matter. Throws an EncryptionProblem. */
export async function readRecoveryCode(typed: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = typed
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[IL]/g, '1')
    .replaceAll('O', '0')
  const length = secretCharacters + checkCharacters
  if (text.length !== length || !new RegExp(`^[${alphabet}]*$`).test(text)) {
    throw problem(`The recovery code has ${length} letters and digits. Check what you typed.`)
  }
  const secret = decodeBase32(text.slice(0, secretCharacters))
  if (text.slice(secretCharacters) !== (await checkOf(secret))) {
    throw problem('The recovery code has a typing error. Compare it with your copy.')
  }
  return secret
}

/** The same for the same code and person. `id`: of the recovery key in the directory. */
export async function deriveRecoveryKeys(
  secret: Uint8Array<ArrayBuffer>,
  { org, user }: KeyOwner,
  id: string = crypto.randomUUID(),
): Promise<DeviceKeyPairs> {
  const ikm = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  const derive = async (purpose: string) => {
    const salt = new TextEncoder().encode(canonicalJson({ v: 1, org, user }))
    const info = new TextEncoder().encode(`assay-e2e-recovery-v1 ${purpose}`)
    const derivation = { name: 'HKDF', hash: 'SHA-256', salt, info }
    return new Uint8Array(await crypto.subtle.deriveBits(derivation, ikm, 256))
  }
  return await importDeviceKeys(id, { sign: await derive('sign'), kem: await derive('kem') })
}

async function checkOf(secret: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', secret)
  return encodeBase32(new Uint8Array(hash)).slice(0, checkCharacters)
}

function encodeBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('')
}

function decodeBase32(text: string): Uint8Array<ArrayBuffer> {
  const bits = Array.from(text, (one) => alphabet.indexOf(one).toString(2).padStart(5, '0')).join(
    '',
  )
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (eight) => Number.parseInt(eight, 2))
}

const problem = (message: string) => new EncryptionProblem('code', message)
