import { expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { toolSuccess } from './tool-success.ts'

type Samples = Parameters<typeof sampleView>[0]
const evaluate = (samples: Samples) =>
  toolSuccess.evaluate(sampleView([{ kind: 'agent' }, ...samples]), { siblings: [] })
const good = { kind: 'tool', name: 'find', output: { city: 'Oslo' } }
const failed = {
  kind: 'tool',
  name: 'find',
  status: 'ERROR',
  status_message: 'no network',
} as const

test('calls without errors score 1', () => {
  expect(evaluate([good, good])).toMatchObject({ status: 'scored', score: 1, issues: [] })
})

test('a failed call counts 0, and half when the tool succeeds later', () => {
  expect(evaluate([good, failed])).toMatchObject({
    score: 0.5,
    evidence: [{ spanId: 's2', quote: 'no network' }],
  })
  expect(evaluate([failed, good])).toMatchObject({
    score: 0.75,
    issues: ['find failed and succeeded later: no network'],
  })
})

test('an error in the form of a result counts as failed', () => {
  expect(evaluate([{ kind: 'tool', name: 'pay', output: { error: 'declined' } }])).toMatchObject({
    score: 0,
  })
})

test('a failed call without a message is quoted by what its span contains', () => {
  const silent = { ...failed, status_message: null }
  expect(evaluate([silent])).toMatchObject({
    issues: ['find failed: no error message'],
    evidence: [{ spanId: 's1', quote: 'find' }],
  })
})

test('a trace without tool calls is not evaluated', () => {
  expect(evaluate([]).status).toBe('not_applicable')
})
