import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashOfKey, newTracingKey, presentedKey, withBasicKey } from './tracing-key.ts'

const good = `tk_live_${'0123456789abcdef'.repeat(3)}`
const other = `tk_test_${'fedcba9876543210'.repeat(3)}`

describe('the key of a request', () => {
  test.each([
    ['no header', {}, 'missing'],
    ['a bearer', { authorization: `Bearer ${good}` }, { key: good }],
    ['a test key', { authorization: `Bearer ${other}` }, { key: other }],
    ['the other header', { 'x-tracing-key': good }, { key: good }],
    [
      'both: the bearer wins',
      { authorization: `Bearer ${good}`, 'x-tracing-key': other },
      { key: good },
    ],
    [
      'a bad bearer beside a good header',
      { authorization: 'Bearer no', 'x-tracing-key': good },
      'malformed',
    ],
    [
      'an empty bearer beside a good header',
      { authorization: 'Bearer ', 'x-tracing-key': good },
      'missing',
    ],
    ['a bearer of spaces', { authorization: 'Bearer    ' }, 'missing'],
    [
      'a bearer without its space',
      { authorization: 'Bearer', 'x-tracing-key': good },
      { key: good },
    ],
    ['a lower-case scheme', { authorization: `bearer ${good}` }, 'missing'],
    [
      'a lower-case scheme beside a header',
      { authorization: `bearer ${good}`, 'x-tracing-key': other },
      { key: other },
    ],
    ['an upper-case scheme', { authorization: `BEARER ${good}` }, 'missing'],
    ['another scheme', { authorization: `Basic ${good}`, 'x-tracing-key': other }, { key: other }],
    ['a tab for the space', { authorization: `Bearer\t${good}` }, 'missing'],
    ['a space before the scheme', { authorization: ` Bearer ${good}` }, 'missing'],
    ['two spaces after the scheme', { authorization: `Bearer  ${good}` }, { key: good }],
    ['white space round a bearer', { authorization: `Bearer \t${good} \t` }, { key: good }],
    ['white space round a header', { 'x-tracing-key': `  ${good}\t` }, { key: good }],
    ['white space within', { 'x-tracing-key': good.replace('_', ' ') }, 'malformed'],
    ['an empty header', { 'x-tracing-key': '' }, 'missing'],
    ['a header of spaces', { 'x-tracing-key': '   ' }, 'missing'],
    ['the header twice, as Node joins it', { 'x-tracing-key': `${good}, ${good}` }, 'malformed'],
    ['the header twice, as a list', { 'x-tracing-key': [good, good] }, 'malformed'],
    ['the header once, as a list', { 'x-tracing-key': [good] }, { key: good }],
    ['two keys in a bearer', { authorization: `Bearer ${good} ${good}` }, 'malformed'],
    ['an upper-case digit', { 'x-tracing-key': good.replace('a', 'A') }, 'malformed'],
    ['an upper-case prefix', { 'x-tracing-key': good.replace('tk', 'TK') }, 'malformed'],
    ['another prefix', { 'x-tracing-key': good.replace('live', 'prod') }, 'malformed'],
    ['a key cut short', { authorization: `Bearer ${good.slice(0, -1)}` }, 'malformed'],
    ['a key too long', { authorization: `Bearer ${good}0` }, 'malformed'],
    ['a letter after f', { 'x-tracing-key': good.replace('a', 'g') }, 'malformed'],
    ['a line break within', { 'x-tracing-key': `${good}\n0` }, 'malformed'],
    ['text before it', { 'x-tracing-key': `key=${good}` }, 'malformed'],
  ])('%s', (_situation, headers, expected) => {
    expect(presentedKey(headers)).toEqual(expected)
  })

  test('always has the form of a key', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('Bearer ', 'bearer ', good, other, ' ', ','),
      fc.stringMatching(/^tk_(live|test)_[0-9a-fA-F]{47,49}$/),
    )
    const value = fc.array(text, { maxLength: 4 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.option(value), fc.option(value), (authorization, header) => {
        const presented = presentedKey({
          ...(authorization !== null && { authorization }),
          ...(header !== null && { 'x-tracing-key': header }),
        })
        if (typeof presented === 'string') return
        expect(presented.key).toMatch(/^tk_(live|test)_[0-9a-f]{48}$/)
        const source = authorization?.startsWith('Bearer ') ? authorization.slice(7) : header
        expect(source?.trim()).toBe(presented.key)
      }),
    )
  })
})

describe('a new key', () => {
  test.each(['live', 'test'] as const)(
    'of %s can be presented, and its row does not hold it',
    (environment) => {
      const { key, row } = newTracingKey('project', environment, 'user', '2026-01-01T00:00:00.000Z')
      expect(presentedKey({ 'x-tracing-key': key })).toEqual({ key })
      expect(JSON.stringify(row)).not.toContain(key.slice(8, -4))
      expect(row).toMatchObject({
        key_prefix: `tk_${environment}_`,
        key_hint: key.slice(-4),
        hash: hashOfKey(key),
        revoked_at: null,
      })
    },
  )
})

describe('the key of Basic authentication', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

  test.each([
    ['the password', { authorization: basic(`pk-lf-1:${good}`) }, { key: good }],
    ['the user name', { authorization: basic(`${good}:`) }, { key: good }],
    ['the user name beside a password', { authorization: basic(`${good}:sk-lf-1`) }, { key: good }],
    ['the password of two keys', { authorization: basic(`${other}:${good}`) }, { key: good }],
    ['a lower-case scheme', { authorization: basic(`a:${good}`).replace('B', 'b') }, { key: good }],
    [
      'none, beside the other header',
      { authorization: basic('pk-lf-1:sk-lf-1'), 'x-tracing-key': good },
      { key: good },
    ],
    ['keys of another service', { authorization: basic('pk-lf-1:sk-lf-1') }, 'malformed'],
    ['empty credentials', { authorization: basic(':') }, 'missing'],
    ['text that is not base64', { authorization: `Basic <${good}>` }, 'missing'],
    ['a bearer', { authorization: `Bearer ${good}` }, { key: good }],
    ['no header', {}, 'missing'],
  ])('%s', (_case, headers, expected) => {
    expect(presentedKey(withBasicKey(headers))).toEqual(expected)
  })
})
