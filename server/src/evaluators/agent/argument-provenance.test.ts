import { expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { argumentProvenance } from './argument-provenance.ts'

type Samples = Parameters<typeof sampleView>[0]
const messages = [
  { role: 'system', content: 'You work for Acme. Use the currency NOK.' },
  { role: 'user', content: 'Where is order A-1700 of Ada Lovelace? It cost 1,250.50.' },
]
const tools = [
  {
    name: 'find',
    input_schema: {
      type: 'object',
      properties: { unit: { enum: ['kilometer', 'mile'] }, page: { default: 100 } },
    },
  },
]
const evaluate = (...samples: Samples) =>
  argumentProvenance.evaluate(
    sampleView([{ kind: 'agent' }, { kind: 'llm', input: { messages, tools } }, ...samples]),
    { siblings: [] },
  )
const call = (input: unknown, output: unknown = null) => ({
  kind: 'tool',
  name: 'find',
  input,
  output,
})

test.each([
  ['the user', { order: 'a-1700', name: 'Lovelace, Ada' }],
  ['the user, as a number', { price: 1250.5 }],
  ['the system prompt', { currency: 'nok' }],
  ['the allowed values and defaults of the tool', { unit: 'mile', page: 100, flag: true, n: 7 }],
])('arguments from %s are grounded', (_source, input) => {
  const verdict = evaluate(call({ order: 'A-1700', ...input }))
  expect(verdict).toMatchObject({ status: 'scored', score: 1 })
})

test('arguments from an earlier result are grounded, from a later one they are not', () => {
  const result = call({ order: 'A-1700' }, { parcel: 'PX-99182' })
  const use = call({ parcel: 'PX-99182' })
  expect(evaluate(result, use)).toMatchObject({ score: 1 })
  expect(evaluate(use, result)).toMatchObject({ score: 0.5 })
})

test('an argument in the result of its own call only is invented', () => {
  expect(evaluate(call({ parcel: 'PX-99182' }, { parcel: 'PX-99182' }))).toMatchObject({ score: 0 })
})

test('an invented argument is quoted', () => {
  expect(evaluate(call({ order: 'B-4242' }), call({ order: 'A-1700' }))).toMatchObject({
    score: 0.5,
    issues: ['find: "order" is "B-4242", which no earlier text contains.'],
    evidence: [{ spanId: 's2', quote: 'B-4242' }],
  })
})

test('a long text is not checked, because it is written and not copied', () => {
  expect(evaluate(call({ body: 'Dear customer, '.repeat(20) })).status).toBe('not_applicable')
})

test('a trace without evidence is not evaluated', () => {
  const view = sampleView([{ kind: 'tool', name: 'find', input: { order: 'A-1700' } }])
  expect(argumentProvenance.evaluate(view, { siblings: [] }).status).toBe('not_applicable')
})
