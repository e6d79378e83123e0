import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffLists } from './diff-lists.ts'

const diff = (a: readonly string[], b: readonly string[]) => diffLists(a, b, (item) => item)

/** The items in common. Also expects both lists to be complete and in order. */
function commonItems(a: readonly string[], b: readonly string[]): readonly string[] {
  const steps = diff(a, b)
  expect(steps.flatMap(({ onlyA, common }) => [...onlyA, ...common.map(([one]) => one)])).toEqual(a)
  expect(steps.flatMap(({ onlyB, common }) => [...onlyB, ...common.map(([, one]) => one)])).toEqual(
    b,
  )
  return steps.flatMap(({ common }) => common.map(([one]) => one))
}

function expectMirrored(a: readonly string[], b: readonly string[]): void {
  const mirrored = diff(b, a).map(({ onlyA, onlyB, common }) => ({
    onlyA: onlyB,
    onlyB: onlyA,
    common: common.map(([one, other]) => [other, one]),
  }))
  expect(mirrored).toEqual(diff(a, b))
}

/** The length of the longest common subsequence, by its definition. */
function longestLength(a: readonly string[], b: readonly string[]): number {
  const [one, ...restA] = a
  const [other, ...restB] = b
  if (one === undefined || other === undefined) return 0
  if (one === other) return 1 + longestLength(restA, restB)
  return Math.max(longestLength(restA, b), longestLength(a, restB))
}

describe('the diff of two lists', () => {
  test.each([
    ['', 'abc', ''],
    ['abc', 'abc', 'abc'],
    ['abc', 'xyz', ''],
    ['abcde', 'ace', 'ace'],
    ['aba', 'ba', 'ba'],
    ['xaby', 'zabw', 'ab'],
  ])('of %j and %j has %j in common', (a, b, expected) => {
    expect(commonItems(a.split(''), b.split('')).join('')).toBe(expected)
  })

  test('has the items of either list between those in common', () => {
    expect(diff(['a', 'x', 'b'], ['a', 'y', 'z', 'b', 'c'])).toEqual([
      { onlyA: [], onlyB: [], common: [['a', 'a']] },
      { onlyA: ['x'], onlyB: ['y', 'z'], common: [['b', 'b']] },
      { onlyA: [], onlyB: ['c'], common: [] },
    ])
  })

  const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 9 })

  test('contains both lists, has as much in common as possible, and is symmetric', () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        expect(commonItems(a, b)).toHaveLength(longestLength(a, b))
        expectMirrored(a, b)
      }),
    )
  })

  test('is found in bounded time for long lists with many changes', () => {
    const a = Array.from({ length: 20_000 }, (_, at) => `line ${at}`)
    const b = a.map((line, at) => (at % 3 === 0 ? `changed ${at}` : line))
    expect(commonItems(a, b)).toHaveLength(13_333)
    expectMirrored(a, b)
  })
})
