import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { numbersSupported } from './numbers-supported.ts'

const evaluate = (answer: string, result: unknown, question = 'How many?') =>
  numbersSupported.evaluate(
    sampleView([
      {
        kind: 'agent',
        input: { messages: [{ role: 'user', content: question }] },
        output: { text: answer },
      },
      ...(result === undefined ? [] : [{ kind: 'tool', name: 'find', output: result }]),
    ]),
    { siblings: [] },
  )

describe('supported', () => {
  test.each([
    ['It costs 12.50 euros.', { price: 12.5 }],
    ['It costs about 13 euros.', { price: 12.5 }],
    ['About 1.2 million people live there.', { population: 1_204_311 }],
    ['The share is 42%.', { share: 0.421 }],
    ['It takes 90 minutes.', { hours: 1.5 }],
    ['The file has 2 KB.', { bytes: 2048 }],
    ['It arrives on March 5, 2026 at 2:30 pm.', { at: '2026-03-05T14:30:00Z' }],
    ['It arrives on 5 March.', 'Delivery: 03/05/2026'],
    ['Both cost 30 euros.', { first: 12, second: 18 }],
    ['The second is 6 euros more.', { first: 12, second: 18 }],
    ['That is 50% more.', { first: 12, second: 18 }],
    ['That is 1.5 times the price.', { first: 12, second: 18 }],
    ['You have 3 orders worth 60 euros.', [{ sum: 10 }, { sum: 20 }, { sum: 30 }]],
    ['The temperature falls to -5°C.', { celsius: -5 }],
    ['20% of 80 are 16.', { total: 80, rate: '20%' }],
  ])('%s', (answer, result) => {
    expect(evaluate(answer, result)).toMatchObject({ status: 'scored', score: 1 })
  })

  test('a number of the question', () => {
    expect(evaluate('No, not 77.', { found: false }, 'Is it 77?')).toMatchObject({ score: 1 })
  })

  test('every value that a result contains, rounded to any digit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 3 }),
        (n, decimals, kept) => {
          const value = n / 10 ** decimals
          expect(
            evaluate(`It is ${value.toFixed(Math.min(kept, decimals))}.`, { value }),
          ).toMatchObject({ score: 1 })
        },
      ),
    )
  })

  test('sums and differences of two values', () => {
    const value = fc.integer({ min: 1, max: 1e6 })
    fc.assert(
      fc.property(value, value, (a, b) => {
        const answer = `Together ${a + b}, the difference is ${Math.abs(a - b)}.`
        expect(evaluate(answer, { a, b })).toMatchObject({ score: 1 })
      }),
    )
  })
})

test('other numbers are quoted', () => {
  expect(evaluate('It costs 12.50 euros and weighs 731 grams.', { price: 12.5 })).toMatchObject({
    score: 0.5,
    issues: ['731 occurs nowhere in the trace.'],
    evidence: [{ spanId: 's0', quote: 'It costs 12.50 euros and weighs 731 grams.' }],
  })
  expect(evaluate('It arrives on March 6, 2026.', { at: '2026-03-05' })).toMatchObject({ score: 0 })
})

test.each([
  '1. Open the box.\n2. Take it out.',
  'Step 3: close it.',
  'There are 2 options.',
  'As written [4].',
  'Run `sleep 17`.\n```\nx = 9\n```',
  'See https://example.com/a/123.',
  'GPT-4 is a model.',
])('"%s" states no number', (answer) => {
  expect(evaluate(answer, { price: 12.5 }).status).toBe('not_applicable')
})

test('an answer without numbers, and a trace without results, are not evaluated', () => {
  expect(evaluate('None.', { price: 12.5 }).status).toBe('not_applicable')
  expect(evaluate('It is 42.', undefined).status).toBe('not_applicable')
})
