import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AttributeTable,
  decodedSpan,
  event,
  normalized,
  toGroup,
} from '../../test/decoded-span.ts'
import { normalizeSpans } from './normalize-span.ts'

/*
 * Kinds and content in the vocabularies of single tools, as far as no recording shows them.
 */

function readContent(attributes: AttributeTable, name = 'span') {
  const { body } = normalized(attributes, { name })
  return [JSON.parse(body.input), JSON.parse(body.output)]
}

describe('messages in indexed keys', () => {
  test('are put together in the order of their indices', () => {
    const [input, output] = readContent({
      'llm.request.type': 'chat',
      'gen_ai.prompt.10.role': 'tool',
      'gen_ai.prompt.10.content': '{"temp":14}',
      'gen_ai.prompt.10.tool_call_id': 'c',
      'gen_ai.prompt.2.content': 'Weather?',
      'gen_ai.prompt.3.role': 'user',
      'gen_ai.prompt.3.content': '[{"type":"text","text":"Look"},{"type":"image_url"}]',
      'gen_ai.completion.0.tool_calls.1.name': 'second',
      'gen_ai.completion.0.tool_calls.0.name': 'first',
      'gen_ai.completion.0.tool_calls.0.arguments': '{"a":1}',
      'gen_ai.completion.0.finish_reason': 'tool_calls',
    })
    expect(input).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] },
      { role: 'user', parts: [{ type: 'text', text: 'Look' }, { type: 'image_url' }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: { temp: 14 } }] },
    ])
    expect(output).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'tool_call', name: 'first', arguments: { a: 1 } },
          { type: 'tool_call', name: 'second', arguments: null },
        ],
        finish_reason: 'tool_calls',
      },
    ])
  })

  test('create no objects and fill no gaps, whatever their names', () => {
    const [input] = readContent({
      'gen_ai.prompt.999999999.content': 'far',
      'gen_ai.prompt.9999.content': 'last',
      'gen_ai.prompt.__proto__.content': 'x',
      'gen_ai.prompt.constructor.prototype.role': 'x',
      'gen_ai.prompt.-1.content': 'x',
      'gen_ai.prompt.1e3.content': 'x',
      'gen_ai.prompt.0.tool_calls.1000000000.name': 'x',
      'gen_ai.prompt.0.tool_calls.__proto__.name': 'x',
      'gen_ai.prompt.0.__proto__': 'x',
    })
    expect(input).toEqual([
      { role: 'user', parts: [] },
      { role: 'user', parts: [{ type: 'text', content: 'last' }] },
    ])
    expect(({} as Record<string, unknown>)['role']).toBeUndefined()
  })

  test('are JSON whatever is in them', () => {
    const part = fc.constantFrom(
      ...['role', 'content', 'tool_calls', '0', '1', '10000', 'name', '__proto__', 'arguments', ''],
    )
    const key = fc
      .tuple(
        fc.constantFrom('gen_ai.prompt', 'gen_ai.completion', 'llm.input_messages'),
        fc.array(part),
      )
      .map(([first, rest]) => [first, ...rest].join('.'))
    const attributes = fc.dictionary(key, fc.oneof(fc.string({ unit: 'binary' }), fc.integer()))
    fc.assert(
      fc.property(attributes, (reported) => {
        const { body } = normalized(reported)
        for (const json of [body.input, body.output]) expect(() => JSON.parse(json)).not.toThrow()
      }),
    )
  })
})

