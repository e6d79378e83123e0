import { expect, test } from 'vitest'
import { countTokens } from './model-judge.ts'

const usage = { tokensCacheRead: null, tokensCacheWrite: null, tokensReasoning: null }
const unknown = { ...usage, tokensIn: null, tokensOut: null }
const messages = [{ role: 'user', content: 'x'.repeat(300) }] as const

test.each([
  ['as reported', { usage: { ...usage, tokensIn: 7, tokensOut: 2 }, text: 'yes' }, false, 9],
  ['by the texts without a report', { usage: unknown, text: 'yes' }, false, 101],
  ['by the request of a call without an answer in time', { usage: unknown, text: null }, true, 100],
  ['as none of a call that failed otherwise', { usage: unknown, text: null }, false, 0],
])('tokens for the budget of judges are counted %s', (_name, report, isTimeout, tokens) => {
  expect(countTokens(report, messages, isTimeout)).toBe(tokens)
})
