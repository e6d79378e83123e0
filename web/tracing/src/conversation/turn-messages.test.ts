import { describe, expect, test } from 'vitest'
import type { Message } from './conversation.ts'
import { parseTurnMessages, splitHistory } from './turn-messages.ts'

const label = (role: string, text: string): Message => ({ role, parts: [{ is: 'text', text }] })

describe('what was said', () => {
  test.each([
    ['a text', 'Where is my order?'],
    ['a text as the only member', { question: 'Where is my order?' }],
    ['a message', [{ role: 'user', content: 'Where is my order?' }]],
  ])('is found in %s', (_situation, value) => {
    expect(parseTurnMessages(value, 'user')).toEqual({
      messages: [label('user', 'Where is my order?')],
    })
  })

  test.each([
    ['nothing', null],
    ['several members', { question: 'Where?', order: 1042 }],
    ['a number', 7],
    ['a member that is no text', { order: 1042 }],
  ])('is not made up from %s', (_situation, value) => {
    expect(parseTurnMessages(value, 'user')).toBeUndefined()
  })
})

describe('what is new in a turn', () => {
  const system = label('system', 'You help.')
  const hello = label('user', 'Hello')
  const welcome = label('assistant', 'Welcome')
  const question = label('user', 'Where is my order?')
  const tool = label('tool', 'found')

  test.each([
    ['begins with the last word of the user', [system, hello, welcome, question], 3],
    ['includes what tools gave since', [hello, welcome, question, tool], 2],
    ['is everything where the user speaks first', [question, tool], 0],
    ['is everything where no user speaks', [system, welcome], 0],
    ['is nothing of nothing', [], 0],
  ])('%s', (_promise, messages, from) => {
    expect(splitHistory(messages)).toEqual({
      earlier: messages.slice(0, from),
      said: messages.slice(from),
    })
  })
})
