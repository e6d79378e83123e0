import { expect, test } from 'vitest'
import { chatMessageRow } from '../../../test/conversation-rows.ts'
import type { ChatMessageRow } from '../../storage/accounts/chat-tables.ts'
import { openStoredEvents } from './stored-events.ts'

const row = (more: Partial<ChatMessageRow>) => ({
  ...chatMessageRow('c', { role: 'assistant', content: '', parent_id: 'p', ...more }),
  project_id: 'project',
})
const running = { status: 'streaming', running_until: '2999' } as const

test('a sealed reply has its text at the end, not while it is written', () => {
  const events = openStoredEvents()
  const types = (more: Partial<ChatMessageRow>, isRunning: boolean) =>
    events.next(row({ epoch: 1, ...more }), isRunning).map(({ type }) => type)
  expect(types({ ...running, content: 'sealed so far' }, true)).toEqual(['start'])
  expect(types({ ...running, content: 'sealed again' }, true)).toEqual([])
  expect(types({ content: 'sealed', finish_reason: 'stop' }, false)).toEqual([
    ...['sealed', 'usage', 'done'],
  ])
})

test('notices are sent once, and reasoning before the text', () => {
  const events = openStoredEvents()
  const grown = { ...running, notices: '["Short."]', reasoning: 'Hm' }
  const all = [
    ...events.next(row(grown), true),
    ...events.next(row({ ...grown, reasoning: 'Hm, so', content: 'Yes' }), true),
  ]
  expect(all.map(({ seq, type }) => [seq, type])).toEqual([
    ...[
      [0, 'start'],
      [1, 'notice'],
      [2, 'reasoning'],
      [3, 'reasoning'],
      [4, 'text'],
    ],
  ])
  expect(all.map((event) => ('delta' in event ? event.delta : ''))).toEqual([
    ...['', '', 'Hm', ', so', 'Yes'],
  ])
})
