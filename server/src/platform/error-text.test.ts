import { expect, test } from 'vitest'
import { toErrorText } from './error-text.ts'
import { Unavailable } from './failure.ts'

const refused = (cause: unknown) => new Unavailable('The database cannot be reached.', 1, { cause })

test('a database that cannot be reached is reported with the reason', () => {
  expect(toErrorText(refused(new Error('getaddrinfo ENOTFOUND db.example.org')))).toBe(
    'The database cannot be reached: getaddrinfo ENOTFOUND db.example.org',
  )
})

test('the reason is one line: the first of several addresses, or the first line of a text', () => {
  const first = new Error('connect ECONNREFUSED ::1:5432\nmore')
  const several = new AggregateError([first, new Error('connect ECONNREFUSED 127.0.0.1:5432')])
  expect(toErrorText(refused(several))).toBe(
    'The database cannot be reached: connect ECONNREFUSED ::1:5432',
  )
})

test('the reason for which TLS fails is without the places in OpenSSL', () => {
  const text =
    'write EPROTO 40F32912DC7F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/openssl/tlsany_meth.c:78:\n'
  expect(toErrorText(refused(new Error(text)))).toBe(
    'The database cannot be reached: TLS failed (wrong version number)',
  )
})

test('the setting to check follows the reason after one period', () => {
  const cause = new Error('password is incorrect, or there is no user with such name. ')
  const error = new Unavailable('It refuses the service.', 1, { cause, setting: 'ASSAY_X' })
  expect(toErrorText(error)).toBe(
    'It refuses the service: password is incorrect, or there is no user with such name. Check ASSAY_X.',
  )
})

test.each([
  [refused(undefined), 'The database cannot be reached.'],
  [refused(new Error('')), 'The database cannot be reached.'],
  [new Error('Refused.', { cause: new Error('private') }), 'Refused.'],
  ['a text', 'a text'],
])('any other error is reported as it is: %s', (error, text) => {
  expect(toErrorText(error)).toBe(text)
})
