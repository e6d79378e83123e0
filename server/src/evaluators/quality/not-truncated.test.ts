import { expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { notTruncated } from './not-truncated.ts'

const llm = (content: string, finish_reason?: string) => ({
  kind: 'llm',
  output: { messages: [{ role: 'assistant', content }], finish_reason },
})
const evaluate = (...calls: readonly ReturnType<typeof llm>[]) =>
  notTruncated.evaluate(sampleView([{ kind: 'agent' }, ...calls]), { siblings: [] })

test.each([
  ['a finish reason of its own', llm('In Oslo.', 'stop')],
  ['a closed code block', llm('```js\nx\n```')],
  ['complete JSON', llm('{"city": "Oslo"}')],
  ['a link at the start', llm('[Oslo](https://oslo.example) is the place')],
  ['an open code block that the model finished', llm('```js\nx', 'stop')],
])('an answer with %s is complete', (_what, call) => {
  expect(evaluate(call)).toMatchObject({ status: 'scored', score: 1, issues: [] })
})

test.each([
  ['the finish reason of OpenAI', llm('In Os', 'length'), 'In Os'],
  ['the finish reason of Anthropic', llm('In Os', 'max_tokens'), 'In Os'],
  ['the finish reason of Gemini', llm('In Os', 'MAX_TOKENS'), 'In Os'],
  ['an open code block', llm('Run this:\n```js\nx'), 'Run this:\n```js\nx'],
  ['open JSON', llm('{"city": "Os'), '{"city": "Os'],
])('an answer with %s is truncated', (_what, call, quote) => {
  expect(evaluate(call)).toMatchObject({ score: 0, evidence: [{ spanId: 's1', quote }] })
})

test('a truncated call before the last one counts by its share', () => {
  expect(evaluate(llm('In Os', 'length'), llm('In Oslo.', 'stop'))).toMatchObject({ score: 0.5 })
})

test('a trace without answers of models is not evaluated', () => {
  expect(evaluate().status).toBe('not_applicable')
})
