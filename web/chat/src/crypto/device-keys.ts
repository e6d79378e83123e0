import { toBase64url } from './base64url.ts'

/*
 * The key pairs of a device or recovery key. Private halves of devices cannot be exported, not even by this page.
 */

export interface KeyPair {
  readonly publicKey: CryptoKey
  readonly privateKey: CryptoKey
}

export interface DeviceKeyPairs {
  readonly id: string
  readonly sign: KeyPair
  readonly kem: KeyPair
  readonly sign_pub: string
  readonly kem_pub: string
  /** Further X25519 pairs that mailbox keys can be sealed for: those before rotations, or of one that is not settled. */
  readonly otherKems?: readonly KeyPair[]
}

export async function newDeviceKeys(id: string = crypto.randomUUID()): Promise<DeviceKeyPairs> {
  const sign = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as KeyPair
  const kem = (await crypto.subtle.generateKey('X25519', false, ['deriveBits'])) as KeyPair
  return withPublicBytes(id, sign, kem)
}

/** The pairs that follow from two secrets of 32 bytes. */
export async function importDeviceKeys(
  id: string,
  seeds: { readonly sign: Uint8Array<ArrayBuffer>; readonly kem: Uint8Array<ArrayBuffer> },
): Promise<DeviceKeyPairs> {
  const sign = await importPair('Ed25519', seeds.sign)
  const kem = await importPair('X25519', seeds.kem)
  return await withPublicBytes(id, sign, kem)
}

async function withPublicBytes(id: string, sign: KeyPair, kem: KeyPair): Promise<DeviceKeyPairs> {
  const [sign_pub, kem_pub] = await Promise.all([publicBytes(sign), publicBytes(kem)])
  return { id, sign, kem, sign_pub, kem_pub }
}

async function publicBytes({ publicKey }: KeyPair): Promise<string> {
  return toBase64url(await crypto.subtle.exportKey('raw', publicKey))
}

/** PKCS #8 (RFC 8410) before the 32 bytes. */
const prefixes = {
  Ed25519: [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20],
  X25519: [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20],
} as const

/** A pair whose private half cannot be exported. */
export async function importPair(
  name: 'Ed25519' | 'X25519',
  secret: Uint8Array<ArrayBuffer>,
): Promise<KeyPair> {
  const pkcs8 = Uint8Array.of(...prefixes[name], ...secret)
  const isSigning = name === 'Ed25519'
  const importKey = (isExportable: boolean) =>
    crypto.subtle.importKey(
      'pkcs8',
      pkcs8,
      name,
      isExportable,
      isSigning ? ['sign'] : ['deriveBits'],
    )
  // The public half follows from the private one, and is read from a copy that is dropped.
  const { x = '' } = await crypto.subtle.exportKey('jwk', await importKey(true))
  const jwk = { kty: 'OKP', crv: name, x }
  const publicKey = await crypto.subtle.importKey(
    'jwk',
    jwk,
    name,
    true,
    isSigning ? ['verify'] : [],
  )
  return { publicKey, privateKey: await importKey(false) }
}
