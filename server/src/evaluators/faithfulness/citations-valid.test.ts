import { describe, expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { citationsValid } from './citations-valid.ts'

const documents = [
  { id: 'returns.md', content: 'Orders can be returned within 30 days of delivery.' },
  { id: 'shipping.md', content: 'Parcels to Norway are sent with Posten and take a week.' },
]
const evaluate = (answer: string, found: unknown[] = documents) =>
  citationsValid.evaluate(
    sampleView([
      { kind: 'agent', output: { text: answer } },
      { kind: 'retriever', input: { query: 'q' }, output: { documents: found } },
    ]),
    { siblings: [] },
  )

describe('valid', () => {
  test.each([
    'You have 30 days [1].',
    'You have 30 days.[1] It takes a week to Norway.[2]',
    'Returning orders is possible after the delivery [returns.md].',
    'Posten brings it to Norway【2†source】.',
    'The parcel comes with Posten [doc 2].',
    'Parcels to Norway take longer [2].',
  ])('%s', (answer) => {
    expect(evaluate(answer)).toMatchObject({ status: 'scored', score: 1 })
  })
})

test.each([
  ['You have 30 days [3].', 'The citation [3] names none of the 2 retrieved items.'],
  [
    'You have 60 weeks [1].',
    'The sentence before [1] shares no number, name or rare words with "returns.md".',
  ],
])('%s is not valid', (answer, issue) => {
  expect(evaluate(answer)).toMatchObject({
    score: 0,
    issues: [issue],
    evidence: [{ spanId: 's0', quote: answer }],
  })
})

test('each marker counts', () => {
  expect(evaluate('You have 30 days [1][2].')).toMatchObject({ score: 0.5 })
})

test.each([
  'No markers.',
  'See [the page](https://a.test).',
  'Use `list[1]`.',
  'An [optional] word.',
])('"%s" has no marker', (answer) => {
  expect(evaluate(answer).status).toBe('not_applicable')
})

test('a trace without retrieved items is not evaluated', () => {
  expect(evaluate('You have 30 days [1].', []).status).toBe('not_applicable')
})
