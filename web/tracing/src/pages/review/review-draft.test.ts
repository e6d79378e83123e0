import { expect, test } from 'vitest'
import { emptyDraft, judge, rate, steps, toReviewBody } from './review-draft.ts'

test('the steps are scores from 0 to 1, and the upper three pass', () => {
  expect(steps.map((step) => rate(emptyDraft, step))).toEqual([
    { score: 0, passed: false, reasoning: '' },
    { score: 0.25, passed: false, reasoning: '' },
    { score: 0.5, passed: true, reasoning: '' },
    { score: 0.75, passed: true, reasoning: '' },
    { score: 1, passed: true, reasoning: '' },
  ])
})

test('a verdict keeps a score that agrees, and replaces one that does not', () => {
  expect(judge(emptyDraft, true).score).toBe(1)
  expect(judge(rate(emptyDraft, 4), true).score).toBe(0.75)
  expect(judge(rate(emptyDraft, 4), false)).toEqual({ score: 0, passed: false, reasoning: '' })
})

test('nothing is sent before a score is chosen', () => {
  const draft = { ...emptyDraft, reasoning: ' Kind. ' }
  expect(toReviewBody(draft, 3)).toBeUndefined()
  expect(toReviewBody(rate(draft, 5), 3)).toEqual({
    ...{ position: 3, score: 1, passed: true, reasoning: 'Kind.' },
  })
})
