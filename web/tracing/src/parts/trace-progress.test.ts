import { expect, test } from 'vitest'
import { isRunning } from './trace-progress.ts'

const updated_at = '2026-11-23T08:00:00.000Z'
const after = (seconds: number) => Date.parse(updated_at) + seconds * 1000

test.each([
  ['has ended', null, 1, false],
  ['has an open root, and changed a short time ago', 'root_open', 299, true],
  ['has an open root, and has not changed for five minutes', 'root_open', 300, false],
  ['waits for its root, and changed a short time ago', 'root_missing', 59, true],
  ['waits for its root, and has not changed for a minute', 'root_missing', 60, false],
  ['has an open root, and changed just now by a clock that is ahead', 'root_open', -20, true],
] as const)('whether a trace runs that %s', (_situation, unfinished, seconds, expected) => {
  expect(isRunning({ unfinished, updated_at }, after(seconds))).toBe(expected)
})
