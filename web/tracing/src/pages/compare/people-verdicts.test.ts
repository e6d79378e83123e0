import type { Score } from '@assay/contract/scores.ts'
import { expect, test } from 'vitest'
import { summarizePeople } from './people-verdicts.ts'

test.each([
  ['', []],
  ['Passed by 1 person', [true]],
  ['Failed by 2 people', [false, false]],
  ['Passed by 2 people, failed by 1 person', [true, false, true]],
])('the verdicts of people on the result of an evaluator are "%s"', (text, verdicts) => {
  const scores = verdicts.map((passed) => ({ evaluator_id: 'e', passed }) as Score)
  const others = [{ evaluator_id: 'f', passed: true } as Score]
  expect(summarizePeople([...scores, ...others], 'e')).toBe(text)
})
