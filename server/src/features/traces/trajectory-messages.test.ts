import { expect, test } from 'vitest'
import { parseMessages } from './trajectory-messages.ts'

const hello = { role: 'user', content: 'hello' }

test.each([
  ['nothing', null, []],
  ['a list of messages', [hello, hello], [hello, hello]],
  ['one message', hello, [hello]],
  ['a request', { messages: [hello], temperature: 1 }, [hello]],
  ['a text', 'hello', [hello]],
  ['a number', 0, [{ role: 'user', content: 0 }]],
  ['an empty list', [], [{ role: 'user', content: [] }]],
  ['a list of something else', [1], [{ role: 'user', content: [1] }]],
])('%s is read as messages', (_what, value, expected) => {
  expect(parseMessages(value, 'user')).toEqual(expected)
})
