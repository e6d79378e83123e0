import { limits } from '@assay/contract/limits.ts'
import type { TraceRun } from '@assay/contract/trace-runs.ts'
import { expect, test } from 'vitest'
import { withSimilarRuns } from './similar-runs.ts'

const run = (traceId: string, rootName: string, service: string | null = null) =>
  ({ traceId, rootName, service }) as TraceRun

test('runs with the name and service of a selected one are selected with it', () => {
  const runs = [run('a', 'plan'), run('b', 'answer', 's'), run('c', 'plan', 's'), run('d', 'plan')]
  expect(withSimilarRuns(runs, ['d'])).toEqual(['d', 'a'])
  expect(withSimilarRuns(runs, ['c'])).toEqual(['c'])
  expect(withSimilarRuns(runs, [])).toEqual([])
})

test('at most as many runs are selected as can be imported, and none is unselected', () => {
  const max = limits.extractedRuns.value
  const runs = Array.from({ length: max + 9 }, (_, n) => run(`r${n}`, 'plan'))
  const some = withSimilarRuns(runs, ['r30'])
  expect(some).toHaveLength(max)
  expect(some.slice(0, 3)).toEqual(['r30', 'r0', 'r1'])
  const all = runs.map(({ traceId }) => traceId)
  expect(withSimilarRuns(runs, all)).toEqual(all)
})
