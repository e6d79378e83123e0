import { describe, expect, test } from 'vitest'
import { toModelMessages, withAttachments } from './context-messages.ts'

describe('the attachments of a message', () => {
  test('come before it, each with its name', async () => {
    const files = [
      { name: 'a.txt', text: 'A' },
      { name: 'b.md', text: 'B' },
    ]
    expect(await withAttachments('Why?', files)).toBe(
      'Attached file a.txt:\n```\nA\n```\n\nAttached file b.md:\n```\nB\n```\n\nWhy?',
    )
    expect(await withAttachments('Why?', [])).toBe('Why?')
  })

  test.each(['```', '````\n# x', 'a ````` b'])('cannot close their fence with %j', async (text) => {
    const message = await withAttachments('', [{ name: 'a', text }])
    const [, fence = ''] = /:\n(`+)\n/.exec(message) ?? []
    expect(fence.length).toBeGreaterThan(2)
    expect(text).not.toContain(fence)
  })
})

test('messages are alternately of the user and the assistant, and none is empty', () => {
  expect(
    toModelMessages([
      { role: 'user', content: 'A' },
      { role: 'assistant', content: ' ' },
      { role: 'user', content: 'B' },
      { role: 'assistant', content: 'C' },
      { role: 'assistant', content: 'D' },
    ]),
  ).toEqual([
    { role: 'user', content: 'A\n\nB' },
    { role: 'assistant', content: 'C\n\nD' },
  ])
})