describe('the AI SDK of before 7', () => {
  test.each([
    ['ai.generateText', 'agent'],
    ['ai.streamText.doStream', 'llm'],
    ['ai.streamObject', 'chain'],
    ['ai.embedMany.doEmbed', 'embedding'],
    ['ai.toolCall', 'tool'],
    ['ai.rerank.doRerank', 'reranker'],
    ['ai.somethingNew', 'span'],
  ])('%s is %s', (operation, kind) => {
    expect(normalized({ 'ai.operationId': operation }).kind).toBe(kind)
  })

  test('the response is one message; empty text is missing', () => {
    const call = { 'ai.operationId': 'ai.generateText.doGenerate' }
    const calls = '[{"toolCallId":"c","toolName":"f","input":{"n":12345678901234567890}}]'
    const span = normalized({ ...call, 'ai.response.text': '', 'ai.response.toolCalls': calls })
    expect(span.body.output).toBe(`[{"role":"assistant","tool_calls":${calls}}]`)
    expect(
      readContent({ ...call, 'ai.response.text': 'Yes', 'ai.response.reasoning': 'Hm' })[1],
    ).toEqual([{ role: 'assistant', reasoning: 'Hm', content: 'Yes' }])
    expect(readContent({ ...call, 'ai.response.text': '' })[1]).toBeNull()
  })

  test('objects and embedded values are stored unchanged', () => {
    expect(
      readContent({ 'ai.operationId': 'ai.generateObject', 'ai.response.object': '{"a":1}' })[1],
    ).toEqual({ a: 1 })
    expect(readContent({ 'ai.operationId': 'ai.embed', 'ai.value': '"rain"' })[0]).toBe('rain')
  })
})

describe('Google ADK', () => {
  test('its placeholders count as missing values and hide no others', () => {
    const tool = {
      'gen_ai.operation.name': 'execute_tool',
      'gcp.vertex.agent.llm_request': '{}',
      'gcp.vertex.agent.llm_response': '{}',
    }
    const reported = {
      'gcp.vertex.agent.tool_call_args': '{"city":"Paris"}',
      'gcp.vertex.agent.tool_response': '{"temp":14}',
    }
    expect(readContent({ ...tool, ...reported })).toEqual([{ city: 'Paris' }, { temp: 14 }])
    expect(readContent({ ...tool, 'gcp.vertex.agent.tool_call_args': 'N/A' })).toEqual([{}, {}])
    expect(normalized({ ...tool, ...reported }).kind).toBe('tool')
  })

  test('its summary of tools called at once is no call', () => {
    const merged = {
      'gen_ai.operation.name': 'execute_tool',
      'gcp.vertex.agent.tool_call_args': 'N/A',
    }
    expect(normalized(merged, { name: 'execute_tool (merged tools)' }).kind).toBe('chain')
  })

  test('its calls of before an operation had a name are model calls', () => {
    const span = { 'gen_ai.system': 'gcp.vertex.agent', 'gcp.vertex.agent.llm_request': '{"a":1}' }
    expect(normalized(span, { name: 'call_llm' }).kind).toBe('llm')
  })
})

describe('OpenLLMetry', () => {
  test.each([
    ['a vector store', { 'db.system': 'Pinecone', 'db.operation': 'query' }, 'retriever'],
    ['any other database', { 'db.system': 'postgresql' }, 'span'],
    ['a reranking', { 'llm.request.type': 'rerank' }, 'reranker'],
    ['an unknown type', { 'llm.request.type': 'unknown' }, 'span'],
  ])('%s', (_situation, attributes, kind) => {
    expect(normalized(attributes).kind).toBe(kind)
  })
})

describe('Langfuse', () => {
  const failed = { 'langfuse.observation.level': 'ERROR' }

  test('a level of ERROR is a failure, with its reason', () => {
    const reported = { ...failed, 'langfuse.observation.status_message': 'no such city' }
    expect(normalized(reported)).toMatchObject({ status: 'ERROR', statusMessage: 'no such city' })
    expect(normalized(failed)).toMatchObject({ status: 'ERROR', statusMessage: null })
    expect(normalized({ 'langfuse.observation.level': 'WARNING' }).status).toBe('OK')
    expect(normalized(failed, { statusCode: 1 }).status).toBe('OK')
  })
})

