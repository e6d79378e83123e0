import { describe, expect, test } from 'vitest'
import { event, normalized } from '../../test/decoded-span.ts'

const inputKey = 'gen_ai.input.messages'
const outputKey = 'gen_ai.output.messages'
const instructionsKey = 'gen_ai.system_instructions'

const prompt = [{ role: 'user', parts: [{ type: 'text', content: 'Weather?' }] }]
const terse = { role: 'system', parts: [{ type: 'text', content: 'Be terse.' }] }

describe('the kind of a span', () => {
  test.each([
    ['chat', 'llm'],
    ['generate_content', 'llm'],
    ['text_completion', 'llm'],
    ['embeddings', 'embedding'],
    ['rerank', 'reranker'],
    ['retrieval', 'retriever'],
    ['execute_tool', 'tool'],
    ['invoke_agent', 'agent'],
    ['create_agent', 'agent'],
    ['invoke_workflow', 'chain'],
    ['agent_step', 'chain'],
    ['plan', 'chain'],
    ['search_memory', 'memory'],
    ['upsert_memory', 'memory'],
    ['something_new', 'span'],
  ])('of the operation %s is %s', (operation, kind) => {
    expect(normalized({ 'gen_ai.operation.name': operation }).kind).toBe(kind)
  })

  test.each([
    [
      'a call over MCP',
      { 'mcp.method.name': 'tools/call', 'gen_ai.operation.name': 'execute_tool' },
      'mcp',
    ],
    ['a tool by its name', { 'gen_ai.tool.name': 'get_weather' }, 'tool'],
    [
      'a tool with empty attributes of a model',
      {
        'gen_ai.tool.name': 'get_weather',
        'gen_ai.request.model': '',
        'gen_ai.usage.input_tokens': 0,
      },
      'tool',
    ],
    [
      'a model and its tokens',
      { 'gen_ai.request.model': 'm', 'gen_ai.usage.output_tokens': 0 },
      'llm',
    ],
    ['messages alone', { [outputKey]: '[{}]' }, 'llm'],
    ['a model alone', { 'gen_ai.request.model': 'm' }, 'span'],
    ['documents', { 'gen_ai.retrieval.documents': '[{}]' }, 'retriever'],
    ['no convention at all', { 'http.route': '/' }, 'span'],
    [
      'a key that only begins alike',
      { gen_ai_operation: 'chat', 'gen_airy.operation.name': 'chat' },
      'span',
    ],
    [
      'two vocabularies, of which one names the kind',
      { 'openinference.span.kind': 'GUARDRAIL', 'gen_ai.operation.name': 'chat' },
      'guardrail',
    ],
  ])('of %s', (_situation, attributes, kind) => {
    expect(normalized(attributes).kind).toBe(kind)
  })
})

