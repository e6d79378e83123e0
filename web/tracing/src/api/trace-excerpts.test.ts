import { expect, test } from 'vitest'
import { toExcerpt } from './trace-excerpts.ts'

const user = (content: string) => ({ role: 'user', content })
const assistant = (content: string) => ({ role: 'assistant', content })

test.each([
  ['texts', 'Where is it?', 'At\ncustoms.', 'Where is it?', 'At customs.'],
  [
    'the last question of a history',
    { messages: [user('Hello'), assistant('Hi'), user('Where is it?')] },
    { messages: [assistant('At customs.')] },
    'Where is it?',
    'At customs.',
  ],
  [
    'values that are no messages',
    { order: 7, urgent: true },
    [1],
    '{"order":7,"urgent":true}',
    '[1]',
  ],
  ['nothing', null, undefined, '', ''],
])(
  'a trace is recognized by its question and answer: %s',
  (_what, input, output, question, answer) => {
    expect(toExcerpt(input, output)).toEqual({ question, answer })
  },
)
