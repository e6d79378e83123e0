import { expect, test } from 'vitest'
import { toTraceGroups } from './trace-sessions.ts'

const page = (completeFrom: string | null) => ({ items: [], nextCursor: null, completeFrom })

test('groups are partial from the first page on that was', () => {
  expect(toTraceGroups({ pages: [page(null), page(null)] }).completeFrom).toBeNull()
  const pages = [page(null), page('2026-01-03T00:00:00Z'), page('2026-01-02T00:00:00Z')]
  expect(toTraceGroups({ pages }).completeFrom).toBe('2026-01-03T00:00:00Z')
})
