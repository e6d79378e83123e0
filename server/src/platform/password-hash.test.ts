import { describe, expect, test } from 'vitest'
import { Unavailable } from './failure.ts'
import { openPasswords } from './password-hash.ts'

const passwords = openPasswords()

describe('a password', () => {
  test('matches its hash, and no other password does', async () => {
    const hash = await passwords.hash('correct horse')
    expect(hash).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    )
    expect(await passwords.verify('correct horse', hash)).toBe(true)
    expect(await passwords.verify('correct horsE', hash)).toBe(false)
    expect(await passwords.verify('', hash)).toBe(false)
  })

  test('has a different hash each time', async () => {
    expect(await passwords.hash('same')).not.toBe(await passwords.hash('same'))
  })

  test('matches a hash of another implementation', async () => {
    const hash =
      '$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$69I7qCjDTsQwhQqFvpQJiqEI0lGQvxC84fXE0Ktxca4'
    expect(await passwords.verify('correct horse battery', hash)).toBe(true)
  })

  test('matches a hash with other cost parameters', async () => {
    const hash = '$argon2id$v=19$m=64,t=1,p=2$MDEyMzQ1Njc4OWFiY2RlZg$ERxfUVap7/xX5tOkgFPA/A'
    expect(await passwords.verify('correct horse battery', hash)).toBe(true)
    expect(await passwords.verify('incorrect horse', hash)).toBe(false)
  })

  test('matches in any Unicode composition', async () => {
    const hash = await passwords.hash('cafe\u0301 au lait')
    expect(await passwords.verify('caf\u00e9 au lait', hash)).toBe(true)
  })

  test('never matches without a hash', async () => {
    expect(await passwords.verify('', null)).toBe(false)
  })
})

test('calls beyond the queue are refused, and the others succeed', async () => {
  const busy = openPasswords()
  const crowd = Array.from({ length: 70 }, () => busy.verify('wrong', null))
  const outcomes = await Promise.allSettled(crowd)
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(outcomes.length - refused.length).toBe(68)
  for (const { reason } of refused) expect(reason).toBeInstanceOf(Unavailable)
  expect(await busy.verify('wrong', null)).toBe(false)
})
