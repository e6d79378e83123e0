import { describe, expect, test } from 'vitest'
import { sessionCookie } from './session-cookie.ts'

const later = new Date('2030-01-01T00:00:00Z')

describe('the session cookie', () => {
  test('over HTTPS is bound to the host and never sent over plain HTTP', () => {
    const written = sessionCookie('https://assay.example.org').write('token', later)
    expect(written).toBe(
      '__Host-assay_session=token; Path=/; HttpOnly; SameSite=Lax; Secure; Expires=Tue, 01 Jan 2030 00:00:00 GMT',
    )
  })

  test('over plain HTTP has a name that browsers accept there', () => {
    expect(sessionCookie('http://localhost:4600').write('token', later)).toMatch(
      /^assay_session=token; Path=\/; HttpOnly; SameSite=Lax; Expires=/,
    )
  })

  test.each([
    ['none', undefined, undefined],
    ['others', 'a=1; b=2', undefined],
    ['its own among others', 'a=1; assay_session=token; b=2', 'token'],
    ['one whose name ends like it', 'xassay_session=stolen', undefined],
    ['the name of the other kind', '__Host-assay_session=token', undefined],
    ['a value with an equals sign', 'assay_session=to=ken', 'to=ken'],
  ])('is read from a header with %s', (_situation, header, token) => {
    expect(sessionCookie('http://localhost:4600').read(header)).toBe(token)
  })
})
