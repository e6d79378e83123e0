import { describe, expect, test } from 'vitest'
import {
  answer,
  answering,
  calling,
  city,
  finished,
  model,
  question,
  rowsOf,
  sent,
  system,
  tagsOf,
  trace,
  tracesOf,
  user,
  weather,
} from '../../../test/recorded.ts'

/*
 * What the SDKs of tracing platforms sent, span by span.
 */

describe('Langfuse in Python', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('langfuse-python')).toEqual([
      [
        ...['OpenAI-generation', 'llm', model, [50, 20, 16, null, 4]],
        ...[
          {
            tools: [
              {
                type: 'function',
                function: {
                  name: 'get_weather',
                  description: 'The weather in a city, now.',
                  parameters: {
                    type: 'object',
                    properties: { city: { type: 'string' } },
                    required: ['city'],
                  },
                },
              },
            ],
            messages: [
              { role: 'system', content: 'You are terse.' },
              { role: 'user', content: question },
            ],
          },
          {
            role: 'assistant',
            tool_calls: [
              {
                id: 'call_1',
                function: { arguments: '{"city":"Paris"}', name: 'get_weather' },
                type: 'function',
              },
            ],
            content: null,
          },
        ],
      ],
      [...['get_weather', 'tool', null, null], ...[{ args: [], kwargs: city }, weather]],
      [
        ...['OpenAI-generation', 'llm', model, [80, 12, 16, null, 0]],
        ...[sent('langfuse.observation.input'), answer],
      ],
      [...['weather', 'agent', null, null], ...[{ args: [question], kwargs: {} }, answer]],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('langfuse-python')).toEqual([
      trace('langfuse-python', 'langfuse-sdk 5.0.4', {
        root: 'weather',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
        session: 'session-1',
        user: 'ana',
        environment: 'recording',
      }),
    ])
  })
})

describe('Langfuse in JavaScript', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('langfuse-javascript')).toEqual([
      [
        ...['OpenAI.chat', 'llm', model, [50, 20, 16, null, 4]],
        ...[
          {
            messages: [
              { role: 'system', content: 'You are terse.' },
              { role: 'user', content: question },
            ],
            tools: [
              {
                type: 'function',
                function: {
                  name: 'get_weather',
                  description: 'The weather in a city, now.',
                  parameters: {
                    type: 'object',
                    properties: { city: { type: 'string' } },
                    required: ['city'],
                  },
                },
              },
            ],
          },
          {
            role: 'assistant',
            content: null,
            refusal: null,
            tool_calls: [
              {
                id: 'call_1',
                type: 'function',
                function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
              },
            ],
          },
        ],
      ],
      [...['get_weather', 'tool', null, null], ...[city, weather]],
      [
        ...['OpenAI.chat', 'llm', 'gpt-4o-mini', [80, 12, 16, null, 0]],
        ...[sent('langfuse.observation.input'), answer],
      ],
      [...['weather', 'agent', null, null], ...[question, answer]],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('langfuse-javascript')).toEqual([
      trace('langfuse-javascript', 'langfuse-sdk 5.11.1', {
        root: 'weather',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
        session: 'session-1',
        user: 'ana',
        environment: 'recording',
      }),
    ])
  })
})

describe('LangSmith, of LangGraph', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('langsmith')).toEqual([
      [
        ...['weather', 'chain', null, null],
        ...[{ messages: [{ role: 'user', content: question }] }, sent('gen_ai.completion')],
      ],
      [
        ...['model', 'chain', null, null],
        ...[
          {
            messages: [
              {
                content: question,
                additional_kwargs: {},
                response_metadata: {},
                type: 'human',
                id: 'an id',
              },
            ],
          },
          sent('gen_ai.completion'),
        ],
      ],
      [
        ...['ChatOpenAI', 'llm', 'gpt-4o-mini', [50, 20, 16, null, 4]],
        ...[
          {
            messages: [
              [
                {
                  lc: 1,
                  type: 'constructor',
                  id: ['langchain', 'schema', 'messages', 'SystemMessage'],
                  kwargs: { content: 'You are terse.', type: 'system' },
                },
                {
                  lc: 1,
                  type: 'constructor',
                  id: ['langchain', 'schema', 'messages', 'HumanMessage'],
                  kwargs: { content: question, type: 'human', id: 'an id' },
                },
              ],
            ],
          },
          sent('gen_ai.completion'),
        ],
      ],
      [
        ...['tools', 'chain', null, null],
        ...[
          { input: [{ name: 'get_weather', args: city, id: 'call_1', type: 'tool_call' }] },
          {
            messages: [
              {
                content: '{"temp": 14, "sky": "rain"}',
                additional_kwargs: {},
                response_metadata: {},
                type: 'tool',
                name: 'get_weather',
                id: 'an id',
                tool_call_id: 'call_1',
                status: 'success',
              },
            ],
          },
        ],
      ],
      [
        ...['get_weather', 'tool', null, null],
        ...[
          city,
          {
            output: {
              content: '{"temp": 14, "sky": "rain"}',
              additional_kwargs: {},
              response_metadata: {},
              type: 'tool',
              name: 'get_weather',
              tool_call_id: 'call_1',
              status: 'success',
            },
          },
        ],
      ],
      [...['model', 'chain', null, null], ...[sent('gen_ai.prompt'), sent('gen_ai.completion')]],
      [
        ...['ChatOpenAI', 'llm', 'gpt-4o-mini', [80, 12, 16, null, 0]],
        ...[sent('gen_ai.prompt'), sent('gen_ai.completion')],
      ],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('langsmith')).toEqual([
      trace('langsmith', 'langsmith', {
        root: 'weather',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
        session: 'session-1',
      }),
    ])
  })
})