describe('the model and its tokens', () => {
  test('are those of the response', () => {
    const span = normalized({
      'gen_ai.request.model': 'gpt-4o-mini',
      'gen_ai.response.model': 'gpt-4o-mini-2024-07-18',
      'gen_ai.usage.input_tokens': 50,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 16,
      'gen_ai.usage.reasoning.output_tokens': 4,
    })
    expect(span).toMatchObject({
      model: 'gpt-4o-mini-2024-07-18',
      tokensIn: 50,
      tokensOut: 20,
      tokensCacheRead: 16,
      tokensCacheWrite: null,
      tokensReasoning: 4,
      costUsd: null,
      costSource: 'unknown',
    })
  })

  test('reported under old and new names count once', () => {
    const span = normalized({
      'gen_ai.usage.input_tokens': 50,
      'gen_ai.usage.prompt_tokens': 50,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.completion_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 30,
      'gen_ai.usage.cache_read_input_tokens': 30,
      'gen_ai.usage.cache_write.input_tokens': 10,
      'gen_ai.usage.cache_creation.input_tokens': 10,
      'gen_ai.usage.cache_creation_input_tokens': 10,
    })
    const { tokensIn, tokensOut, tokensCacheRead, tokensCacheWrite } = span
    expect([tokensIn, tokensOut, tokensCacheRead, tokensCacheWrite]).toEqual([50, 20, 30, 10])
  })

  test.each([
    ['1234', 1234],
    [12.4, 12],
    [0, 0],
    [2n ** 60n, Number.MAX_SAFE_INTEGER],
    ['', null],
    ['many', null],
    [-1, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [true, null],
    [[50], null],
  ])('a count reported as %s is %s', (reported, stored) => {
    expect(normalized({ 'gen_ai.usage.output_tokens': reported }).tokensOut).toBe(stored)
  })

  test('T25: a reported cost is stored, 0 as well', () => {
    expect(normalized({ 'gen_ai.usage.cost': 0 })).toMatchObject({
      costUsd: 0,
      costSource: 'reported',
    })
    expect(normalized({ 'gen_ai.usage.total_cost': '0.25' }).costUsd).toBe(0.25)
  })
})

describe('input and output of a model call', () => {
  test('JSON is stored unchanged, to the byte', () => {
    const text = ' [ {"role" : "user", "n": 1.0e0, "id": 12345678901234567890} ]\n'
    expect(normalized({ [inputKey]: text, [outputKey]: text }).body).toMatchObject({
      input: text,
      output: text,
    })
  })

  test('text that is not JSON is stored as a string, including truncated JSON', () => {
    const { body } = normalized({ [inputKey]: '[{"role":"user"', [outputKey]: 'Hello' })
    expect([body.input, body.output]).toEqual(['"[{\\"role\\":\\"user\\""', '"Hello"'])
  })

  test('JSON nested beyond the limit is stored as a string', () => {
    const deep = '['.repeat(129) + ']'.repeat(129)
    expect(JSON.parse(normalized({ [inputKey]: deep }).body.input)).toBe(deep)
    expect(normalized({ [inputKey]: deep.slice(1, -1) }).body.input).toBe(deep.slice(1, -1))
  })

  test('messages with their structure are the same as messages in JSON', () => {
    const structured = [
      new Map<string, string | readonly ReadonlyMap<string, string>[]>([
        ['role', 'user'],
        [
          'parts',
          [
            new Map([
              ['type', 'text'],
              ['content', 'Weather?'],
            ]),
          ],
        ],
      ]),
    ]
    const { input } = normalized({ [inputKey]: structured }).body
    expect(input).toBe(normalized({ [inputKey]: JSON.stringify(prompt) }).body.input)
  })

  test.each([
    ['parts', JSON.stringify(terse.parts)],
    ['whole messages', JSON.stringify([terse])],
    ['one message', JSON.stringify(terse)],
    ['one part', JSON.stringify(terse.parts[0])],
    ['a JSON string', '"Be terse."'],
    ['bare text', 'Be terse.'],
    [
      'structured parts',
      [
        new Map([
          ['type', 'text'],
          ['content', 'Be terse.'],
        ]),
      ],
    ],
  ])('instructions as %s are the first message', (_form, instructions) => {
    const { body } = normalized({
      [instructionsKey]: instructions,
      [inputKey]: JSON.stringify(prompt),
    })
    expect(JSON.parse(body.input)).toEqual([terse, ...prompt])
  })

  test.each([
    ['none', undefined, [terse]],
    ['an empty list', '[]', [terse]],
    ['text', 'Weather?', [terse, 'Weather?']],
    ['one message', JSON.stringify(prompt[0]), [terse, ...prompt]],
  ])('instructions go before messages that are %s', (_form, messages, expected) => {
    const { body } = normalized({
      [instructionsKey]: JSON.stringify(terse.parts),
      ...(messages === undefined ? {} : { [inputKey]: messages }),
    })
    expect(JSON.parse(body.input)).toEqual(expected)
  })

  test.each(['', '[]', '{}', '""', 'null'])('instructions of %j are none', (instructions) => {
    const { body } = normalized({ [instructionsKey]: instructions, [inputKey]: '[1]' })
    expect(body.input).toBe('[1]')
  })

  test('content in events of the span is combined', () => {
    const name = 'gen_ai.client.inference.operation.details'
    const { body } = normalized(
      { 'gen_ai.operation.name': 'chat' },
      {
        events: [
          event(name, { [inputKey]: JSON.stringify(prompt) }),
          event(name, { [instructionsKey]: JSON.stringify(terse.parts), [outputKey]: '[2]' }),
          event('another', { [outputKey]: '[3]' }),
        ],
      },
    )
    expect([JSON.parse(body.input), body.output]).toEqual([[terse, ...prompt], '[2]'])
  })
})

describe('input and output of everything else', () => {
  test('of a tool are its arguments and its result, before any messages', () => {
    const { body } = normalized({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.call.arguments': '{"city":"Paris"}',
      'gen_ai.tool.call.result': '"14 degrees"',
      [inputKey]: '[1]',
      [outputKey]: '[2]',
    })
    expect([body.input, body.output]).toEqual(['{"city":"Paris"}', '"14 degrees"'])
  })

  test('of an agent are its messages', () => {
    const { body } = normalized({
      'gen_ai.operation.name': 'invoke_agent',
      [inputKey]: '[1]',
      [outputKey]: '[2]',
    })
    expect([body.input, body.output]).toEqual(['[1]', '[2]'])
  })

  test('an empty value hides no other, and is stored where there is no other', () => {
    const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.arguments': '{}' }
    expect(normalized({ ...tool, [inputKey]: '[1]' }).body.input).toBe('[1]')
    expect(normalized(tool).body.input).toBe('{}')
    expect(normalized(tool).body.output).toBe('null')
  })

  test('of a search are its query and what it found', () => {
    const { body } = normalized({
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.retrieval.query.text': 'rain in Paris',
      'gen_ai.retrieval.documents': [new Map([['id', 'd1']])],
    })
    expect([body.input, body.output]).toEqual(['"rain in Paris"', '[{"id":"d1"}]'])
  })
})

describe('how a span went', () => {
  test.each([
    ['nothing', 0, {}, 'OK'],
    ['an error type alone', 0, { 'error.type': 'timeout' }, 'ERROR'],
    ['an empty error type', 0, { 'error.type': '' }, 'OK'],
    ['an error', 2, {}, 'ERROR'],
    ['success beside an error type', 1, { 'error.type': 'timeout' }, 'OK'],
  ])('follows from %s', (_situation, statusCode, attributes, status) => {
    expect(normalized(attributes, { statusCode }).status).toBe(status)
  })

  test.each([
    ['its own message', 'broke', 'broke'],
    ['else its last exception', '', 'second'],
  ])('is explained by %s', (_situation, statusMessage, expected) => {
    const events = [
      event('exception', { 'exception.message': 'first' }),
      event('exception', { 'exception.message': 'second' }),
      event('later', { 'exception.message': 'third' }),
    ]
    const span = normalized({ 'error.type': 'E' }, { statusCode: 2, statusMessage, events })
    expect(span.statusMessage).toBe(expected)
  })

  test('is the error type where there is no message, and null without an error', () => {
    expect(normalized({ 'error.type': 'E' }).statusMessage).toBe('E')
    const events = [event('exception', { 'exception.message': 'handled' })]
    expect(normalized({}, { events }).statusMessage).toBeNull()
  })
})

describe('session, user and source', () => {
  test('session, user and environment come from the span, else from the resource', () => {
    const resource = {
      'session.id': 's-resource',
      'user.id': 'u-resource',
      'deployment.environment': 'staging',
      'service.name': 'shop',
    }
    expect(normalized({}, {}, { resource })).toMatchObject({
      sessionId: 's-resource',
      userId: 'u-resource',
      environment: 'staging',
      service: 'shop',
    })
    const reported = {
      'session.id': 42,
      'gen_ai.conversation.id': 'c',
      'enduser.id': 'u',
      'deployment.environment.name': 'production',
    }
    expect(normalized(reported, {}, { resource })).toMatchObject({
      sessionId: '42',
      userId: 'u',
      environment: 'production',
    })
    expect(normalized({ 'gen_ai.conversation.id': 'c' }, {}, { resource }).sessionId).toBe('c')
  })

  test('the sdk is the instrumentation, else that of the resource', () => {
    const resource = {
      'telemetry.sdk.name': 'opentelemetry',
      'telemetry.sdk.language': 'python',
      'telemetry.sdk.version': '1.38.0',
    }
    expect(normalized({}, {}, { resource }).sdk).toBe('opentelemetry python 1.38.0')
    const scope = { name: 'shop', version: '2.1.0' }
    expect(normalized({}, {}, { resource, scope }).sdk).toBe('shop 2.1.0')
    expect(normalized().sdk).toBeNull()
  })

  test('resource and scope are stored whole', () => {
    const { body } = normalized(
      {},
      {},
      {
        resource: { 'service.name': 'shop', 'host.id': 7 },
        scope: {
          name: 'ai',
          version: '1',
          schemaUrl: 'https://opentelemetry.io/schemas/1.41.0',
          attributes: new Map([['a', true]]),
          droppedAttributesCount: 2,
        },
      },
    )
    expect(JSON.parse(body.resource)).toEqual({
      attributes: { 'service.name': 'shop', 'host.id': 7 },
    })
    expect(JSON.parse(body.scope)).toEqual({
      name: 'ai',
      version: '1',
      schema_url: 'https://opentelemetry.io/schemas/1.41.0',
      attributes: { a: true },
      dropped_attributes_count: 2,
    })
  })
})
