import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSearchQuery, tokenize } from './words.ts'

/** Whether a search for `query` matches a text of these words. */
function isFound(query: string, text: string): boolean {
  const words = tokenize(text)
  return parseSearchQuery(query).every(({ word, isPrefix }) =>
    words.some((one) => (isPrefix ? one.startsWith(word) : one === word)),
  )
}

describe('a search', () => {
  test.each([
    ['any case', 'WEATHER', 'the weather in Rome', true],
    ['a part of a name in code', 'weather', 'get_weather({"city":"Rome"})', true],
    ['diacritics', 'munchen', 'M\u00fcnchen', true],
    ['combining diacritics', 'm\u00fcnchen', 'Mu\u0308nchen', true],
    ['full width', 'abc', 'ＡＢＣ', true],
    ['Cyrillic, any case', 'погода', 'ПОГОДА в Риме', true],
    ['part of a word', 'weath', 'weather', false],
    ['a prefix', 'weath*', 'weather', true],
    ['several words in any order', 'rome weather', 'weather in Rome', true],
    ['several words, one missing', 'rome snow', 'weather in Rome', false],
    ['within a Chinese sentence', '天气', '今天天气很好', true],
    ['one Chinese character in the middle', '气', '今天天气很好', true],
    ['one Chinese character at the end', '好', '今天天气很好', true],
    ['Chinese without a match', '气好', '今天天气很好', false],
    ['within a Japanese sentence', 'テスト', '単体テストを実行する', true],
    ['a long vowel', 'サーバー', 'このサーバーは', true],
    ['within a Thai sentence', 'อากาศ', 'วันนี้อากาศดีมาก', true],
    ['within a Korean word', '날씨', '오늘날씨가', true],
    ['scripts side by side', 'gpt天气', '用GPT天气查询', true],
    ['beyond the basic plane', '𠮷野', '私は𠮷野家', true],
  ])('%s', (_what, query, text, expected) => {
    expect(isFound(query, text)).toBe(expected)
  })

  test('finds any two or more characters of a text without spaces', () => {
    const text = fc.array(fc.constantFrom(...Array.from('天気予報はサーバอากาศดี날씨𠮷')), {
      minLength: 2,
      maxLength: 12,
    })
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (characters, a, b) => {
        const from = a % (characters.length - 1)
        const to = from + 2 + (b % (characters.length - from - 1))
        expect(isFound(characters.slice(from, to).join(''), characters.join(''))).toBe(true)
      }),
    )
  })

  test.each([
    ['a sigma at the end of a word or of a part', 'ΟΔΟΣ', "ὁδός'α ΟΔΟΣ"],
    ['a sigma before a non-letter', "ΑΣ'Α", "ΑΣ'Α"],
  ])('%s', (_what, query, text) => {
    expect(isFound(query, text)).toBe(true)
  })

  test('ignores words that are too long', () => {
    expect(tokenize(`ü${'x'.repeat(1000)} ok`)).toEqual(['ok'])
  })
})
