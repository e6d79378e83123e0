import { expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { outputPresent } from './output-present.ts'

const scoreOf = (text: unknown) => {
  const verdict = outputPresent.evaluate(sampleView([{ kind: 'agent', output: { text } }]), {
    siblings: [],
  })
  return verdict.status === 'scored' ? verdict.score : verdict.status
}

test.each(['In Oslo.', 'null is a value of JavaScript.', 'Error handling is easy.'])(
  '"%s" is an answer',
  (text) => {
    expect(scoreOf(text)).toBe(1)
  },
)

test.each([
  ['', 'nothing'],
  ['null', 'a printed value'],
  ['[object Object]', 'a printed object'],
  ['TypeError: x is undefined\n    at f (a.js:1:1)', 'a stack trace'],
  ['Traceback (most recent call last)\n  File "a.py"', 'a stack trace of Python'],
  ['Sure.<|im_end|>', 'a marker of a chat template'],
  ['Dear {{ name }}', 'a placeholder'],
])('"%s" is %s', (text) => {
  expect(scoreOf(text)).toBe(0)
})

const evaluate = (...samples: Parameters<typeof sampleView>[0]) =>
  outputPresent.evaluate(sampleView(samples), { siblings: [] })
const request = { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'find' } }] }] }

test('a run without an answer fails, also one that ends with a request for a tool', () => {
  expect(evaluate({ kind: 'agent' })).toMatchObject({ score: 0 })
  expect(evaluate({ kind: 'agent' }, { kind: 'llm', output: request })).toMatchObject({ score: 0 })
})

test('one model call that requests a tool is no run', () => {
  expect(evaluate({ kind: 'llm', output: request }).status).toBe('not_applicable')
})

test('a trace without recorded messages shows nothing about its answer', () => {
  expect(evaluate({ kind: 'agent' }, { kind: 'llm' }).status).toBe('not_applicable')
})
