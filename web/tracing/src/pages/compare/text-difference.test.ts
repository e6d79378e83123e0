import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type TextLine, textDifference } from './text-difference.ts'

const signs = { same: ' ', removed: '-', added: '+' } as const

const drawn = (before: string, after: string) =>
  textDifference(before, after).lines.map(({ is, pieces }) => {
    const text = pieces.map((piece) => (piece.is === 'same' ? piece.text : `[${piece.text}]`))
    return `${signs[is]}${text.join('')}`
  })

const textOf = (lines: readonly TextLine[], left: 'removed' | 'added') =>
  lines
    .filter(({ is }) => is !== left)
    .map(({ pieces }) => pieces.map(({ text }) => text).join(''))
    .join('\n')

describe('a text diff', () => {
  test.each([
    ['identical texts', 'a\nb', 'a\nb', [' a', ' b']],
    ['an added line', 'a\nb', 'a\nx\nb', [' a', '+[x]', ' b']],
    ['a removed line', 'a\nx\nb', 'a\nb', [' a', '-[x]', ' b']],
    [
      'changed words in a line',
      'It costs 39 EUR.',
      'It costs 45 EUR.',
      ['-It costs [39] EUR.', '+It costs [45] EUR.'],
    ],
    ['one line replaced by two', 'a', 'b\nc', ['-[a]', '+[b]', '+[c]']],
    ['an empty text', '', 'b', ['-', '+[b]']],
  ])('%s', (_name, before, after, expected) => {
    expect(drawn(before, after)).toEqual(expected)
  })

  test('contains both texts in full', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '\n', '.', 'é', '語'),
      maxLength: 40,
    })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { lines } = textDifference(before, after)
        expect(textOf(lines, 'added')).toBe(before)
        expect(textOf(lines, 'removed')).toBe(after)
      }),
    )
  })

  test('of very long texts is truncated and marked as such', () => {
    const { lines, isCut } = textDifference('a\n'.repeat(300_000), 'b\n'.repeat(300_000))
    expect(isCut).toBe(true)
    expect(lines.length).toBeLessThan(250_000)
  })
})
