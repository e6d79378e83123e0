import { describe, expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { contextHeadroom } from './context-headroom.ts'
import { findWindow } from './model-windows.ts'

type Samples = Parameters<typeof sampleView>[0]
const evaluate = (samples: Samples) =>
  contextHeadroom.evaluate(sampleView(samples), { siblings: [] })
const call = (tokens_in: number | null, model: string | null = 'gpt-4o') => ({
  ...{ kind: 'llm', name: 'chat', tokens_in, model },
})

test.each([
  [1000, 1],
  [102_400, 1],
  [115_200, 0.5],
  [128_000, 0],
  [200_000, 0],
])('%i of 128,000 tokens score %f', (tokens, score) => {
  expect(evaluate([call(10), call(tokens)])).toMatchObject({ score: expect.closeTo(score) })
})

test('the fullest call is quoted', () => {
  expect(evaluate([call(10), call(120_000)])).toMatchObject({
    evidence: [{ spanId: 's1', quote: 'chat' }],
    issues: [expect.stringContaining('sent 120,000 of the 128,000 tokens that gpt-4o reads (94%)')],
  })
})

describe('a conversation', () => {
  const system = { role: 'system', content: 'Be brief.' }
  const user = { role: 'user', content: 'Where is order 7?' }
  const more = { role: 'assistant', content: 'One moment.' }
  const chat = (...messages: readonly unknown[]) => ({ ...call(10), input: { messages } })

  test('that loses its system message scores 0', () => {
    expect(evaluate([chat(system, user), chat(user, more)])).toMatchObject({
      score: 0,
      evidence: [{ spanId: 's1', quote: 'chat' }],
    })
  })

  test('that keeps it, and another one without it, score 1', () => {
    const other = { role: 'user', content: 'Give this chat a title.' }
    expect(
      evaluate([chat(system, user), chat(system, user, more), chat(other, more)]),
    ).toMatchObject({
      score: 1,
    })
  })
})

test.each([
  ['without model calls', [{ kind: 'agent' }]],
  ['without tokens', [call(null)]],
  ['with an unknown model', [call(10, 'my-own-model')]],
])('a trace %s is not evaluated', (_what, samples) => {
  expect(evaluate(samples).status).toBe('not_applicable')
})

test.each([
  ['gpt-4o', 128_000],
  ['openai/gpt-4o', 128_000],
  ['gpt-4o-2024-08-06', 128_000],
  ['claude-sonnet-4-5-20250929', 200_000],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 200_000],
  ['claude-sonnet-4-50', undefined],
  ['', undefined],
])('the window of %s is %s', (model, window) => {
  expect(findWindow(model)).toBe(window)
})
