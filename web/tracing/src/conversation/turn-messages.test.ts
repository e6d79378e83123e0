import type { Message } from '@assay/contract/conversation.ts'
import { describe, expect, test } from 'vitest'
import {
  parseSpanMessages,
  parseTurnMessages,
  splitHistory,
  withoutAnswer,
} from './turn-messages.ts'

const message = (role: string, text: string): Message => ({ role, parts: [{ is: 'text', text }] })

describe('the messages of a turn', () => {
  test.each([
    ['a text', 'Where is my order?'],
    ['a text as the only field', { question: 'Where is my order?' }],
    ['a message', [{ role: 'user', content: 'Where is my order?' }]],
  ])('are found in %s', (_situation, value) => {
    expect(parseTurnMessages(value, 'user')).toEqual({
      messages: [message('user', 'Where is my order?')],
    })
  })

  test.each([
    ['nothing', null],
    ['several fields', { question: 'Where?', order: 1042 }],
    ['a number', 7],
    ['a field that is not a text', { order: 1042 }],
  ])('are not inferred from %s', (_situation, value) => {
    expect(parseTurnMessages(value, 'user')).toBeUndefined()
  })
})

describe('the messages of a span', () => {
  const question = [{ role: 'user', content: 'Where is my order?' }]
  const asked = { messages: [message('user', 'Where is my order?')] }
  const answered = { messages: [message('assistant', 'On its way.')] }

  test.each([
    ['as a text', 'On its way.'],
    ['as the text of an object', { text: 'On its way.' }],
    ['as a message', { role: 'assistant', content: 'On its way.' }],
  ])('include an answer %s', (_form, output) => {
    expect(parseSpanMessages(question, output)).toEqual({ input: asked, output: answered })
  })

  test('include a question that is a text', () => {
    const messages = parseSpanMessages({ question: 'Where is my order?' }, [
      { role: 'assistant', content: 'On its way.' },
    ])
    expect(messages).toEqual({ input: asked, output: answered })
  })

  test('are none if neither side has messages', () => {
    expect(parseSpanMessages({ query: 'order 1042' }, { text: 'found' })).toBeUndefined()
  })

  test('are those of one side if the other is no text', () => {
    expect(parseSpanMessages(question, { found: 3 })).toEqual({ input: asked, output: undefined })
  })
})

describe('the new part of a turn', () => {
  const system = message('system', 'You help.')
  const hello = message('user', 'Hello')
  const welcome = message('assistant', 'Welcome')
  const question = message('user', 'Where is my order?')
  const tool = message('tool', 'found')
  const result: Message = { role: 'user', parts: [{ is: 'result', output: 'found' }] }

  test.each([
    ['starts at the last user message', [system, hello, welcome, question], 3],
    ['includes later tool results', [hello, welcome, question, tool], 2],
    ['starts before results that the user’s role sends', [hello, welcome, question, result], 2],
    ['is everything if the user message comes first', [question, tool], 0],
    ['is everything without a user message', [system, welcome], 0],
    ['is empty without messages', [], 0],
  ])('%s', (_promise, messages, from) => {
    expect(splitHistory(messages)).toEqual({
      earlier: messages.slice(0, from),
      current: messages.slice(from),
    })
  })
})

describe('the answer at the end of an input', () => {
  const question = message('user', 'Where is my order?')
  const answer = message('assistant', 'In Paris.')

  test('is left out where it is the output', () => {
    expect(withoutAnswer({ messages: [question, answer] }, { messages: [answer] })).toEqual([
      question,
    ])
  })

  test.each<[string, Message[], Message[]]>([
    ['another answer', [question, message('assistant', 'In Rome.')], [answer]],
    ['no output', [question, answer], []],
    ['a user who repeats it', [question, message('user', 'In Paris.')], [answer]],
    [
      'answers without text',
      [{ role: 'assistant', parts: [] }],
      [{ role: 'assistant', parts: [] }],
    ],
    ['no messages', [], [answer]],
  ])('stays with %s', (_situation, messages, output) => {
    expect(withoutAnswer({ messages }, { messages: output })).toEqual(messages)
  })
})
