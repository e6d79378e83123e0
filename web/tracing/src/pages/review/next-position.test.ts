import { expect, test } from 'vitest'
import type { OpenedReview } from '../../api/review-queues.ts'
import { nextPosition } from './next-position.ts'

const opened = (position: number | null) =>
  ({ queue: { trace_count: 3 }, item: position === null ? null : { position } }) as OpenedReview

test('the next trace is the one that was opened', () => {
  expect(nextPosition({ position: 1, status: 'reviewed' }, opened(3))).toBe(3)
})

test('a queue ends after its last open trace, and reviewed ones follow each other to the last', () => {
  expect(nextPosition({ position: 2, status: 'open' }, opened(null))).toBeUndefined()
  expect(nextPosition({ position: 1, status: 'reviewed' }, opened(null))).toBe(2)
  expect(nextPosition({ position: 2, status: 'removed' }, opened(null))).toBe(3)
  expect(nextPosition({ position: 3, status: 'reviewed' }, opened(null))).toBeUndefined()
})