describe('Pydantic AI and Logfire', () => {
  test('a span that is only announced is not stored', () => {
    const pending = decodedSpan({ 'logfire.span_type': 'pending_span' })
    const finished = decodedSpan({ 'logfire.span_type': 'span' }, { spanId: '00f067aa0ba902b7' })
    const stored = normalizeSpans([toGroup([pending, finished])])
    expect(stored.map(({ spanId }) => spanId)).toEqual(['00f067aa0ba902b7'])
  })

  test('an agent’s input is its whole conversation, instructions first', () => {
    const agent = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.system_instructions': '[{"type":"text","content":"Be terse."}]',
      'pydantic_ai.all_messages': '[{"role":"user"}]',
      final_result: 'It rains.',
    }
    expect(readContent(agent)).toEqual([
      [{ role: 'system', parts: [{ type: 'text', content: 'Be terse.' }] }, { role: 'user' }],
      'It rains.',
    ])
  })

  test('format 1 and Logfire’s older integrations have attributes of their own', () => {
    const call = { 'logfire.msg': 'm', 'gen_ai.operation.name': 'chat' }
    expect(readContent({ ...call, events: '[{"role":"user"}]' })[0]).toEqual([{ role: 'user' }])
    expect(
      readContent({ ...call, request_data: '{"messages":[]}', response_data: '{"message":{}}' }),
    ).toEqual([{ messages: [] }, { message: {} }])
  })
})

describe('LiteLLM', () => {
  test('a message without parts hides no tool call', () => {
    const emptyMessage = '[{"role": "assistant", "parts": [], "finish_reason": "tool_calls"}]'
    const call = { 'gen_ai.operation.name': 'chat', 'gen_ai.output.messages': emptyMessage }
    const reported = { 'gen_ai.completion.0.function_call.name': 'f' }
    expect(readContent({ ...call, ...reported })[1]).toEqual([
      { role: 'assistant', parts: [{ type: 'tool_call', name: 'f', arguments: null }] },
    ])
    expect(readContent(call)[1]).toEqual(JSON.parse(emptyMessage))
  })

  test('the request as the provider got it is no second call', () => {
    expect(normalized({}, { name: 'raw_gen_ai_request' }).kind).toBe('chain')
  })
})

describe('Strands', () => {
  test('its memory operations are recognized', () => {
    expect(normalized({ 'gen_ai.operation.name': 'memory.search' }).kind).toBe('memory')
  })

  test('an event with part of the content of a span is found among others', () => {
    const details = 'gen_ai.client.inference.operation.details'
    const events = [event('memory.query', {}), event(details, { 'gen_ai.output.messages': '[1]' })]
    expect(normalized({ 'gen_ai.operation.name': 'chat' }, { events }).body.output).toBe('[1]')
  })
})

describe('Mastra before 1.0', () => {
  const ids = { 'mastra.span_id': 'a', threadId: 't', resourceId: 'r' }

  test('its agent has thread and resource as session and user, and its content', () => {
    const run = {
      ...ids,
      'mastra.span.type': 'agent_run',
      'gen_ai.operation.name': 'agent.run',
      input: '[{"role":"user","content":"Weather?"}]',
      output: '{"text":"It rains."}',
    }
    const span = normalized(run, { name: 'agent.weather' })
    expect(span).toMatchObject({ kind: 'agent', sessionId: 't', userId: 'r' })
    expect([span.body.input, span.body.output]).toEqual([run.input, run.output])
  })

  test('its tool has arguments and result', () => {
    const call = {
      ...ids,
      'mastra.span.type': 'tool_call',
      'gen_ai.operation.name': 'tool.execute',
      input: '{"city":"Paris"}',
      output: '"rain"',
    }
    const span = normalized(call)
    expect(span.kind).toBe('tool')
    expect([span.body.input, span.body.output]).toEqual([call.input, call.output])
  })

  test('bare keys of other senders are no content', () => {
    const other = { 'gen_ai.operation.name': 'execute_tool', input: '{}', output: '1' }
    expect(normalized(other).body).toMatchObject({ input: 'null', output: 'null' })
  })
})
