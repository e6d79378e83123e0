import { describe, expect, test } from 'vitest'
import { normalized } from '../../test/decoded-span.ts'

const llm = { 'openinference.span.kind': 'LLM' }
const textPart = (content: string) => ({ type: 'text', content })

describe('the kind of a span', () => {
  test.each([
    ['LLM', 'llm'],
    ['llm', 'llm'],
    ['EMBEDDING', 'embedding'],
    ['RERANKER', 'reranker'],
    ['RETRIEVER', 'retriever'],
    ['TOOL', 'tool'],
    ['AGENT', 'agent'],
    ['CHAIN', 'chain'],
    ['PROMPT', 'chain'],
    ['GUARDRAIL', 'guardrail'],
    ['EVALUATOR', 'evaluator'],
    ['UNKNOWN', 'span'],
  ])('%s is %s', (word, kind) => {
    expect(normalized({ 'openinference.span.kind': word }).kind).toBe(kind)
  })
})

describe('messages that are spread over keys', () => {
  test('are joined in the order of their indices, whatever their order in the request', () => {
    const { body } = normalized({
      ...llm,
      'llm.input_messages.10.message.role': 'tool',
      'llm.input_messages.10.message.tool_call_id': 'call_1',
      'llm.input_messages.10.message.content': '{"temp":14}',
      'llm.input_messages.2.message.role': 'assistant',
      'llm.input_messages.2.message.tool_calls.1.tool_call.function.name': 'second',
      'llm.input_messages.2.message.tool_calls.0.tool_call.id': 'call_1',
      'llm.input_messages.2.message.tool_calls.0.tool_call.function.name': 'first',
      'llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments': '{"a":1e400}',
      'llm.input_messages.1.message.role': 'user',
      'llm.input_messages.1.message.name': 'Ana',
      'llm.input_messages.1.message.contents.1.message_content.type': 'image',
      'llm.input_messages.1.message.contents.1.message_content.image.image.url': 'https://x/y.png',
      'llm.input_messages.1.message.contents.0.message_content.type': 'text',
      'llm.input_messages.1.message.contents.0.message_content.text': 'What is this?',
      'llm.input_messages.1.message.contents.2.message_content.type': 'audio',
      'llm.input_messages.1.message.contents.2.message_content.audio.url': 'https://x/y.mp3',
      'llm.input_messages.0.message.role': 'system',
      'llm.input_messages.0.message.content': 'Be terse.',
      'llm.output_messages.0.message.content': 'A cat.',
      'llm.output_messages.0.message.finish_reason': 'stop',
      'input.value': '{"opaque":true}',
    })
    expect(body.input).toContain('"arguments":{"a":1e400}')
    expect(JSON.parse(body.input.replace('1e400', '1'))).toEqual([
      { role: 'system', parts: [textPart('Be terse.')] },
      {
        role: 'user',
        name: 'Ana',
        parts: [
          textPart('What is this?'),
          { type: 'uri', modality: 'image', uri: 'https://x/y.png' },
          { type: 'audio', 'audio.url': 'https://x/y.mp3' },
        ],
      },
      {
        role: 'assistant',
        parts: [
          { type: 'tool_call', id: 'call_1', name: 'first', arguments: { a: 1 } },
          { type: 'tool_call', name: 'second', arguments: null },
        ],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: 'call_1', response: { temp: 14 } }],
      },
    ])
    expect(JSON.parse(body.output)).toEqual([
      { role: 'assistant', parts: [textPart('A cat.')], finish_reason: 'stop' },
    ])
  })

  test('with absurd indices and names stay small and change nothing else', () => {
    const { body } = normalized({
      ...llm,
      'llm.input_messages.999999999.message.content': 'far',
      'llm.input_messages.9999.message.content': 'last',
      'llm.input_messages.0.message.tool_calls.10000000000.tool_call.id': 'far',
      'llm.input_messages.0.message.content': 'first',
      'llm.input_messages.-1.message.content': 'before',
      'llm.input_messages.01.message.content': 'padded',
      'llm.input_messages.1e3.message.content': 'exponent',
      'llm.input_messages.__proto__.message.content': 'prototype',
      'llm.input_messages.0.__proto__.polluted': 'yes',
      'llm.input_messages.constructor.prototype.polluted': 'yes',
      'gen_ai.prompt.999999999.content': 'far',
      'gen_ai.prompt.__proto__.x': 'prototype',
    })
    expect(JSON.parse(body.input)).toEqual([
      { role: 'user', parts: [textPart('first')] },
      { role: 'user', parts: [textPart('last')] },
    ])
    expect(Object.keys(JSON.parse(body.attributes) as object)).toHaveLength(13)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('of bare completions are messages too', () => {
    const { body } = normalized({
      ...llm,
      'llm.prompts.0.prompt.text': 'Once upon',
      'llm.choices.0.completion.text': 'a time',
    })
    expect(JSON.parse(body.input)).toEqual([{ role: 'user', parts: [textPart('Once upon')] }])
    expect(JSON.parse(body.output)).toEqual([{ role: 'assistant', parts: [textPart('a time')] }])
  })
})

