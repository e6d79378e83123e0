import { describe, expect, test } from 'vitest'
import { openSeenTexts } from './similarity.ts'

describe('a text', () => {
  const text = 'I would like to cancel my order because it has not arrived yet'
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['the same', text, false],
    ['the same in other case and punctuation', `${text.toUpperCase()}!`, false],
    ['one more word', `${text} please`, false],
    ['another second half', 'I would like to cancel my order since somebody else paid', true],
    ['other words', 'Where is the invoice of last month', true],
    ['a few words', 'cancel my', true],
    ['no words', '?', true],
    ['another script', '我想取消我的订单', true],
  ]
  test.each(rows)('is recognized after an earlier one: %s', (_what, other, isNew) => {
    const seen = openSeenTexts()
    expect(seen.add(text)).toBe(true)
    expect(seen.add('Something that has nothing to do with it at all')).toBe(true)
    expect(seen.add(other)).toBe(isNew)
  })

  test('that nearly repeats another is not compared with later ones', () => {
    const seen = openSeenTexts()
    seen.add('one two three four five six')
    expect(seen.add('one two three four five six seven')).toBe(false)
    expect(seen.add('four five six seven eight nine ten')).toBe(true)
  })
})
