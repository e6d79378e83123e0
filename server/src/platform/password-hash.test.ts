import { describe, expect, test } from 'vitest'
import { Unavailable } from './failure.ts'
import { openPasswords } from './password-hash.ts'

const waiter = { owner: 'anybody', signal: new AbortController().signal }
const passwords = openPasswords(4)

describe('a password', () => {
  test('matches its hash, and no other password does', async () => {
    const hash = await passwords.hash('correct horse', waiter)
    expect(hash).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    )
    expect(await passwords.verify('correct horse', hash, waiter)).toBe(true)
    expect(await passwords.verify('correct horsE', hash, waiter)).toBe(false)
    expect(await passwords.verify('', hash, waiter)).toBe(false)
  })

  test('has a different hash each time', async () => {
    expect(await passwords.hash('same', waiter)).not.toBe(await passwords.hash('same', waiter))
  })

  test('matches a hash of another implementation', async () => {
    const hash =
      '$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$69I7qCjDTsQwhQqFvpQJiqEI0lGQvxC84fXE0Ktxca4'
    expect(await passwords.verify('correct horse battery', hash, waiter)).toBe(true)
  })

  test('matches a hash with other cost parameters', async () => {
    const hash = '$argon2id$v=19$m=64,t=1,p=2$MDEyMzQ1Njc4OWFiY2RlZg$ERxfUVap7/xX5tOkgFPA/A'
    expect(await passwords.verify('correct horse battery', hash, waiter)).toBe(true)
    expect(await passwords.verify('incorrect horse', hash, waiter)).toBe(false)
  })

  test('matches in any Unicode composition', async () => {
    const hash = await passwords.hash('cafe\u0301 au lait', waiter)
    expect(await passwords.verify('caf\u00e9 au lait', hash, waiter)).toBe(true)
  })

  test('never matches without a hash', async () => {
    expect(await passwords.verify('', null, waiter)).toBe(false)
  })
})

test('calls beyond the queue are refused, and those whose client has gone leave it', async () => {
  const busy = openPasswords(4)
  const clients = new AbortController()
  const verify = (signal: AbortSignal) => busy.verify('wrong', null, { owner: 'anybody', signal })
  const crowd = Array.from({ length: 70 }, () => verify(clients.signal))
  const outcomes = Promise.allSettled(crowd)
  clients.abort(new Error('the client has gone'))
  const reasons = (await outcomes).map((one) =>
    one.status === 'rejected' ? (one.reason as Error) : undefined,
  )
  expect(reasons.filter((reason) => reason === undefined)).toHaveLength(4)
  expect(reasons.filter((reason) => reason instanceof Unavailable)).toHaveLength(2)
  expect(await verify(waiter.signal)).toBe(false)
})
