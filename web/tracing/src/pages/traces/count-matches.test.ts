import { describe, expect, test } from 'vitest'
import { countMatches, formatMatches } from './count-matches.ts'

describe('the number of matching traces', () => {
  const counted = { count: 70, isExact: false }

  test.each([
    ['of a fully loaded list is exact', 12, null, { count: 12, isExact: true }],
    ['without filters is the total', null, 340, { count: 340, isExact: true }],
    ['of a partly loaded list is that of the histogram', null, null, counted],
  ])('%s', (_situation, loaded, total, matches) => {
    expect(countMatches(loaded, total, counted)).toEqual(matches)
  })

  test('is unknown when nothing has counted them', () => {
    expect(countMatches(null, null, null)).toBeNull()
  })

  test.each([
    [{ count: 0, isExact: true }, 1000, 'No traces match. There is nothing to evaluate.'],
    [{ count: 1, isExact: true }, 1000, '1 trace matches.'],
    [{ count: 1000, isExact: true }, 1000, '1,000 traces match.'],
    [
      { count: 12_345, isExact: false },
      1000,
      'About 12,345 traces match. The newest 1,000 are evaluated.',
    ],
    [{ count: 5, isExact: true, hasJudgeCalls: true }, 1000, 'At most 5 traces match.'],
    [{ count: 5, isExact: true }, 1, '5 traces match. The newest 1 are evaluated.'],
    [{ count: 5, isExact: true }, Number.NaN, '5 traces match.'],
    [{ count: 5, isExact: true }, -3, '5 traces match.'],
    [null, 1000, ''],
  ])('%j with a limit of %s is shown as "%s"', (matches, maxTraces, text) => {
    expect(formatMatches(matches, 'match', maxTraces)).toBe(text)
  })

  test.each([
    [0, 'No traces in the project. There is nothing to evaluate.'],
    [1, '1 trace in the project.'],
    [40, '40 traces in the project. The newest 20 are evaluated.'],
  ])('without filters, %s is shown as "%s"', (count, text) => {
    expect(formatMatches({ count, isExact: true }, 'in the project', 20)).toBe(text)
  })
})
