import { describe, expect, test } from 'vitest'
import type { Decision } from './judge.ts'
import { scoreOf } from './score.ts'

const decisions = (...values: readonly (number | null | readonly [string, number])[]) =>
  values.map((given, index): Decision => {
    const [part, value] = typeof given === 'object' && given !== null ? given : [undefined, given]
    const criterion = { id: `c${index}`, question: '?', ...(part === undefined ? {} : { part }) }
    return { criterion, value, evidence: [], isProven: true }
  })
const ranked = (...values: readonly number[]) =>
  decisions(...values.map((value) => ['query', value] as const))

describe('a score', () => {
  test.each([
    ['the mean of what applies', decisions(1, 0, null), 'mean', 0.5],
    ['the lowest criterion', decisions(1, 0.5, 1), 'lowest_part', 0.5],
    ['the lowest mean of a part', decisions(['a', 1], ['a', 0], ['b', 1]), 'lowest_part', 0.5],
    ['higher for what is ranked higher', ranked(1, 0, 0), 'average_precision', 1],
    ['lower for what is ranked lower', ranked(0, 0, 1), 'average_precision', 1 / 3],
    ['the mean of the precisions', ranked(1, 0, 1), 'average_precision', (1 + 2 / 3) / 2],
    ['0 when nothing is relevant', ranked(0, 0), 'average_precision', 0],
    ['the mean of several lists', [...ranked(1), ...decisions(['b', 0])], 'average_precision', 0.5],
  ] as const)('is %s', (_what, given, scoring, score) => {
    expect(scoreOf(given, scoring)).toBeCloseTo(score)
  })

  test('is none when nothing applies', () => {
    for (const scoring of ['mean', 'lowest_part', 'average_precision'] as const) {
      expect(scoreOf(decisions(null), scoring)).toBeUndefined()
    }
  })
})
