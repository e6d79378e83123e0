import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commonSequence, type Pair } from './common-sequence.ts'

const common = (a: string, b: string) =>
  commonSequence(a.split(''), b.split(''))
    .map(([at]) => a[at])
    .join('')

function expectAscending(pairs: readonly Pair[], a: readonly string[], b: readonly string[]): void {
  let last: Pair = [-1, -1]
  for (const [one, other] of pairs) {
    expect(a[one]).toBe(b[other])
    expect(one > last[0] && other > last[1]).toBe(true)
    last = [one, other]
  }
}

/** The length of the longest common subsequence, by its definition. */
function longestLength(a: readonly string[], b: readonly string[]): number {
  const [one, ...restA] = a
  const [other, ...restB] = b
  if (one === undefined || other === undefined) return 0
  if (one === other) return 1 + longestLength(restA, restB)
  return Math.max(longestLength(restA, b), longestLength(a, restB))
}

describe('the common sequence of two lists', () => {
  test.each([
    ['', 'abc', ''],
    ['abc', 'abc', 'abc'],
    ['abc', 'xyz', ''],
    ['abcde', 'ace', 'ace'],
    ['aba', 'ba', 'ba'],
    ['xaby', 'zabw', 'ab'],
  ])('of %j and %j is %j', (a, b, expected) => {
    expect(common(a, b)).toBe(expected)
  })

  const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 9 })

  test('is as long as possible, ascending in both, and symmetric', () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        const pairs = commonSequence(a, b)
        expectAscending(pairs, a, b)
        expect(pairs).toHaveLength(longestLength(a, b))
        expect(commonSequence(b, a)).toEqual(pairs.map(([one, other]) => [other, one]))
      }),
    )
  })

  test('is found in bounded time for long lists with many changes', () => {
    const a = Array.from({ length: 20_000 }, (_, at) => `line ${at}`)
    const b = a.map((line, at) => (at % 3 === 0 ? `changed ${at}` : line))
    const pairs = commonSequence(a, b)
    expectAscending(pairs, a, b)
    expect(pairs).toHaveLength(13_333)
    expect(commonSequence(b, a)).toEqual(pairs.map(([one, other]) => [other, one]))
  })
})
