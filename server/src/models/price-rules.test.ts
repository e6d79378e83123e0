import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { parseInstant } from '../domain/instant.ts'
import { type CustomPrice, toNameMatcher } from './price-rules.ts'
import { pricerFor } from './pricer.ts'

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

const textOf = (...characters: string[]) =>
  fc.string({ unit: fc.constantFrom(...characters), maxLength: 10 })

describe('patterns of model names', () => {
  test('match as defined, for any pattern and name', () => {
    fc.assert(
      fc.property(textOf('a', 'b', '*'), textOf('a', 'b'), (pattern, name) => {
        expect(toNameMatcher(pattern)(name)).toBe(matchesByDefinition(pattern, name))
      }),
      { numRuns: 5000 },
    )
  })

  test('400 of them are split once, and each part is searched at most once per name', () => {
    const rules = Array.from(
      { length: 400 },
      (_, i): CustomPrice => ({
        ...{ id: `${i}`, scope: 'project', kind: 'price', model: `*a*a*a*a*b${i}` },
        ...{ provider: null, fromMs: null, toMs: null, createdMs: 0 },
        ...{ prices: { input: 1, output: 1 }, long: null, tiers: {} },
      }),
    )
    const pricer = pricerFor(JSON.stringify(rules))
    const names = Array.from({ length: 20 }, (_, i) => `${'a'.repeat(200)}-${i}b7`)
    const at = parseInstant('2026-10-01T12:00:00Z')
    const find = (model: string) =>
      pricer.find({ model, provider: null, serviceTier: null, at }).outcome
    const splits = vi.spyOn(String.prototype, 'split')
    const searches = vi.spyOn(String.prototype, 'indexOf')
    const outcomes = names.map(find)
    const patternSplits = splits.mock.calls.filter(([by]) => (by as unknown) === '*').length
    const searchCount = searches.mock.calls.length
    vi.restoreAllMocks()
    expect(outcomes.map((outcome) => 'source' in outcome && outcome.source)).toEqual(
      names.map(() => 'project:7'),
    )
    expect(patternSplits).toBe(0)
    expect(searchCount).toBeLessThanOrEqual(names.length * rules.length * 4)
  })
})
