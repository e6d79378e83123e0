import type { ModelProvider } from '@assay/contract/model-configs.ts'
import { describe, expect, test } from 'vitest'
import { openEventShape } from './event-shapes.ts'

const read = (provider: ModelProvider, ...events: readonly object[]) => {
  const shape = openEventShape(provider)
  const passed = events.map((event) => shape.read(event as never))
  return { passed, end: shape.end(), usage: shape.usage() }
}

const chunk = (delta: object, more: object = {}) => ({
  ...{ id: 'c', object: 'chat.completion.chunk', system_fingerprint: 'f', search_results: [1] },
  choices: [{ index: 0, delta, logprobs: { content: [] }, ...more }],
})

describe("OpenAI's chunks", () => {
  test('keep their text only, and the last usage and finish reason for the end', () => {
    const { passed, end, usage } = read(
      'openai',
      chunk({ role: 'assistant', content: '' }),
      { ...chunk({ content: 'A', tool_calls: [{ index: 0 }] }), usage: { prompt_tokens: 1 } },
      chunk({ reasoning_content: 'Hm.' }),
      chunk({ refusal: 'No.' }, { finish_reason: 'stop' }),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
    )
    expect(passed).toEqual([
      undefined,
      { choices: [{ index: 0, delta: { content: 'A' } }] },
      undefined,
      { choices: [{ index: 0, delta: { refusal: 'No.' } }] },
      undefined,
    ])
    expect(end).toEqual({
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    })
    expect(usage).toMatchObject({ tokensIn: 3, tokensOut: 2 })
  })

  test('of compatible servers keep their reasoning, and those of Mistral their parts', () => {
    const reasoning = { reasoning_content: 'Hm.' }
    expect(read('openai-compatible', chunk(reasoning)).passed).toMatchObject([
      { choices: [{ delta: reasoning }] },
    ])
    const content = [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }]
    expect(read('mistral', chunk({ content })).passed).toMatchObject([
      { choices: [{ delta: { content } }] },
    ])
  })

  test('without a finish reason have no end', () => {
    expect(read('openai', chunk({ content: 'A' })).end).toBeUndefined()
  })
})

test("Anthropic's events keep text, thoughts and the end, and count the input at the start", () => {
  const start = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
  const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'A' } }
  const tool = { type: 'tool_use', id: 't', name: 'f', input: {} }
  const usage = { input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 1 }
  const { passed, usage: known } = read(
    'anthropic',
    { type: 'message_start', message: { id: 'm', role: 'assistant', usage, content: [tool] } },
    start,
    delta,
    { type: 'ping' },
    { type: 'content_block_start', index: 1, content_block: tool },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta' } },
  )
  expect(passed).toEqual([
    { type: 'message_start', message: { id: 'm', role: 'assistant', usage } },
    ...[start, delta, undefined, undefined, undefined, undefined],
  ])
  expect(known).toMatchObject({ tokensIn: 7, tokensCacheRead: 2, tokensOut: null })
})

test("Google's events keep texts, thoughts, usage and blocks, and nothing to continue with", () => {
  const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 2, thoughtsTokenCount: 1 }
  const { passed, usage } = read('google', {
    candidates: [
      {
        content: { parts: [{ text: 'A', thought: true }, { functionCall: { name: 'f' } }] },
        ...{ finishReason: 'STOP', groundingMetadata: {}, continuationToken: 'more' },
      },
    ],
    ...{ usageMetadata, promptFeedback: { blockReason: 'SAFETY', safetyRatings: [] } },
  })
  expect(passed).toEqual([
    {
      candidates: [
        { content: { role: 'model', parts: [{ text: 'A', thought: true }] }, finishReason: 'STOP' },
      ],
      usageMetadata,
      promptFeedback: { blockReason: 'SAFETY' },
    },
  ])
  expect(usage).toMatchObject({ tokensIn: 5, tokensOut: 3, tokensReasoning: 1 })
})

test.each([-1, 1.5, '5', {}, 1e300])('usage of %j is unknown', (count) => {
  const { usage } = read('openai', { ...chunk({}), usage: { prompt_tokens: count } })
  expect(usage.tokensIn).toBeNull()
})

test.each(['google', 'mistral'] as const)('an error event of %s ends the reply', (provider) => {
  expect(() => read(provider, { error: { message: 'Too busy.' } })).toThrow('reported an error')
})
