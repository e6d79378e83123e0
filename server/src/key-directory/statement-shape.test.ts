import { addKeyStatement, type KeyStatement } from '@assay/contract/encryption-keys.ts'
import { formatFingerprint, personFingerprintInput } from '@assay/contract/key-fingerprints.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const of = (size: number) => base64url(new Uint8Array(size))
const uuid = '0f0e0d0c-0b0a-4908-8706-050403020100'

const statement = {
  ...{ v: 1, type: 'enroll', seq: 1, prev: null, user: uuid, org: uuid, device: uuid },
  ...{ label: 'Laptop', sign_pub: of(32), kem_pub: of(32), suite: 1, nonce: of(32), by: uuid },
  created_at: '2026-01-01T00:00:00Z',
} as const satisfies KeyStatement
const body = {
  ...{ org: 'acme', project: 'project', challenge_id: uuid, statement },
  ...{ sig_new: of(64), sig_by: of(64), kem_mac: of(32) },
}
const schema = (() => {
  const { body: declared } = addKeyStatement
  if (declared?.as !== 'json') throw new Error('no JSON body')
  return declared.schema
})()
const accepts = (changed: object) => schema.safeParse(changed).success
const acceptsStatement = (change: object) =>
  accepts({ ...body, statement: { ...statement, ...change } })

test('a statement has exactly its 14 members', () => {
  expect(accepts(body)).toBe(true)
  expect(Object.keys(statement)).toHaveLength(14)
  for (const member of Object.keys(statement)) {
    expect(acceptsStatement({ [member]: undefined }), member).toBe(false)
  }
  expect(acceptsStatement({ extra: 1 })).toBe(false)
  expect(accepts(JSON.parse(JSON.stringify(body).replace('"v":1', '"v":1,"__proto__":{}')))).toBe(
    false,
  )
})

test('a label is accepted with its white space, so that its signature stays valid', () => {
  const label = '  Ana’s “phone” 📱 '
  expect(schema.parse({ ...body, statement: { ...statement, label } }).statement.label).toBe(label)
})

test.each([
  ['another version', { v: 2 }],
  ['another suite', { suite: 2 }],
  ['an unknown type', { type: 'remove' }],
  ['the type of a prototype', { type: '__proto__' }],
  ['seq 0', { seq: 0 }],
  ['seq as a text', { seq: '1' }],
  ['a fraction as seq', { seq: 1.5 }],
  ['a device id in upper case', { device: uuid.toUpperCase() }],
  ['an empty label', { label: '' }],
  ['a long label', { label: 'x'.repeat(65) }],
  ['a lone surrogate', { label: '\ud800' }],
  ['a control character', { label: 'a\nb' }],
  ['a right-to-left override', { label: 'a\u202eb' }],
  ['a bidirectional isolate', { label: '\u2066a' }],
  ['a local time', { created_at: '2026-01-01T00:00:00+01:00' }],
  ['a nonce of 15 bytes', { nonce: of(15) }],
  ['no key with enroll', { sign_pub: null }],
  ['keys with revoke', { type: 'revoke' }],
])('a statement with %s is invalid', (_what, change) => {
  expect(acceptsStatement(change)).toBe(false)
})

test('a revocation has neither keys nor proofs of them', () => {
  const keys = { sign_pub: null, kem_pub: null }
  const revocation = { ...body, statement: { ...statement, type: 'revoke', ...keys } }
  expect(accepts({ ...revocation, sig_new: null, kem_mac: null })).toBe(true)
  expect(accepts(revocation)).toBe(false)
  expect(accepts({ ...revocation, sig_new: null })).toBe(false)
  expect(accepts({ ...body, kem_mac: null })).toBe(false)
})

const fields = [
  ['sign_pub', 32, (value: string) => acceptsStatement({ sign_pub: value })],
  ['prev', 32, (value: string) => acceptsStatement({ prev: value })],
  ['sig_new', 64, (value: string) => accepts({ ...body, sig_new: value })],
  ['kem_mac', 32, (value: string) => accepts({ ...body, kem_mac: value })],
] as const

test.each(fields)('%s accepts the canonical form of %i bytes only', (_field, size, accepted) => {
  const exact = fc.uint8Array({ minLength: size, maxLength: size }).map(base64url)
  fc.assert(
    fc.property(exact, fc.constantFrom('+', '/', '=', ' ', '\n'), fc.nat(size), (text, odd, at) => {
      expect(accepted(text)).toBe(true)
      expect(accepted(text.slice(0, at) + odd + text.slice(at + 1))).toBe(false)
      expect(accepted(`${text}=`)).toBe(false)
      expect(accepted(`${text}\n`)).toBe(false)
    }),
    { seed: 1 },
  )
  for (const other of [0, 16, size - 1, size + 1, size * 2]) expect(accepted(of(other))).toBe(false)
  // The unused bits of the last character are set.
  expect(accepted(`${of(size).slice(0, -1)}B`)).toBe(false)
})

test('a nonce accepts the canonical form of at least 16 bytes only', () => {
  const text = fc.stringMatching(/^[\w-]{22,128}$/)
  fc.assert(
    fc.property(text, (nonce) => {
      const isCanonical = base64url(Buffer.from(nonce, 'base64url')) === nonce
      expect(acceptsStatement({ nonce })).toBe(isCanonical)
    }),
    { seed: 1 },
  )
})

test('a fingerprint is the remainder of the hash in groups of five digits', () => {
  expect(formatFingerprint('ff'.repeat(32), 8)).toBe(
    '32699 84665 64056 40394 57584 00791 31296 39935',
  )
  expect(formatFingerprint('00'.repeat(31) + '2a', 12)).toBe(`${'00000 '.repeat(11)}00042`)
})

test('the fingerprint of a person does not depend on the order of the devices, but on each key', () => {
  const device = (n: number) => ({ id: `${n}`, sign_pub: `s${n}`, kem_pub: `k${n}` })
  const owner = { org: 'o', user: 'u' }
  const input = (devices: readonly ReturnType<typeof device>[], generation = 1) =>
    personFingerprintInput(owner, generation, devices)
  expect(input([device(1), device(2)])).toBe(input([device(2), device(1)]))
  expect(input([device(1), device(2)])).toBe(
    '{"generation":1,"keys":["k1","k2","s1","s2"],"org":"o","user":"u","v":1}',
  )
  const others = [
    input([device(1)]),
    input([device(1), device(3)]),
    input([device(1), device(2)], 2),
  ]
  expect(others).not.toContain(input([device(1), device(2)]))
})
