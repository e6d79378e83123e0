import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveRecoveryKeys, newRecoveryCode, readRecoveryCode } from './recovery-code.ts'

const owner = { org: 'b3f1', user: '07aa' }

test('a code has nine groups of four characters and is read back however it was typed', async () => {
  const code = await newRecoveryCode()
  expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){8}[0-9A-HJKMNP-TV-Z]{4}$/)
  const secret = await readRecoveryCode(code)
  expect(secret).toHaveLength(20)
  for (const typed of [
    code.toLowerCase(),
    code.replaceAll('-', ' '),
    code.replaceAll('-', ''),
    code.replaceAll('0', 'o').replaceAll('1', 'l'),
    code.replaceAll('1', 'I'),
  ]) {
    expect(await readRecoveryCode(typed)).toEqual(secret)
  }
})

test('a code with one wrong character, or two exchanged, is not read', async () => {
  const code = '0000-0000-0000-0000-0000-0000-0000-0000'
  await expect(readRecoveryCode(`${code}-0000`)).rejects.toThrow('typing error')
  await expect(readRecoveryCode(code)).rejects.toThrow('36 letters and digits')
  await expect(readRecoveryCode(`${code}-UUUU`)).rejects.toThrow('36 letters and digits')
  const valid = (await newRecoveryCode()).replaceAll('-', '')
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 35 }), fc.constantFrom('7', 'Q'), async (at, other) => {
      fc.pre(valid[at] !== other)
      const typed = valid.slice(0, at) + other + valid.slice(at + 1)
      await expect(readRecoveryCode(typed)).rejects.toThrow('typing error')
    }),
    { numRuns: 40 },
  )
})

test('two codes differ', async () => {
  expect(await newRecoveryCode()).not.toBe(await newRecoveryCode())
})

test('keys follow from code and person, and cannot be exported', async () => {
  const secret = new Uint8Array(20)
  const keys = await deriveRecoveryKeys(secret, owner)
  const same = await deriveRecoveryKeys(secret, owner)
  const other = await deriveRecoveryKeys(secret, { ...owner, org: 'c0c0' })
  // Fixed: a code that somebody has written down has to open their history in later versions too.
  expect([keys.sign_pub, keys.kem_pub]).toEqual([same.sign_pub, same.kem_pub])
  expect(other.sign_pub).not.toBe(keys.sign_pub)
  expect(other.kem_pub).not.toBe(keys.kem_pub)
  expect([keys.sign.privateKey.extractable, keys.kem.privateKey.extractable]).toEqual([
    false,
    false,
  ])
})
