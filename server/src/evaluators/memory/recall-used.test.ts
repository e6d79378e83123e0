import { expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { recallUsed } from './recall-used.ts'

type Samples = Parameters<typeof sampleView>[0]
const evaluate = (text: string, samples: Samples) =>
  recallUsed.evaluate(
    sampleView([
      {
        kind: 'agent',
        input: { messages: [{ role: 'user', content: 'How long may customers return parcels?' }] },
        output: { text },
        ended_at: '2026-01-01T01:00:00.000Z',
      },
      ...samples,
    ]),
    { siblings: [] },
  )
const retrieved = (...documents: readonly string[]) => ({
  kind: 'retriever',
  input: { query: 'return parcels' },
  output: { documents: documents.map((content, n) => ({ id: `d${n}`, content })) },
})
const policy = 'Customers may return parcels within thirty days of delivery.'
const staff = 'The warehouse in Bergen employs eighty persons.'

test('an item whose distinctive words are in the answer is used', () => {
  expect(evaluate('Within thirty days of delivery.', [retrieved(policy)])).toMatchObject({
    score: 1,
  })
})

test('an item that is used in the arguments of a later tool is used', () => {
  const tool = { kind: 'tool', name: 'mail', input: { text: 'thirty days' } }
  expect(evaluate('Done.', [retrieved(policy), tool])).toMatchObject({ score: 1 })
  expect(evaluate('Done.', [tool, retrieved(policy)])).toMatchObject({ score: 0 })
})

test('an item that is not used is quoted', () => {
  expect(evaluate('Within thirty days of delivery.', [retrieved(policy, staff)])).toMatchObject({
    score: 0.5,
    issues: [`Not used: "${staff}".`],
    evidence: [{ spanId: 's1', quote: staff }],
  })
})

test('words of the request do not make an item used', () => {
  expect(evaluate('You may return parcels, customers.', [retrieved(policy)])).toMatchObject({
    score: 0,
  })
})

test('a read of memory is an item', () => {
  const read = {
    kind: 'memory',
    input: { operation: 'read', key: 'diet' },
    output: { value: 'Ada is vegetarian and avoids peanuts.' },
  }
  expect(evaluate('Vegetarian, and no peanuts.', [read])).toMatchObject({ score: 1 })
})

test.each([
  ['that recalls nothing', []],
  ['whose items say only what was asked', [retrieved('Customers return parcels')]],
])('a trace %s is not evaluated', (_what, samples) => {
  expect(evaluate('Within thirty days.', samples).status).toBe('not_applicable')
})
