import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseExactly } from './exact-numbers.ts'

describe('numbers that a double cannot represent', () => {
  test.each([
    '9007199254740993',
    '-9223372036854775808',
    '123456789012345678901234567890',
    '1e400',
    '-1.5E+400',
    '[1,12345678901234567891,"12345678901234567891"]',
    '["\\\\",1e400,"\\"1e400",1e400]',
    '{"a":{"b":18446744073709551615}}',
    '{"__proto__":1e400,"1e400":[1e400]}',
  ])('%s is serialized unchanged', (text) => {
    expect(JSON.stringify(parseExactly(text))).toBe(text)
  })

  test('keep their text anywhere in a document, and nothing else changes', () => {
    const numbers = [1, '12345678901234567891', '1e999', '1e100', '-1.5e-400', 0.1]
    const scalar = fc.oneof(
      fc.constantFrom(...numbers).map(String),
      fc
        .string({ unit: fc.constantFrom('"', '\\', '1e999', '1234567890123456789', 'a') })
        .map((text) => JSON.stringify(text)),
    )
    const { document } = fc.letrec<{ document: string }>((tie) => ({
      document: fc.oneof(
        { depthSize: 'small' },
        scalar,
        fc.array(tie('document')).map((items) => `[${items.join(', ')}]`),
        fc.array(fc.tuple(scalar, tie('document'))).map((members) => {
          const texts = members.map(([key, value]) => `${JSON.stringify(key)}: ${value}`)
          return `{${texts.join(', ')}}`
        }),
      ),
    }))
    const isKept = (source: string) => source === '12345678901234567891' || source === '1e999'
    type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
    const keep: Reviver = (_key, value, { source = '' }) =>
      isKept(source) ? JSON.rawJSON(source) : value
    const parseSlowly = JSON.parse as (text: string, reviver: Reviver) => unknown
    fc.assert(
      fc.property(document, (text) => {
        expect(JSON.stringify(parseExactly(text))).toBe(JSON.stringify(parseSlowly(text, keep)))
      }),
    )
  })

  test.each([
    '[01234567890123456789]',
    '1e999e5',
    'true1e999',
    '1e999 1e999',
    '{1e999: 1}',
    '"a"1e999',
    '["1e999',
    '1e999.',
    '--1e999',
  ])('%s is a syntax error', (text) => {
    expect(() => parseExactly(text)).toThrow(SyntaxError)
  })

  test('may be as many as fit in a body, without a string between them', () => {
    const count = 200_000
    const value = parseExactly(`[${'1e999,'.repeat(count)}0]`)
    expect(value).toHaveLength(count + 1)
    expect(JSON.stringify(value)).toMatch(/^\[1e999,1e999,.*,1e999,0\]$/)
  })

  test('any other JSON is parsed like JSON.parse', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.stringify(parseExactly(text))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })
})
