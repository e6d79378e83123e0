import { describe, expect, test } from 'vitest'
import { firstTitle, readTitle } from './first-title.ts'

describe('the first title of a conversation', () => {
  test.each([
    ['a short message', 'May I return it?', 'May I return it?'],
    ['its whole words', `${'word '.repeat(20)}`, `${'word '.repeat(12).trim()}…`],
    ['a part of a word that is too long', 'x'.repeat(100), `${'x'.repeat(60)}…`],
    ['one line', ' a\n\tb\u0000c ', 'a b c'],
    ['no marks of direction', 'a\u202eb', 'ab'],
    ['a name without words', ' \n ', 'New conversation'],
  ])('is %s', (_case, message, title) => {
    expect(firstTitle(message)).toBe(title)
  })
})

describe('a title that a model wrote', () => {
  test.each([
    ['"Returns."', 'Returns'],
    ['**Time for returns**', 'Time for returns'],
    ['# Returns\n\nMore', 'Returns'],
    ['', undefined],
    ['""', undefined],
    ['word '.repeat(30), undefined],
    // Unlimited, it would hold the event loop until the test times out.
    [`${'.'.repeat(1_000_000)}x`, undefined],
  ])('%j is read as %j', (written, title) => {
    expect(readTitle(written)).toBe(title)
  })
})
