import type { EvaluationJob } from '@assay/contract/jobs.ts'
import { describe, expect, test } from 'vitest'
import {
  formatResults,
  formatRunOutcome,
  hasScores,
  toEvaluatedSearch,
  toFailedSearch,
} from './run-format.ts'

const at = '2026-11-20T12:00:00.000Z'
const details: EvaluationJob['details'] = {
  ...{ collection_id: 'c', model_config_id: null, filters: {}, run_id: 'r' },
  ...{ max_traces: 1000, max_cost_usd: 1, traces_evaluated: 0, traces_skipped: 0 },
  ...{ results_passed: 0, results_failed: 0, results_not_applicable: 0, results_not_scored: 0 },
  not_scored_reason: null,
  ...{ cost_usd: 0, ended_by: null },
}

function job(
  changes: Partial<EvaluationJob> = {},
  detailChanges: Partial<EvaluationJob['details']> = {},
): EvaluationJob {
  return {
    ...{ id: 'j', kind: 'evaluation', state: 'running', problem: null },
    ...{ progress: { done: 0, total: null }, created_by: null, created_at: at },
    ...{ started_at: at, finished_at: null },
    ...changes,
    details: { ...details, ...detailChanges },
  }
}

const completed = (done: number, more: Partial<EvaluationJob['details']>) =>
  job({ state: 'completed', progress: { done, total: done } }, more)

describe('an evaluation of many traces', () => {
  test.each([
    ['25%: 3 of 12 traces', job({ progress: { done: 3, total: 12 } })],
    ['900 of at most 1,000 traces', job({ progress: { done: 900, total: null } })],
    ['0%: 0 of 1 trace', job({ state: 'queued', progress: { done: 0, total: 1 } })],
    ['After 1 trace', job({ state: 'cancelled', progress: { done: 1, total: 9 } })],
    [
      'After 4 traces. The model was deleted.',
      job({ state: 'failed', problem: 'The model was deleted.', progress: { done: 4, total: 9 } }),
    ],
    ['No traces matched.', completed(0, { ended_by: 'no_more_traces' })],
    ['All 9 matching traces.', completed(9, { ended_by: 'no_more_traces' })],
    [
      'All 9 matching traces. Skipped 2 deleted traces.',
      completed(9, { ended_by: 'no_more_traces', traces_skipped: 2 }),
    ],
    ['Ended at the limit of 1,000 traces.', completed(1000, { ended_by: 'max_traces' })],
    [
      'Ended at the cost limit of $0.500, after 7 traces.',
      completed(7, { ended_by: 'max_cost_usd', max_cost_usd: 0.5 }),
    ],
  ])('shows its progress or how it ended: %s', (text, one) => {
    expect(formatRunOutcome(one)).toBe(text)
  })

  test('shows only the kinds of results that it has', () => {
    expect(formatResults(job())).toBe('')
    const some = job({}, { results_passed: 1200, results_not_scored: 1 })
    expect(formatResults(some)).toBe('1,200 passed, 1 not scored.')
  })

  test.each([
    [{}, { mode: 'all' }],
    [{ mode: 'live' }, { mode: 'live' }],
    [
      { status: 'ERROR', tag: 'nightly' },
      { status: 'ERROR', tag: ['nightly'], mode: 'all' },
    ],
    [
      { min_tokens: 5, from: at },
      { min_tokens: 5, from: at, mode: 'all' },
    ],
    // Those without scores were evaluated, so they have some now.
    [{ has_score: 'false' }, { mode: 'all' }],
  ] as const)('with the filters %j leads to the scored traces among them', (filters, search) => {
    const { tag, ...rest } = filters as { tag?: string }
    const given = { ...rest, ...(tag !== undefined && { tag }) }
    expect(toEvaluatedSearch(job({}, { filters: given }))).toEqual({ ...search, has_score: 'true' })
  })

  test('leads to its failures if one evaluator can have them', () => {
    const filters = { status: 'ERROR', score: 'Helpful', max_score: 0.5, passed: 'true' } as const
    const some = job({}, { filters, results_failed: 18 })
    const failures = { mode: 'all', status: 'ERROR', score: 'Polite', passed: 'false' }
    expect(toFailedSearch(some, [{ name: 'Polite' }])).toEqual(failures)
    expect(toFailedSearch(some, [{ name: 'Polite' }, { name: 'Brief' }])).toBeUndefined()
    expect(toFailedSearch(some, [])).toBeUndefined()
    expect(toFailedSearch(job({}, { filters }), [{ name: 'Polite' }])).toBeUndefined()
  })

  test('has scores once a result passed or failed, unlike one whose model fails', () => {
    expect(hasScores(job({}, { results_not_scored: 48, results_not_applicable: 1 }))).toBe(false)
    expect(hasScores(job({}, { results_not_scored: 48, results_failed: 1 }))).toBe(true)
    expect(hasScores(job({}, { results_passed: 1 }))).toBe(true)
  })
})
