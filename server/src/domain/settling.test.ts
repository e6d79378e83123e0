import { expect, test } from 'vitest'
import { settlesAt } from './settling.ts'

const changedAt = 1_763_600_000_000_000_000n
const later = changedAt + 600_000_000_000n
const root = { parentSpanId: null, startedAt: 10n, endedAt: 20n }

test.each([
  ['once its root has ended', root, 20n, changedAt],
  ['also while children run longer', root, 30n, changedAt],
  ['at once with an instant root that nothing outlasts', { ...root, endedAt: 10n }, 10n, changedAt],
  ['later with a root that is still open', { ...root, endedAt: 10n }, 20n, later],
  ['later without its root', { ...root, parentSpanId: 'elsewhere' }, 20n, later],
])('a trace settles %s', (_situation, own, endedAt, expected) => {
  expect(settlesAt(own, { endedAt }, changedAt)).toBe(expected)
})
