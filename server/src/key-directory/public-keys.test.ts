import { diffieHellman, generateKeyPairSync } from 'node:crypto'
import { findKemKeyProblem, findSigningKeyProblem } from '@assay/contract/public-key-problems.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exportPublicKey, importKemPrivateKey, importPublicKey } from './public-keys.ts'

const fromHex = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
const p = 2n ** 255n - 19n
const encode = (value: bigint) =>
  fromHex(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex'))
const topBit = 2n ** 255n

describe('an Ed25519 key', () => {
  /** The eight points of small order. */
  const smallOrder = [
    '0100000000000000000000000000000000000000000000000000000000000000',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000080',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  ]
  /** x is 0, but its sign is set; or y is not reduced. */
  const otherEncodings = [
    '0100000000000000000000000000000000000000000000000000000000000080',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  ]

  test.each(smallOrder)('%s has a small order and is refused', (hex) => {
    expect(eightTimes(hex)).toEqual({ x: 0n, y: 1n })
    expect(findSigningKeyProblem(fromHex(hex))).toBe('small order')
  })

  test.each(otherEncodings)('%s is another encoding of such a point and is refused', (hex) => {
    expect(findSigningKeyProblem(fromHex(hex))).toBeDefined()
  })

  test.each([0n, 1n, 2n, 18n])('that is not reduced is refused: p + %i', (n) => {
    for (const sign of [0n, topBit]) {
      expect(findSigningKeyProblem(encode(p + n + sign))).toBe('not canonical')
    }
  })

  test('of a browser is accepted', () => {
    for (let n = 0; n < 20; n += 1) {
      const { publicKey } = generateKeyPairSync('ed25519')
      expect(findSigningKeyProblem(exportPublicKey(publicKey))).toBeUndefined()
    }
  })

  /** The point of an encoding, times eight: (0, 1) exactly for those of small order. */
  function eightTimes(hex: string): Point {
    const bytes = Buffer.from(hex, 'hex').reverse()
    const encoded = BigInt(`0x${bytes.toString('hex')}`)
    const y = mod(encoded & (topBit - 1n))
    const u = mod(y * y - 1n)
    const v = mod(d * y * y + 1n)
    let x = mod(u * v ** 3n * power(mod(u * v ** 7n), (p - 5n) / 8n))
    if (mod(v * x * x) !== u) x = mod(x * power(2n, (p - 1n) / 4n))
    expect(mod(v * x * x)).toBe(u)
    if (x % 2n !== encoded / topBit) x = mod(-x)
    let point = { x, y }
    for (let doubling = 0; doubling < 3; doubling += 1) point = doubled(point)
    return point
  }
})

interface Point {
  readonly x: bigint
  readonly y: bigint
}

const mod = (value: bigint) => ((value % p) + p) % p
const power = (base: bigint, exponent: bigint): bigint => {
  if (exponent === 0n) return 1n
  const half = power(mod(base * base), exponent / 2n)
  return exponent % 2n === 1n ? mod(half * base) : half
}
const inverse = (value: bigint) => power(mod(value), p - 2n)
const d = mod(-121665n * inverse(121666n))

function doubled({ x, y }: Point): Point {
  const product = mod(d * x * x * y * y)
  return {
    x: mod(2n * x * y * inverse(1n + product)),
    y: mod((y * y + x * x) * inverse(1n - product)),
  }
}

describe('an X25519 key', () => {
  /** The twelve encodings of points of small order, on the curve and on its twist. */
  const smallOrder = [
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000000',
    'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
    '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'cdeb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b880',
    '4c9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f11d7',
    'd9ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'daffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'dbffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  ]

  test.each(smallOrder)('%s has a small order or is not canonical, and is refused', (hex) => {
    expect(findKemKeyProblem(fromHex(hex))).toBeDefined()
  })

  test.each(smallOrder.slice(0, 5))('%s agrees on nothing: the library refuses it too', (hex) => {
    expect(findKemKeyProblem(fromHex(hex))).toBe('small order')
    const { privateKey } = generateKeyPairSync('x25519')
    const publicKey = importPublicKey('X25519', fromHex(hex))
    expect(() => diffieHellman({ privateKey, publicKey })).toThrow()
  })

  test.each([p + 2n, p + 18n, topBit, topBit + 9n, 2n * topBit - 1n])(
    'that is not reduced, or has the unused bit set, is refused: %i',
    (value) => {
      expect(findKemKeyProblem(encode(value))).toBe('not canonical')
    },
  )

  test('of a browser is accepted', () => {
    for (let n = 0; n < 20; n += 1) {
      const { publicKey } = generateKeyPairSync('x25519')
      expect(findKemKeyProblem(exportPublicKey(publicKey))).toBeUndefined()
    }
  })

  test('is the same whether its private key is imported from bytes or generated', () => {
    const { privateKey, publicKey } = generateKeyPairSync('x25519')
    const { d: bytes = '' } = privateKey.export({ format: 'jwk' })
    const imported = importKemPrivateKey(Buffer.from(bytes, 'base64url'))
    expect(exportPublicKey(imported)).toBe(exportPublicKey(publicKey))
  })
})

test('any key below p that is none of the listed points is accepted as encoded', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 2n, max: 2n ** 240n }), (value) => {
      expect(findSigningKeyProblem(encode(value))).toBeUndefined()
      expect(findKemKeyProblem(encode(value))).toBeUndefined()
    }),
    { seed: 1 },
  )
})
