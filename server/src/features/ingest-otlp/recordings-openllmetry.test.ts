import { describe, expect, test } from 'vitest'
import {
  answer,
  answering,
  called,
  calling,
  city,
  finished,
  model,
  question,
  rowsOf,
  sent,
  system,
  textMessage,
  trace,
  tracesOf,
  user,
  weather,
} from '../../../test/recorded.ts'

/*
 * What OpenLLMetry’s instrumentations sent, span by span.
 */

describe('a workflow in Python', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('openllmetry-python')).toEqual([
      [
        ...['openai.chat', 'llm', model, [50, 20, 16, null, 4]],
        ...[[system, user], [finished(calling, 'tool_call')]],
      ],
      [
        ...['openai.chat', 'llm', model, [80, 12, 16, null, null]],
        ...[sent('gen_ai.input.messages'), [finished(answering, 'stop')]],
      ],
      [...['get_weather.tool', 'tool', null, null], ...[{ args: [], kwargs: city }, weather]],
      [...['answer.workflow', 'chain', null, null], ...[{ args: [question], kwargs: {} }, answer]],
    ])
  })

  test('T41 its traces add up, and session and user come from its own attributes', () => {
    expect(tracesOf('openllmetry-python')).toEqual([
      trace('openllmetry-python', 'traceloop.tracer', {
        root: 'answer.workflow',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
        session: 'session-1',
        user: 'ana',
      }),
    ])
  })
})

describe('the same in the generation of 2025', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('openllmetry-python-2025')).toEqual([
      [
        ...['openai.chat', 'llm', model, [50, 20, 16, null, 4]],
        ...[[system, user], [finished(calling, 'tool_calls')]],
      ],
      [
        ...['openai.chat', 'llm', model, [80, 12, 16, null, null]],
        ...[[system, user, calling, called], [finished(answering, 'stop')]],
      ],
      [...['get_weather.tool', 'tool', null, null], ...[{ args: [], kwargs: city }, weather]],
      [...['answer.workflow', 'chain', null, null], ...[{ args: [question], kwargs: {} }, answer]],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('openllmetry-python-2025')).toEqual([
      trace('openllmetry-python-2025', 'traceloop.tracer', {
        root: 'answer.workflow',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
        session: 'session-1',
        user: 'ana',
      }),
    ])
  })
})

describe('OpenAI’s client in JavaScript', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('openllmetry-javascript')).toEqual([
      [
        ...['chat gpt-4o-mini', 'llm', model, [50, 20, null, null, null]],
        ...[[system, user], [finished(calling, 'tool_call')]],
      ],
      [
        ...['chat gpt-4o-mini', 'llm', model, null],
        ...[
          [
            system,
            user,
            calling,
            {
              role: 'tool',
              parts: [
                { type: 'tool_call_response', id: 'call_1', response: '{"temp":14,"sky":"rain"}' },
              ],
            },
          ],
          [finished(answering, 'stop')],
        ],
      ],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('openllmetry-javascript')).toEqual([
      trace('openllmetry-javascript', '@traceloop/instrumentation-openai 0.27.0', {
        root: 'chat gpt-4o-mini',
        tokens: [50, 20],
        calls: { llm: 1, tool: 0 },
      }),
      trace('openllmetry-javascript', '@traceloop/instrumentation-openai 0.27.0', {
        root: 'chat gpt-4o-mini',
        tokens: [0, 0],
        calls: { llm: 1, tool: 0 },
      }),
    ])
  })
})

describe('a client of MCP in JavaScript', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('openllmetry-mcp')).toEqual([
      [
        ...['initialize.mcp', 'mcp', null, null],
        ...[
          {
            protocolVersion: '2025-11-25',
            capabilities: {},
            clientInfo: { name: 'app', version: '1.0.0' },
          },
          {
            protocolVersion: '2025-11-25',
            capabilities: { tools: { listChanged: true } },
            serverInfo: { name: 'weather', version: '1.0.0' },
          },
        ],
      ],
      [
        ...['tools/list.mcp', 'mcp', null, null],
        ...[null, { tools: [{ name: 'get_weather', description: 'The weather in a city, now.' }] }],
      ],
      [
        ...['get_weather.tool', 'tool', null, null],
        ...[{ tool_name: 'get_weather', arguments: city }, { result: '{"temp":14,"sky":"rain"}' }],
      ],
      [...['mcp.client.session', 'chain', null, null], ...[null, null]],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('openllmetry-mcp')).toEqual([
      trace('openllmetry-mcp', '@traceloop/instrumentation-mcp 0.27.0', {
        root: 'mcp.client.session',
        tokens: [0, 0],
        calls: { llm: 0, tool: 1 },
      }),
    ])
  })
})

describe('CrewAI', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('openllmetry-crewai')).toEqual([
      [
        ...['openai.chat', 'llm', model, [50, 20, 16, null, 4]],
        ...[
          [
            textMessage(
              'system',
              'You are weather. Knows the sky.\nYour personal goal is: You are terse.',
            ),
            textMessage(
              'user',
              '\nCurrent Task: Weather in Paris? 🌧\n\nThis is the expected criteria for your final answer: A sentence.\nyou MUST return the actual complete content as the final answer, not a summary.',
            ),
          ],
          [finished(calling, 'tool_call')],
        ],
      ],
      [
        ...['openai.chat', 'llm', model, [80, 12, 16, null, 0]],
        ...[sent('gen_ai.input.messages'), [finished(answering, 'stop')]],
      ],
      [...['weather.agent', 'agent', 'gpt-4o-mini', null], ...[null, null]],
      [...['Weather in Paris? 🌧.task', 'chain', null, null], ...[question, answer]],
      [
        ...['crewai.workflow', 'chain', null, null],
        ...[
          [
            {
              id: 'an id',
              agent: 'weather',
              description: question,
              async_execution: false,
              expected_output: 'A sentence.',
              human_input: false,
              tools: [{ name: 'get_weather', description: 'The weather in a city, now.' }],
              output_file: null,
            },
          ],
          answer,
        ],
      ],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('openllmetry-crewai')).toEqual([
      trace('openllmetry-crewai', 'opentelemetry.instrumentation.crewai.instrumentation 0.36.0', {
        root: 'crewai.workflow',
        tokens: [130, 32],
        calls: { llm: 2, tool: 0 },
      }),
    ])
  })
})
