import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { toPatternSearch } from './name-patterns.ts'

/** The definition of a match: `*` is nothing, or one character and again `*`. */
function matchesByDefinition(pattern: string, name: string): boolean {
  if (pattern === '') return name === ''
  const [start, rest] = [pattern.charAt(0), pattern.slice(1)]
  if (start === '*') {
    if (matchesByDefinition(rest, name)) return true
    return name !== '' && matchesByDefinition(pattern, name.slice(1))
  }
  return name.startsWith(start) && matchesByDefinition(rest, name.slice(1))
}

const textOf = (maxLength: number, ...characters: string[]) =>
  fc.string({ unit: fc.constantFrom(...characters), maxLength })
const pattern = textOf(9, 'a', 'b', '*').map((text) => `${text}*`)
const anyPattern = fc
  .tuple(pattern, textOf(3, 'a', 'b', '*'))
  .map(([start, end]) => `${start}${end}`)

describe('patterns of model names', () => {
  test('match as defined, for any patterns and names', () => {
    fc.assert(
      fc.property(
        fc.array(anyPattern, { maxLength: 8, minLength: 1 }),
        fc.array(textOf(12, 'a', 'b'), { maxLength: 4 }),
        (patterns, names) => {
          const search = toPatternSearch(patterns)
          for (const name of names) {
            expect(search(name).toSorted((a, b) => a - b)).toEqual(
              [...patterns.keys()].filter((at) => matchesByDefinition(patterns[at]!, name)),
            )
          }
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('can start further right than others continue', () => {
    expect(toPatternSearch(['*a*b*', 'aab*b*'])('aaba')).toEqual([0])
  })

  test.each([
    ['one character', (i: number) => `*a*a*a*ab${i}*`],
    ['long parts', (i: number) => `*${'a'.repeat(200)}b${i}*`],
    ['repeated parts', (i: number) => `*${`${'a'.repeat(40)}*`.repeat(4)}b${i}*`],
  ])('400 of %s read a name only once', (_, toPattern) => {
    const search = toPatternSearch(Array.from({ length: 400 }, (__, i) => toPattern(i)))
    const name = `${'a'.repeat(250)}-c7`
    const searches = vi.spyOn(String.prototype, 'indexOf')
    const reads = vi.spyOn(String.prototype, 'charCodeAt')
    const splits = vi.spyOn(String.prototype, 'split')
    const matched = search(name)
    const work = [searches, reads, splits].map(({ mock }) => mock.calls.length)
    vi.restoreAllMocks()
    expect(matched).toEqual([])
    expect(work).toEqual([0, name.length, 0])
  })
})