describe('opaque values', () => {
  test.each([
    ['declared as JSON', '"14"', 'application/json', '"14"'],
    ['a number declared as JSON', '14', 'application/json', '14'],
    ['text that is a number', '14', 'text/plain', '"14"'],
    ['an object that nobody declared', '{"a":1}', undefined, '{"a":1}'],
    ['text', 'Hello', undefined, '"Hello"'],
    ['text in brackets', '[sic]', undefined, '"[sic]"'],
  ])('%s', (_situation, value, type, expected) => {
    const { body } = normalized({
      'openinference.span.kind': 'CHAIN',
      'input.value': value,
      ...(type === undefined ? {} : { 'input.mime_type': type }),
    })
    expect(body.input).toBe(expected)
  })

  test('go before messages for what is no model call, and after them for what is', () => {
    const attributes = { 'input.value': 'opaque', 'llm.input_messages.0.message.content': 'told' }
    const messages = [{ role: 'user', parts: [textPart('told')] }]
    const chain = normalized({ ...attributes, 'openinference.span.kind': 'CHAIN' })
    expect(chain.body.input).toBe('"opaque"')
    expect(JSON.parse(normalized({ ...attributes, ...llm }).body.input)).toEqual(messages)
  })

  test('documents are the output of a retriever and a reranker', () => {
    const expected = [
      { id: 'd1', content: '{"not":"parsed"}', score: 0.5, metadata: { page: 1 } },
      { id: 'd2' },
    ]
    for (const prefix of ['retrieval.documents', 'reranker.output_documents']) {
      const { body } = normalized({
        'openinference.span.kind': 'RETRIEVER',
        [`${prefix}.0.document.id`]: 'd1',
        [`${prefix}.0.document.content`]: '{"not":"parsed"}',
        [`${prefix}.0.document.score`]: 0.5,
        [`${prefix}.0.document.metadata`]: '{"page":1}',
        [`${prefix}.1.document.id`]: 'd2',
      })
      expect(JSON.parse(body.output)).toEqual(expected)
    }
  })

  test('texts are what is embedded, a query what is ranked, parameters what a tool takes', () => {
    const readInput = (attributes: Record<string, string>) =>
      JSON.parse(normalized(attributes).body.input)
    expect(readInput({ 'embedding.embeddings.0.embedding.text': 'a' })).toEqual(['a'])
    expect(readInput({ 'reranker.query': 'rain' })).toBe('rain')
    expect(readInput({ 'tool.parameters': '{"city":"Paris"}' })).toEqual({ city: 'Paris' })
  })
})

describe('the model, its tokens and its cost', () => {
  test('are read with their details', () => {
    const span = normalized({
      ...llm,
      'llm.model_name': 'gpt-4o-mini-2024-07-18',
      'llm.token_count.prompt': 50,
      'llm.token_count.completion': '20',
      'llm.token_count.total': 70.0,
      'llm.token_count.prompt_details.cache_read': 16,
      'llm.token_count.prompt_details.cache_write': 0,
      'llm.token_count.completion_details.reasoning': 4,
      'llm.cost.prompt': 0.1,
      'llm.cost.completion': 0.2,
      'user.id': 'ana',
      'session.id': 's1',
    })
    expect(span).toMatchObject({
      model: 'gpt-4o-mini-2024-07-18',
      tokensIn: 50,
      tokensOut: 20,
      tokensCacheRead: 16,
      tokensCacheWrite: 0,
      tokensReasoning: 4,
      costUsd: 0.1 + 0.2,
      costSource: 'reported',
      userId: 'ana',
      sessionId: 's1',
    })
    expect(normalized({ ...llm, 'llm.cost.total': 1, 'llm.cost.prompt': 0.1 }).costUsd).toBe(1)
  })

  test('of a provider that counts the cache separately include it', () => {
    const counts = {
      ...llm,
      'llm.token_count.prompt': 100,
      'llm.token_count.prompt_details.cache_read': 40,
    }
    expect(normalized({ ...counts, 'llm.system': 'anthropic' }).tokensIn).toBe(140)
    expect(normalized({ ...counts, 'llm.system': 'openai' }).tokensIn).toBe(100)
  })

  test.each(['embedding.model_name', 'reranker.model_name', 'llm.model_name'])('%s', (key) => {
    expect(normalized({ [key]: 'm' }).model).toBe('m')
  })
})

test('a system prompt among the parameters of a request comes first, as blocks or as text', () => {
  const input = (parameters: object) =>
    JSON.parse(
      normalized({
        'openinference.span.kind': 'LLM',
        'llm.invocation_parameters': JSON.stringify(parameters),
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': 'Weather?',
      }).body.input,
    )
  const user = { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] }
  const block = { type: 'text', text: 'Be terse.' }
  expect(input({ system: 'Be terse.' })).toEqual([
    { role: 'system', parts: [{ type: 'text', content: 'Be terse.' }] },
    user,
  ])
  expect(input({ system: [block] })).toEqual([{ role: 'system', parts: [block] }, user])
  expect(input({ max_tokens: 10 })).toEqual([user])
})
