import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toTextBlocks, wholeCharacters } from './text-blocks.ts'

const family = '👩‍👩‍👧‍👦'

describe('blocks of text', () => {
  test('are short, and joined they are the beginning of the text', () => {
    const piece = fc.constantFrom('word ', 'line\n', '天气', family, 'é', 'x'.repeat(3000))
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, fc.nat(10_000), (whole, end) => {
        const blocks = toTextBlocks(whole, Math.min(end, whole.length))
        const joined = blocks.map((block) => block.text).join('')
        expect(whole.startsWith(joined)).toBe(true)
        expect(joined).toHaveLength(Math.min(end, whole.length))
        for (const block of blocks) {
          expect(block.text.length).toBeLessThanOrEqual(2000)
          expect(whole.startsWith(block.text, block.start)).toBe(true)
        }
      }),
    )
  })

  test.each([
    ['lines', 'a line of text\n'],
    ['words', 'some words '],
    ['characters of several code points', family],
  ])('end between %s', (_what, piece) => {
    const text = piece.repeat(1000)
    const blocks = toTextBlocks(text, text.length)
    expect(blocks.length).toBeGreaterThan(3)
    for (const block of blocks.slice(0, -1)) {
      expect(block.text.endsWith(piece) || block.text.endsWith(' ')).toBe(true)
    }
  })
})

describe('a cut', () => {
  test.each([
    ['a pair of surrogates', 'ab😀', 3, 2],
    ['a joined emoji', `ab${family}`, 6, 2],
    ['a combining mark', 'abe\u0301', 3, 2],
    ['letters', 'abcd', 2, 2],
    ['the end', 'ab', 5, 2],
  ])('keeps %s whole', (_what, text, limit, expected) => {
    expect(wholeCharacters(text, limit)).toBe(expected)
  })

  test('makes progress in marks without an end', () => {
    const text = `e${'\u0301'.repeat(10_000)}`
    expect(wholeCharacters(text, 5000)).toBe(5000)
    expect(toTextBlocks(text, text.length).length).toBeLessThan(10)
  })
})
