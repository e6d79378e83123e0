import { expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { errorRecovery } from './error-recovery.ts'

type Samples = Parameters<typeof sampleView>[0]
const evaluate = (samples: Samples, text = 'Here is your order.') =>
  errorRecovery.evaluate(sampleView([{ kind: 'agent', output: { text } }, ...samples]), {
    siblings: [],
  })
const call = (name: string, output: unknown, input: unknown = { order: 'A-17' }) => ({
  ...{ kind: 'tool', name, input, output },
})
const failure = { error: 'no network in the warehouse' }
const failed = call('find', failure)

test.each([
  ['the same tool succeeds later', [failed, call('find', 'Oslo', { order: 'A17' })]],
  ['another tool succeeds later with the same argument', [failed, call('track', 'Oslo')]],
  ['a model call follows one that failed', [{ kind: 'llm', status: 'ERROR' }, { kind: 'llm' }]],
] as const)('an error is dealt with when %s', (_what, samples) => {
  expect(evaluate([...samples])).toMatchObject({ score: 1, issues: [] })
})

test.each([
  'I am sorry, I could not find the order.',
  'There is no network in the warehouse, so I do not have the place of the order.',
])('an error is dealt with when the answer mentions it: %s', (text) => {
  expect(evaluate([failed], text)).toMatchObject({ score: 1 })
})

test.each([
  ['it is ignored', [failed], 0],
  ['another tool succeeds with other arguments', [failed, call('mail', 'sent', { to: 'Ada' })], 0],
  ['the same call failed again', [failed, failed], 0],
  ['the success was before', [call('find', 'Oslo'), failed], 0],
  ['one of two is', [failed, call('find', 'Oslo'), call('pay', failure, {})], 0.5],
] as const)('an error is not dealt with when %s', (_what, samples, score) => {
  expect(evaluate([...samples])).toMatchObject({ score })
})

test('the error is quoted', () => {
  expect(evaluate([failed])).toMatchObject({
    issues: ['The error of find was neither repaired nor mentioned: no network in the warehouse'],
    evidence: [{ spanId: 's1', quote: 'no network in the warehouse' }],
  })
})

test('an error that a tool passes on to the spans above it counts once', () => {
  const verdict = evaluate([
    { kind: 'agent', name: 'sub', status: 'ERROR' },
    { ...failed, parent_span_id: 's1' },
    call('find', 'Oslo'),
  ])
  expect(verdict).toMatchObject({ score: 1 })
})

test('a trace without errors is not evaluated', () => {
  expect(evaluate([call('find', 'Oslo')]).status).toBe('not_applicable')
})
