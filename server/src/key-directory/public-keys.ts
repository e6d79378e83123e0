import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/*
 * Public keys of 32 bytes, in base64url: refuses those that would make a proof of possession worthless, and imports the
 * others. The lists are explicit, because libraries differ in what they accept.
 */

export type KeyProblem = 'not canonical' | 'small order'

const p = 2n ** 255n - 19n

/** The y coordinates of the eight Ed25519 points of small order; each stands for both signs of x. */
const smallOrderY = new Set([
  0n,
  1n,
  p - 1n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
])

/** The u coordinates of the Curve25519 points of small order, and of those on its twist. */
const smallOrderU = new Set([
  0n,
  1n,
  p - 1n,
  0x00b8495f16056286fdb1329ceb8d09da6ac49ff1fae35616aeb8413b7c7aebe0n,
  0x57119fd0dd4e22d8868e1c58c45c44045bef839c55b1d0b1248c50a3bc959c5fn,
])

export function findSigningKeyProblem(key: string): KeyProblem | undefined {
  // The top bit is the sign of x.
  const y = toInteger(key) & (2n ** 255n - 1n)
  if (smallOrderY.has(y)) return 'small order'
  return y >= p ? 'not canonical' : undefined
}

export function findKemKeyProblem(key: string): KeyProblem | undefined {
  const u = toInteger(key)
  if (smallOrderU.has(u)) return 'small order'
  return u >= p ? 'not canonical' : undefined
}

/** Little-endian. */
function toInteger(key: string): bigint {
  return BigInt(`0x${Buffer.from(key, 'base64url').reverse().toString('hex')}`)
}

export function importPublicKey(crv: 'Ed25519' | 'X25519', x: string): KeyObject {
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv, x } })
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
