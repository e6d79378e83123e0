import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commonSequence, type Pair } from './common-sequence.ts'

const common = (a: string, b: string) =>
  commonSequence(a.split(''), b.split(''))
    .map(([at]) => a[at])
    .join('')

function expectToRise(pairs: readonly Pair[], a: readonly string[], b: readonly string[]): void {
  let last: Pair = [-1, -1]
  for (const [one, other] of pairs) {
    expect(a[one]).toBe(b[other])
    expect(one > last[0] && other > last[1]).toBe(true)
    last = [one, other]
  }
}

/** Longest common subsequence as its definition says it, for lists so short that it does not matter. */
function longestLength(a: readonly string[], b: readonly string[]): number {
  const [one, ...restA] = a
  const [other, ...restB] = b
  if (one === undefined || other === undefined) return 0
  if (one === other) return 1 + longestLength(restA, restB)
  return Math.max(longestLength(restA, b), longestLength(a, restB))
}

describe('what two lists have in common', () => {
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

  test('is as long as it can be, rises in both, and has no favorite side', () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        const pairs = commonSequence(a, b)
        expectToRise(pairs, a, b)
        expect(pairs).toHaveLength(longestLength(a, b))
        expect(commonSequence(b, a)).toEqual(pairs.map(([one, other]) => [other, one]))
      }),
    )
  })

  test('of long lists that hardly agree is found in bounded work, and still without a favorite side', () => {
    const a = Array.from({ length: 20_000 }, (_, at) => `w${(at * 7919) % 5003}`)
    const b = Array.from({ length: 18_000 }, (_, at) => `w${(at * 104_729) % 5009}`)
    const pairs = commonSequence(a, b)
    expectToRise(pairs, a, b)
    expect(pairs.length).toBeGreaterThan(50)
    expect(commonSequence(b, a)).toEqual(pairs.map(([one, other]) => [other, one]))
  })
})
