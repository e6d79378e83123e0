import { expect, test } from 'vitest'
import { formatTracesDone, percentDone } from './job-progress.ts'

test.each([
  [0, 0, 100],
  [3, 1, 33],
  [3, 3, 100],
  // Traces that arrived meanwhile count as done.
  [3, 4, 100],
  [null, 4, null],
])('of %s traces with %s done, %s percent are done', (total, done, percent) => {
  expect(percentDone({ done, total })).toBe(percent)
})

test.each([
  [1, 1000, '0%: 1 of 1,000 traces'],
  [0, 1, '0%: 0 of 1 trace'],
  [2000, null, '2,000 of at most 5,000 traces'],
])('%s of %s is shown as "%s"', (done, total, text) => {
  expect(formatTracesDone({ done, total }, 'at most 5,000 traces')).toBe(text)
})
