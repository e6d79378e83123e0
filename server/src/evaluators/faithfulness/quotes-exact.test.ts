import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { quotesExact } from './quotes-exact.ts'

const policy =
  'Orders can be returned within 30 days of delivery. The customer pays for the parcel, unless the goods are damaged.'
const evaluate = (answer: string, content: string | undefined = policy) =>
  quotesExact.evaluate(
    sampleView([
      { kind: 'agent', output: { text: answer } },
      ...(content === ''
        ? []
        : [{ kind: 'retriever', output: { documents: [{ id: 'd1', content }] } }]),
    ]),
    { siblings: [] },
  )

describe('exact', () => {
  test.each([
    'It says: "Orders can be returned within 30 days of delivery."',
    'It says: “orders can be returned within 30 days”.',
    'It says: "Orders can be returned ... unless the goods are damaged".',
    'It says: "Orders can be `returned` within 30 days".',
    'It says: "[All] orders can be returned within 30 days".',
    'It says: "Orders can be returned withn 30 days of delivery".',
  ])('%s', (answer) => {
    expect(evaluate(answer)).toMatchObject({ status: 'scored', score: 1 })
  })

  test('any run of words of a source, however it is written', () => {
    const words = policy.split(' ')
    fc.assert(
      fc.property(fc.nat(words.length - 4), fc.integer({ min: 4, max: 10 }), (from, length) => {
        const quoted = words
          .slice(from, from + length)
          .join('  ')
          .toUpperCase()
        expect(evaluate(`It says "${quoted}".`)).toMatchObject({ score: 1 })
      }),
    )
  })
})

test.each([
  'It says "Orders can be returned within 60 days after delivery".',
  'It says "Orders can be returned ... if the goods are red".',
  'It says "Refunds are paid within a week".',
])('%s is not exact', (answer) => {
  expect(evaluate(answer)).toMatchObject({ score: 0, evidence: [{ spanId: 's0', quote: answer }] })
})

test('one of two exact quotations scores 0.5', () => {
  expect(evaluate('"Orders can be returned" but "Refunds are paid within a week".')).toMatchObject({
    score: 0.5,
    issues: ['No source contains "Refunds are paid within a week".'],
  })
})

test.each(['It is a "return policy".', 'Run `echo "one two three"`.', '```\n"one two three"\n```'])(
  '%s has no quotation',
  (answer) => {
    expect(evaluate(answer).status).toBe('not_applicable')
  },
)

test('a trace without sources is not evaluated', () => {
  expect(evaluate('It says "one two three four".', '').status).toBe('not_applicable')
})
