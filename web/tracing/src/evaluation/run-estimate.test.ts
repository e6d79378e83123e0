import type { EvaluationJob } from '@assay/contract/jobs.ts'
import { describe, expect, test } from 'vitest'
import { formatEstimate, formatTimeLeft } from './run-estimate.ts'

const startMs = Date.parse('2026-11-20T12:00:00.000Z')

function run(traces: number, seconds: number, changes: Partial<EvaluationJob['details']> = {}) {
  return {
    state: 'completed',
    ...{ started_at: '2026-11-20T12:00:00.000Z', progress: { done: traces, total: traces } },
    finished_at: new Date(startMs + seconds * 1000).toISOString(),
    details: {
      ...{ collection_id: 'c', model_config_id: null, cost_usd: 0, traces_evaluated: traces },
      ...changes,
    },
  } as EvaluationJob
}

const judged = { model_config_id: 'm', cost_usd: 0.06 }
const planned = { collectionId: 'c', modelConfigId: undefined, traces: 100, maxCostUsd: 1 }
const withModel = { ...planned, modelConfigId: 'm' }

describe('the estimate of an evaluation', () => {
  test('is unknown without a finished run of the same collection and model', () => {
    expect(formatEstimate([], planned)).toBeNull()
    expect(formatEstimate([run(10, 4, { collection_id: 'other' })], planned)).toBeNull()
    expect(formatEstimate([run(10, 4, judged)], planned)).toBeNull()
    expect(formatEstimate([run(10, 4)], withModel)).toBeNull()
    expect(formatEstimate([{ ...run(10, 4), state: 'cancelled' }], planned)).toBeNull()
    expect(formatEstimate([run(0, 4)], planned)).toBeNull()
  })

  test.each([
    ['About 40 s, as in earlier runs.', [run(10, 4)], planned],
    ['About 30 s, as in earlier runs.', [run(10, 4), run(10, 2)], planned],
    ['About 4 min, as in earlier runs.', [run(10, 25)], planned],
    ['About 3 h, as in earlier runs.', [run(10, 1000)], planned],
    ['About 40 s, about $0.600, as in earlier runs.', [run(10, 4, judged)], withModel],
    [
      'All of them would cost about $0.600, as in earlier runs: more than the limit.',
      ...([[run(10, 4, judged)], { ...withModel, maxCostUsd: 0.5 }] as const),
    ],
  ])('%s', (text, jobs, given) => {
    expect(formatEstimate(jobs, given)).toBe(text)
  })
})

test.each([
  ['About 30 s left.', 10, 40, 10],
  ['', 0, 40, 10],
  ['', 40, 40, 10],
  ['', 10, null, 10],
  ['', 10, 40, -5],
])('the time left is "%s" after %d of %j traces in %d s', (text, done, total, seconds) => {
  const job = { ...run(1, 1), progress: { done, total } }
  expect(formatTimeLeft(job, startMs + seconds * 1000)).toBe(text)
})
