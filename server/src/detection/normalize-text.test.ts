import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizeText } from './normalize-text.ts'

/** Lone surrogates, too. */
const anyCharacter = fc.integer({ min: 0, max: 0x1ffff }).map((code) => String.fromCodePoint(code))

describe('a normalized text', () => {
  test.each([
    ['full-width letters', 'ｇｈｐ＿１', 'ghp_1'],
    ['mathematical letters', '𝐠𝐡𝐩_𝟏', 'ghp_1'],
    ['invisible characters', 'g\u200bh\u2060p\u00ad_\ufeff1', 'ghp_1'],
    ['invisible tags', 'g\u{e0061}hp_1', 'ghp_1'],
    ['combining marks', 'g\u0332h\u0332p_1', 'ghp_1'],
    ['odd dashes', '1\u20132\u20123\u22124\u20105', '1-2-3-4-5'],
    ['odd spaces', '1\u00a02\u20093', '1 2 3'],
    ['digits of other scripts', '٠١٩ ०९ 𝟘𝟡', '019 09 09'],
    ['Cyrillic in a Latin word', 'АКІА123', 'AKIA123'],
    ['Greek in a Latin word', 'ΑΚΙΑ123', 'AKIA123'],
    ['curly quotes', '“a” ‘b’', '"a" \'b\''],
  ])('has no %s', (_, original, expected) => {
    expect(normalizeText(original).text).toBe(expected)
  })

  test.each([
    'пароль',
    'PIN-код',
    'ЕГН 75',
    'contraseña',
    'パスワード',
    '密码',
    'İstanbul'.slice(1),
  ])('leaves %s', (text) => {
    expect(normalizeText(text).text).toBe(text)
  })

  test('has the position of each character in the original', () => {
    const { text, toOriginalStart, toOriginalEnd } = normalizeText('é ﬁ\u200bx😀 ｇh')
    const start = text.indexOf('x')
    expect([toOriginalStart(start), toOriginalEnd(start + 1)]).toEqual([4, 5])
    const last = text.indexOf('gh')
    expect([toOriginalStart(last), toOriginalEnd(last + 2)]).toEqual([8, 10])
  })

  test('keeps its length in lower case, and its positions ascend within the original', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (original) => {
        const { text, toOriginalStart, toOriginalEnd } = normalizeText(original)
        expect(text.toLowerCase()).toHaveLength(text.length)
        const positions = text
          .split('')
          .map((_, at) => [toOriginalStart(at), toOriginalEnd(at + 1)])
        const isAscending = positions.every(([start = 0, end = 0], at) => {
          return end > start && start >= (positions[at - 1]?.[0] ?? 0)
        })
        expect(isAscending).toBe(true)
        expect(toOriginalEnd(text.length)).toBeLessThanOrEqual(original.length)
      }),
      { numRuns: 1000 },
    )
  })
})
