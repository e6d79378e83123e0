/*
 * Public keys of 32 bytes, in base64url, that would make a proof of possession worthless. The lists are explicit, because
 * libraries and browsers differ in what they accept.
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
  const binary = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Array.from(binary, (character) => character.charCodeAt(0))
  const hex = bytes.toReversed().map((byte) => byte.toString(16).padStart(2, '0'))
  return BigInt(`0x${hex.join('')}`)
}
