import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { jsonSimilarity, referenceMatch, textSimilarity } from './reference-match.ts'

const evaluate = (expected: unknown, text: unknown) =>
  referenceMatch.evaluate(
    sampleView([
      { kind: 'agent', output: { text }, attributes: { 'eval.expected_output': expected } },
    ]),
    { siblings: [] },
  )

describe('the answer', () => {
  test.each([
    ['In Oslo.', 'In Oslo.', 1],
    ['In Oslo.', '  in   OSLO. ', 1],
    ['Order 7 is in Oslo', 'In Oslo is order 7', 1],
    [42, '42', 1],
    [{ city: 'Oslo', days: 3 }, '{"days": 3.0, "city": "oslo"}', 1],
    [{ city: 'Oslo', days: 3 }, 'Here: ```json\n{"city": "Oslo", "days": 3}\n```', 1],
    [{ city: 'Oslo', days: 3 }, '{"city": "Oslo"}', 0.5],
    [[1, 2, 3], '[2, 3]', 2 / 3],
    [{ city: 'Oslo' }, 'In Oslo.', 0],
  ])('for the reference %j, %j scores %f', (expected, text, score) => {
    expect(evaluate(expected, text)).toMatchObject({ score: expect.closeTo(score) })
  })

  test('that differs is quoted', () => {
    expect(evaluate('The order is in Oslo.', 'No idea, sorry!')).toMatchObject({
      evidence: [{ spanId: 's0', quote: 'No idea, sorry!' }],
      issues: [expect.stringContaining('of the reference "The order is in Oslo."')],
    })
  })

  test('that is missing scores 0', () => {
    expect(evaluate('In Oslo.', '')).toMatchObject({ score: 0 })
  })
})

test('a trace without a reference is not evaluated', () => {
  expect(evaluate(undefined, 'In Oslo.').status).toBe('not_applicable')
})

describe('similarity', () => {
  test('of texts is symmetric, from 0 to 1, and 1 for equal ones', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const similarity = textSimilarity(a, b)
        expect(similarity).toBeGreaterThanOrEqual(0)
        expect(similarity).toBeLessThanOrEqual(1)
        expect(textSimilarity(b, a)).toBeCloseTo(similarity)
        expect(textSimilarity(a, a)).toBe(1)
      }),
    )
  })

  test('of JSON is from 0 to 1, and 1 for equal values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const similarity = jsonSimilarity(a, b, { remaining: 5000 })
        expect(similarity).toBeGreaterThanOrEqual(0)
        expect(similarity).toBeLessThanOrEqual(1)
        expect(jsonSimilarity(a, a, { remaining: 5000 })).toBeCloseTo(1)
      }),
    )
  })
})
