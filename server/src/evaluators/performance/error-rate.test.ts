import { expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { errorRate } from './error-rate.ts'

type Samples = Parameters<typeof sampleView>[0]
const evaluate = (samples: Samples) =>
  errorRate.evaluate(sampleView([{ kind: 'agent' }, ...samples]), { siblings: [] })
const good = { kind: 'llm', name: 'chat' }
const failed = { ...good, status: 'ERROR', status_message: '429 Too Many Requests' } as const

test.each([
  ['no error', [good, good, good], 1],
  ['an error', [good, good, failed], 0.75],
  ['an error that was retried', [failed, good, good], 0.875],
  [
    'an error of a step that succeeded before',
    [good, failed, { kind: 'llm', name: 'other' }],
    0.75,
  ],
  [
    'a tool whose result is an error',
    [good, good, { kind: 'tool', output: { error: 'no' } }],
    0.75,
  ],
])('a trace of four spans with %s scores', (_what, samples, score) => {
  expect(evaluate(samples)).toMatchObject({ status: 'scored', score })
})

test('errors are quoted, and rate limits are counted', () => {
  const verdict = evaluate([failed, failed, good])
  expect(verdict.reasoning).toContain('2 of 4 spans failed; 2 succeeded later. 2 were rate limits.')
  expect(verdict).toMatchObject({
    issues: Array(2).fill('chat failed and succeeded later: 429 Too Many Requests'),
    evidence: [{ spanId: 's1', quote: '429 Too Many Requests' }, { spanId: 's2' }],
  })
})
