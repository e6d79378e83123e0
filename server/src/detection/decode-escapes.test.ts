import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compose, seededRandom, tokenShapes } from '../../test/credential-samples.ts'
import { decodeEscapes } from './decode-escapes.ts'
import { detect } from './detect.ts'

const random = seededRandom(31)
const found = (text: string) =>
  detect(text).map(({ type, start, end }) => [type, text.slice(start, end)])

/** As often as they can be inside each other. */
const escapes = [
  ...['\\n', '\\t', '\\"', '\\u003d', '\\x3d', '%3D', '%20', '=3D'],
  ...['\\\\n', '\\\\\\"', '\\\\u003d', '\\\\\\\\n', '%253D', '%25253d'],
]

test.each(escapes)('every token is found after the escape %s', (escape) => {
  for (const [type, shape] of tokenShapes) {
    const value = compose(random, shape)
    expect(found(`{"log":"deployed with${escape}${value}"}`)).toEqual([[type, value]])
  }
})

describe('a value with its name is found', () => {
  test.each([
    ['in JSON inside JSON', '{\\"user\\":\\"ana\\",\\"password\\":\\"hunter2x9\\"}'],
    ['three levels deep', '{\\\\\\"password\\\\\\":\\\\\\"hunter2x9\\\\\\"}'],
    ['in a log', '{"message":"DB_PASSWORD=hunter2x9\\nDEBUG=1"}'],
    ['in a sentence of a log', '{"message":"the password is hunter2x9\\nThanks"}'],
    ['in a query', 'https://x.test/?next=%2Fin%3Fpassword%3Dhunter2x9%26page%3D2'],
    ['in JSON in a query', 'q=%7B%22password%22%3A%22hunter2x9%22%7D'],
    ['with escaped quotes', '{\\u0022password\\u0022:\\u0022hunter2x9\\u0022}'],
    ['with a name in another alphabet', '"\\u043f\\u0430\\u0440\\u043e\\u043b\\u044c: hunter2x9"'],
  ])('%s', (_, text) => {
    expect(found(text)).toEqual([['password', 'hunter2x9']])
  })
})

test.each([
  ['us_ssn', 'Name: Ana\\nSSN: {}\\n', '449874100'],
  ['us_ssn', '{\\"ssn\\":\\"{}\\"}', '449874100'],
  ['us_ssn', '"on file:\\t{}\\r\\n"', '536-22-8726'],
  ['br_cpf', '/people?cpf%3D{}%26page%3D2', '39053344705'],
])('an identifier is found among escapes: %s in %s', (type, text, value) => {
  expect(found(text.replace('{}', value))).toEqual([[type, value]])
})

test('a token in the lines of a quoted-printable mail is found', () => {
  const value = compose(random, 'github_pat_{alphanumeric:22}_{alphanumeric:59}')
  const lines = `X-Key: 0123456789;key=3D${value}`.match(/.{1,75}/g)?.join('=\r\n') ?? ''
  const broken = lines.slice(lines.indexOf('github_pat_'))
  expect(broken).toContain('=\r\n')
  expect(found(`${lines}\r\n\r\nRegards`)).toEqual([['github_fine_grained_token', broken]])
})

describe('a decoded text', () => {
  test.each([
    ['C:\\data\\docs', undefined],
    ['100 % of 20', undefined],
    ['%C3%B1', undefined],
    ['a\\\\\\\\n', 'a\n'],
    ['50%2525', '50%'],
    ['\\u200bx', '\u200bx'],
  ])('of %s', (text, decoded) => {
    expect(decodeEscapes(text)?.text).toBe(decoded)
  })

  test('has ascending positions within the original', () => {
    const part = fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.constantFrom(...escapes, '\\', '%', '=\n'),
    )
    const anyText = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(anyText, (original) => {
        const { text = '', toOriginalStart, toOriginalEnd } = decodeEscapes(original) ?? {}
        const ranges = text
          .split('')
          .map((_, at) => [toOriginalStart?.(at) ?? 0, toOriginalEnd?.(at + 1) ?? 0] as const)
        const isAscending = ranges.every(([start, end], at) => {
          return end > start && start >= (ranges[at - 1]?.[1] ?? 0)
        })
        expect(isAscending).toBe(true)
        expect(ranges.at(-1)?.[1] ?? 0).toBeLessThanOrEqual(original.length)
      }),
      { numRuns: 1000 },
    )
  })
})
