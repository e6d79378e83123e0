import { expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { latency } from './latency.ts'

const evaluate = (duration_ms: number, budget?: unknown) =>
  latency.evaluate(
    sampleView(
      [
        {
          kind: 'agent',
          attributes: budget === undefined ? {} : { 'eval.max_latency_ms': budget },
        },
      ],
      {
        duration_ms,
      },
    ),
    { siblings: [] },
  )

test.each([
  [30_000, undefined, 1],
  [60_000, undefined, 0.5],
  [900, 1000, 1],
  [4000, '1000', 0.25],
  [60_000, 'soon', 0.5],
  [60_000, -1, 0.5],
])('%i ms with the budget %s score %f', (durationMs, budget, score) => {
  expect(evaluate(durationMs, budget)).toMatchObject({ status: 'scored', score })
})

test('long durations are in minutes and seconds', () => {
  expect(evaluate(3_060_000, 3_000_000)).toMatchObject({
    reasoning: expect.stringMatching(/^The trace took 51 min 00 s; the budget is 50 min 00 s\./),
    issues: ['The trace took 1 min 00 s longer than its budget.'],
  })
})
