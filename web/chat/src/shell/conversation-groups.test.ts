import type { Conversation } from '@assay/contract/conversations.ts'
import { expect, test } from 'vitest'
import { groupByDay } from './conversation-groups.ts'

const now = new Date(2026, 2, 10, 9, 30)

function conversationOf(id: string, at: Date): Conversation {
  const instant = at.toISOString()
  const stamps = { created_at: instant, updated_at: instant }
  return { id, title: id, encrypted: false, message_count: 2, ...stamps }
}

test('conversations are grouped by local day, in their order', () => {
  const conversations = [
    conversationOf('now', now),
    conversationOf('midnight', new Date(2026, 2, 10)),
    conversationOf('last evening', new Date(2026, 2, 9, 23, 59, 59)),
    conversationOf('a week ago', new Date(2026, 2, 3)),
    conversationOf('weeks ago', new Date(2026, 1, 20)),
    conversationOf('in January', new Date(2026, 0, 31)),
    conversationOf('a year ago', new Date(2025, 0, 31)),
  ]
  const groups = groupByDay(conversations, now)
  expect(groups.map((group) => [group.title, group.conversations.map(({ id }) => id)])).toEqual([
    ['Today', ['now', 'midnight']],
    ['Yesterday', ['last evening']],
    ['Previous 7 days', ['a week ago']],
    ['Previous 30 days', ['weeks ago']],
    ['January 2026', ['in January']],
    ['January 2025', ['a year ago']],
  ])
})

test('a clock that is behind that of the service shows new conversations as of today', () => {
  const [group] = groupByDay([conversationOf('a', new Date(2026, 2, 10, 9, 45))], now)
  expect(group?.title).toBe('Today')
})
