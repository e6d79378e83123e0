import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openSecretBox, SecretNotReadable, type SecretPlace } from './secret-box.ts'

const present = 'the present secret, which is long enough'
const former = 'the former secret, which is long enough'
const place: SecretPlace = {
  table: 'sso_configs',
  column: 'client_secret',
  organizationId: 'acme',
  rowId: 'row-1',
}

const box = openSecretBox([present])

describe('a sealed secret', () => {
  test('opens where it was sealed, and its sealed form reveals nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2000 }), (secret) => {
        const sealed = box.seal(secret, place)
        expect(box.open(sealed, place)).toBe(Buffer.from(secret).toString())
        expect(sealed).toMatch(/^v1\.[0-9a-f]{12}\.[A-Za-z0-9_-]+$/)
        if (secret.length > 8)
          expect(Buffer.from(sealed.slice(16), 'base64url')).not.toContain(secret)
      }),
    )
  })

  test('has a different sealed form each time', () => {
    const sealed = Array.from({ length: 20 }, () => box.seal('the same', place))
    expect(new Set(sealed).size).toBe(20)
  })

  test.each([
    ['row', { rowId: 'row-2' }],
    ['organization', { organizationId: 'globex' }],
    ['column', { column: 'api_key' }],
    ['table', { table: 'model_configs' }],
    ['row that only looks the same when joined', { organizationId: 'acmerow', rowId: '-1' }],
  ])('moved to another %s does not open', (_what, other: Partial<SecretPlace>) => {
    const sealed = box.seal('secret', place)
    expect(() => box.open(sealed, { ...place, ...other })).toThrow(SecretNotReadable)
    expect(() => box.rewrap(sealed, { ...place, ...other })).toThrow(SecretNotReadable)
  })

  test('does not open when a bit is changed or it is truncated', () => {
    const sealed = box.seal('secret', place)
    const [head, key, encoded = ''] = sealed.split('.')
    const bytes = Buffer.from(encoded, 'base64url')
    for (let at = 0; at < bytes.byteLength; at += 1) {
      const altered = Buffer.from(bytes)
      altered.writeUInt8((altered[at] ?? 0) ^ (1 << (at % 8)), at)
      const text = [head, key, altered.toString('base64url')].join('.')
      expect(() => box.open(text, place), `byte ${at}`).toThrow(SecretNotReadable)
      const short = [head, key, bytes.subarray(0, at).toString('base64url')].join('.')
      expect(() => box.open(short, place), `cut at ${at}`).toThrow(SecretNotReadable)
    }
  })

  test.each(['', 'v1', 'v2.000000000000.AAAA', 'v1.000000000000.', 'plain text', 'v1.zz.AAAA'])(
    'is not what %j is',
    (text) => {
      expect(() => box.open(text, place)).toThrow(SecretNotReadable)
    },
  )

  test('mixed from two secrets of one place opens as neither', () => {
    const [one, other] = ['one', 'two'].map((secret) =>
      Buffer.from(box.seal(secret, place).slice(box.prefix.length), 'base64url'),
    )
    const mixed = Buffer.concat(
      [one?.subarray(0, 60) ?? '', other?.subarray(60) ?? ''].map(Buffer.from),
    )
    expect(() => box.open(box.prefix + mixed.toString('base64url'), place)).toThrow(
      SecretNotReadable,
    )
  })
})

describe('rotating the master secret', () => {
  const rotating = openSecretBox([present, former])

  test('secrets of the previous one open only while it is configured', () => {
    const sealed = openSecretBox([former]).seal('secret', place)
    expect(rotating.open(sealed, place)).toBe('secret')
    expect(() => box.open(sealed, place)).toThrow('sealed with a master key not given here')
  })

  test('a rewrapped secret opens with the current one alone', () => {
    const sealed = openSecretBox([former]).seal('secret', place)
    const rewrapped = rotating.rewrap(sealed, place)
    expect(rewrapped.startsWith(box.prefix)).toBe(true)
    expect(sealed.startsWith(box.prefix)).toBe(false)
    expect(box.open(rewrapped, place)).toBe('secret')
    expect(() => openSecretBox([former]).open(rewrapped, place)).toThrow(SecretNotReadable)
  })

  test('new secrets are sealed with the current one', () => {
    expect(box.open(rotating.seal('secret', place), place)).toBe('secret')
  })
})
