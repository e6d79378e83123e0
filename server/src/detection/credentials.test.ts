import { describe, expect, test } from 'vitest'
import { compose, namedShapes, seededRandom, tokenShapes } from '../../test/credential-samples.ts'
import { detect } from './detect.ts'

const random = seededRandom(7)
const found = (text: string) =>
  detect(text).map(({ type, start, end }) => [type, text.slice(start, end)])

describe('tokens with a public prefix', () => {
  test.each(tokenShapes)('%s: %s', (type, shape) => {
    for (let n = 0; n < 20; n += 1) {
      const value = compose(random, shape)
      for (const text of [
        value,
        `Use ${value}, please.`,
        `TOKEN="${value}"`,
        `{"value":"${value}"}`,
        `https://api.test/?key=${value}&page=2`,
        `первый: ${value}\nвторой`,
        `${value}\nThanks in advance`,
        `${value}\nhttps://docs.test/v2/tokens`,
      ]) {
        expect(found(text), text).toEqual([[type, value]])
      }
    }
  })

  test.each(tokenShapes)('%s is not found when it is cut or a placeholder: %s', (_, shape) => {
    const value = compose(random, shape)
    const prefix = /^[^{]*/.exec(shape)?.[0] ?? ''
    for (const text of [
      prefix,
      value.slice(0, prefix.length + 8),
      `${prefix}${'x'.repeat(value.length - prefix.length)}`,
      `${prefix}your-key-goes-here-your-key-goes-here`,
      `${prefix}<token>`,
    ]) {
      expect(found(text), text).toEqual([])
    }
  })
})

describe('values that need their name', () => {
  test.each(namedShapes)('%s: %s', (type, shape) => {
    for (let n = 0; n < 20; n += 1) {
      const [name = '', value = ''] = compose(random, shape).split('=>')
      const closing = name.endsWith('"')
        ? '"'
        : type === 'url_password'
          ? '@db.internal:5432/x'
          : ''
      const text = `Before.\n${name}${value}${closing}\nAfter.`
      expect(found(text), text).toEqual([[type, value]])
    }
  })

  test.each(namedShapes)('%s is not found when it is a placeholder: %s', (_, shape) => {
    const [name = ''] = compose(random, shape).split('=>')
    for (const value of ['<your-value>', 'changeme', '${SECRET}', 'xxxxxxxxxxxxxxxx', '********']) {
      expect(found(`${name}${value}`)).toEqual([])
    }
  })
})

const tokens = tokenShapes.map(([type, shape]) => [type, compose(random, shape)] as const)

describe('what only resembles a credential', () => {
  test.each([
    'password = getPassword()',
    'password: string;',
    'password=process.env.DB_PASSWORD',
    'password: auth[1],',
    'passThrough = !!passThrough2',
    'the password is required',
    'Password is SHA-256 hashed',
    '"password": "correct horse battery"',
    'PASSWORD=${DB_PASSWORD}',
    'password: "{{ vault_password }}"',
    'https://user:password@host/',
    '"next_page_token": "CAESBwoFMTIzNDU2Nzg5"',
    'token_id = a8f7c6d5e4b3a291',
    'secretName: my-app-secret-2024',
    'max_tokens: 4096',
    'passenger_id: abc123def456',
    'PASSWORD_TOGGLE_FIELD_NAME = "PasswordToggleField"',
    '{"passwordFieldId": "Input7Password"}',
    'const tokenizer = "gpt-4o-2024-08-06"',
    'S3, EKS and C4 are names of services',
    'AKIA' + 'IOSFODNN7EXAMPLE',
    '-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----',
  ])('%s', (text) => {
    expect(found(text)).toEqual([])
  })
})

describe('a private key', () => {
  const body = Array.from({ length: 6 }, () => compose(random, '{base64:64}')).join('\n')
  const label = 'RSA PRIVATE ' + 'KEY'
  const key = `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`

  test.each([
    ['as a whole', key],
    ['with escaped line breaks', key.replaceAll('\n', '\\n')],
    ['without its end', key.slice(0, key.indexOf('\n-----END'))],
  ])('is found %s', (_, value) => {
    const text = `{"key": "${value}"}`
    expect(found(text)).toEqual([['private_key', value]])
  })
})

describe('a signed token', () => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signature = compose(random, '{base64url:43}')

  test('is found with its signature', () => {
    const value = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: 'ana' })}.${signature}`
    expect(found(`cookie: session=${value}; path=/`)).toEqual([['jwt', value]])
  })

  test('is not found when its header names no algorithm', () => {
    expect(
      found(`${encode({ version: '2026-11' })}.${encode({ sub: 'ana' })}.${signature}`),
    ).toEqual([])
  })
})

/** Cut at the parts of its length. */
function pieces(value: string, ...cuts: readonly number[]): readonly string[] {
  const ends = [...cuts.map((cut) => Math.floor(cut * value.length)), value.length]
  return ends.map((end, at) => value.slice(ends[at - 1] ?? 0, end))
}

describe('a disguised token', () => {
  test.each([
    [
      'with an invisible character',
      (value: string) => `${value.slice(0, 3)}\u200b${value.slice(3)}`,
    ],
    ['with an invisible character after each', (value: string) => value.split('').join('\u2060')],
    [
      'in full-width letters',
      (value: string) =>
        value.replace(/[!-~]/g, (c) => String.fromCodePoint((c.codePointAt(0) ?? 0) + 0xfee0)),
    ],
    [
      'with Cyrillic letters',
      (value: string) => value.replace(/a/g, 'а').replace(/A/g, 'А').replace(/p/g, 'р'),
    ],
    ['with odd dashes', (value: string) => value.replaceAll('-', '\u2011')],
    ['on two lines', (value: string) => pieces(value, 0.6).join('\n')],
    ['on two indented lines', (value: string) => pieces(value, 0.4).join('\r\n    ')],
    ['on two quoted lines', (value: string) => pieces(value, 0.7).join('\n> ')],
    ['on two continued lines', (value: string) => pieces(value, 0.5).join('\\\n')],
    ['on two lines of an old Mac', (value: string) => pieces(value, 0.5).join('\r')],
    ['on two pages', (value: string) => pieces(value, 0.5).join('\f')],
    ['in two cells', (value: string) => pieces(value, 0.6).join('\t')],
    ['on three lines', (value: string) => pieces(value, 0.3, 0.6).join('\n')],
    ['with its prefix on two lines', (value: string) => `${value.slice(0, 2)}\n${value.slice(2)}`],
  ])('is found %s', (_, disguise) => {
    for (const [type, value] of tokens) {
      const disguised = disguise(value)
      const text = `Deploy with ${disguised} \ntoday`
      expect(found(text), text).toEqual([[type, disguised]])
    }
  })

  test.each(['secretlint-disable', 'gitleaks:allow', 'pragma: allowlist secret', 'nosec', 'noqa'])(
    'is found beside %s',
    (comment) => {
      for (const [type, value] of tokens) {
        expect(found(`/* ${comment} */\n${value} // ${comment}`)).toEqual([[type, value]])
      }
    },
  )
})

describe('a preview', () => {
  test.each(tokens)('shows at most the prefix and two characters of %s', (_, value) => {
    const [finding] = detect(value)
    const [prefix = '', tail] = finding?.preview.split('…') ?? []
    expect(value.startsWith(prefix)).toBe(true)
    expect(prefix.length).toBeLessThanOrEqual(24)
    expect(tail).toBe(value.slice(-2))
  })
})
