import { expect, test } from 'vitest'
import { findUnfinished, settlesAt } from './settling.ts'

const changedAt = 1_763_600_000_000_000_000n
const later = changedAt + 600_000_000_000n
const root = { parentSpanId: null, startedAt: 10n, endedAt: 20n }

test.each([
  ['once its root has ended', root, 20n, null, changedAt],
  ['also while children run longer', root, 30n, null, changedAt],
  [
    'at once with an instant root that nothing outlasts',
    { ...root, endedAt: 10n },
    10n,
    null,
    changedAt,
  ],
  ['later with a root that is still open', { ...root, endedAt: 10n }, 20n, 'root_open', later],
  ['later without its root', { ...root, parentSpanId: 'elsewhere' }, 20n, 'root_missing', later],
] as const)('a trace settles %s', (_situation, own, endedAt, unfinished, expected) => {
  expect(findUnfinished(own, endedAt)).toBe(unfinished)
  expect(settlesAt({ unfinished }, changedAt)).toBe(expected)
})
