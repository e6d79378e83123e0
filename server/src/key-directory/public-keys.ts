import { createPrivateKey, createPublicKey, type KeyObject, verify } from 'node:crypto'

/*
 * Keys of 32 bytes and signatures, in base64url.
 */

export function importPublicKey(crv: 'Ed25519' | 'X25519', x: string): KeyObject {
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv, x } })
}

/** Whether the Ed25519 key has signed the bytes. */
export function isSigned(bytes: Uint8Array, key: string, signature: string): boolean {
  return verify(null, bytes, importPublicKey('Ed25519', key), Buffer.from(signature, 'base64url'))
}

/** Of either half of a pair. */
export function exportPublicKey(key: KeyObject): string {
  const { x } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' })
  if (x === undefined) throw new Error('the key is not a curve key')
  return x
}

/** PKCS #8 (RFC 8410) around 32 bytes. */
const pkcs8Prefix = Buffer.from('302e020100300506032b656e04220420', 'hex')

export function importKemPrivateKey(bytes: Uint8Array): KeyObject {
  const key = Buffer.concat([pkcs8Prefix, bytes])
  return createPrivateKey({ format: 'der', type: 'pkcs8', key })
}
