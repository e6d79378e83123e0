import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type JsonText, toJsonText, toStorableJson, toStorableText } from './json-text.ts'

describe('characters that cannot be stored', () => {
  test.each([
    ['a NUL', 'a\0b', 'a\uFFFDb'],
    ['a lone high surrogate', 'a\uD83Db', 'a\uFFFDb'],
    ['a lone low surrogate', '\uDE00', '\uFFFD'],
    ['a pair', '\u{1F600}', '\u{1F600}'],
    [
      'the letters of an escape',
      String.raw`\u0000 \\u0000 \ud83d`,
      String.raw`\u0000 \\u0000 \ud83d`,
    ],
  ])('%s', (_situation, text, stored) => {
    expect(toStorableText(text)).toBe(stored)
    expect(JSON.parse(toStorableJson(toJsonText({ [text]: [text] })))).toEqual({
      [stored]: [stored],
    })
  })

  test('are replaced in JSON exactly as in text, whatever surrounds them', () => {
    const awkward = fc.string({
      unit: fc.constantFrom('\\', 'u', '0', '\0', '\uD800', '\uDFFF', '"', 'd', '8'),
    })
    fc.assert(
      fc.property(awkward, (text) => {
        expect(JSON.parse(toStorableJson(toJsonText(text)))).toBe(toStorableText(text))
      }),
    )
  })

  test('are replaced when every character is an escape', () => {
    const escaped = (text: string) =>
      `"${text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
    const awkward = fc.string({
      unit: fc.constantFrom('\\', 'u', '0', '\0', '\uD83C', '\uDF27', '\uDFFF', 'd'),
    })
    fc.assert(
      fc.property(awkward, (text) => {
        expect(JSON.parse(toStorableJson(escaped(text) as JsonText))).toBe(toStorableText(text))
      }),
    )
  })
})