describe('MLflow', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('mlflow')).toEqual([
      [
        ...['Completions', 'llm', model, [50, 20, 16, null, null]],
        ...[
          {
            model: 'gpt-4o-mini',
            messages: [
              { role: 'system', content: 'You are terse.' },
              { role: 'user', content: question },
            ],
            tools: [
              {
                type: 'function',
                function: {
                  name: 'get_weather',
                  description: 'The weather in a city, now.',
                  parameters: {
                    type: 'object',
                    properties: { city: { type: 'string' } },
                    required: ['city'],
                  },
                },
              },
            ],
          },
          sent('mlflow.spanOutputs'),
        ],
      ],
      [...['get_weather', 'tool', null, null], ...[city, weather]],
      [
        ...['Completions', 'llm', model, [80, 12, 16, null, null]],
        ...[sent('mlflow.spanInputs'), sent('mlflow.spanOutputs')],
      ],
      [...['weather', 'agent', null, null], ...[{ question }, answer]],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('mlflow')).toEqual([
      trace('mlflow', 'mlflow.tracing.provider', {
        root: 'weather',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
        session: 'session-1',
        user: 'ana',
      }),
    ])
  })
})

describe('Logfire', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('logfire')).toEqual([
      [
        ...['Chat Completion with {request_data[model]!r}', 'llm', model, [50, 20, 16, null, 4]],
        ...[[system, user], [finished(calling, 'tool_calls')]],
      ],
      [
        ...['Chat Completion with {request_data[model]!r}', 'llm', 'gpt-4o-mini', null],
        ...[
          [
            system,
            user,
            calling,
            {
              role: 'tool',
              parts: [
                {
                  type: 'tool_call_response',
                  id: 'call_1',
                  response: '{"temp": 14, "sky": "rain"}',
                },
              ],
            },
          ],
          null,
        ],
      ],
      [
        ...[
          'streaming response from {request_data[model]!r} took {duration:.2f}s',
          'chain',
          'gpt-4o-mini',
          [80, 12, 16, null, 0],
        ],
        ...[
          [
            system,
            user,
            calling,
            {
              role: 'tool',
              parts: [
                {
                  type: 'tool_call_response',
                  id: 'call_1',
                  response: '{"temp": 14, "sky": "rain"}',
                },
              ],
            },
          ],
          [finished(answering, 'stop')],
        ],
      ],
      [...['answer {question}', 'span', null, null], ...[null, null]],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('logfire')).toEqual([
      trace('logfire', 'logfire 5.2.0', {
        root: 'answer {question}',
        tokens: [130, 32],
        calls: { llm: 2, tool: 0 },
        costUsd: 0.0000363,
      }),
    ])
  })
})

describe('LiteLLM', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('litellm')).toEqual([
      [
        ...['litellm_request', 'llm', model, [50, 20, 16, null, 4]],
        ...[
          [system, user],
          [
            {
              role: 'assistant',
              parts: [{ type: 'tool_call', name: 'get_weather', arguments: city }],
            },
          ],
        ],
      ],
      [...['raw_gen_ai_request', 'chain', null, null], ...[null, null]],
      [
        ...['litellm_request', 'llm', model, [80, 12, 16, null, 0]],
        ...[sent('gen_ai.input.messages'), [finished(answering, 'stop')]],
      ],
      [...['raw_gen_ai_request', 'chain', null, null], ...[null, null]],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('litellm')).toEqual([
      trace('litellm', 'litellm', {
        root: 'litellm_request',
        tokens: [50, 20],
        calls: { llm: 1, tool: 0 },
        costUsd: 0.0000183,
        user: 'ana',
      }),
      trace('litellm', 'litellm', {
        root: 'litellm_request',
        tokens: [80, 12],
        calls: { llm: 1, tool: 0 },
        costUsd: 0.000018,
        user: 'ana',
      }),
    ])
  })
})

test.each([
  ['langfuse-javascript', [['weather']]],
  ['langfuse-python', [['weather']]],
  ['langsmith', [['weather']]],
  ['logfire', [['LLM']]],
  ['openinference-python', [['weather'], ['weather'], ['weather']]],
])('%s: the tags of its spans are those of the trace', (recording, tags) => {
  expect(tagsOf(recording)).toEqual(tags)
})
