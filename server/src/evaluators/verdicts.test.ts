import { expect, test } from 'vitest'
import { sampleView } from '../domain/trace-view/trace-view.samples.ts'
import { isQuoteOf } from './verdicts.ts'

const answer = 'Two lines:\n"one" and two'
const messages = [{ role: 'assistant', content: answer }]

test.each([
  ['text', answer],
  ['messages', { messages }],
  ['messages in JSON text', JSON.stringify({ messages })],
  ['messages in JSON text within an object', { value: JSON.stringify(messages) }],
])('an answer is a quote of a span that has it as %s', (_name, output) => {
  const [span] = sampleView([{ kind: 'agent', output }]).spans
  expect(isQuoteOf(span!, answer)).toBe(true)
  expect(isQuoteOf(span!, 'three')).toBe(false)
})

test('a masked quote is one of any span, an empty one of none', () => {
  const [span] = sampleView([{ kind: 'agent' }]).spans
  expect(isQuoteOf(span!, 'ghp_…dE')).toBe(true)
  expect(isQuoteOf(span!, '')).toBe(false)
})
