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
  textMessage,
  trace,
  tracesOf,
  user,
  weather,
} from '../../../test/recorded.ts'

/*
 * What agent frameworks with tracing of their own sent, span by span.
 */

describe('the AI SDK in its older format', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('ai-sdk-legacy')).toEqual([
      [...['ai.toolCall', 'tool', null, null], ...[city, weather]],
      [
        ...['ai.generateText.doGenerate', 'llm', model, [50, 20, 16, null, 4]],
        ...[
          [
            { role: 'system', content: 'You are terse.' },
            { role: 'user', content: [{ type: 'text', text: question }] },
          ],
          [
            {
              role: 'assistant',
              tool_calls: [{ toolCallId: 'call_1', toolName: 'get_weather', input: city }],
              finish_reason: 'tool-calls',
            },
          ],
        ],
      ],
      [
        ...['ai.generateText.doGenerate', 'llm', model, [80, 12, 16, null, 0]],
        ...[
          sent('ai.prompt.messages'),
          [{ role: 'assistant', content: answer, finish_reason: 'stop' }],
        ],
      ],
      [
        ...['ai.generateText', 'agent', 'gpt-4o-mini', [130, 32, 32, null, 4]],
        ...[
          { system: 'You are terse.', messages: [{ role: 'user', content: question }] },
          [
            {
              role: 'assistant',
              content: answer,
              tool_calls: [{ toolCallId: 'call_1', toolName: 'get_weather', input: city }],
              finish_reason: 'stop',
            },
          ],
        ],
      ],
      [
        ...['ai.generateText.doGenerate', 'llm', 'refused-model', null],
        ...[
          [
            { role: 'system', content: 'You are terse.' },
            { role: 'user', content: [{ type: 'text', text: question }] },
          ],
          null,
        ],
      ],
      [
        ...['ai.generateText', 'agent', 'refused-model', null],
        ...[{ system: 'You are terse.', messages: [{ role: 'user', content: question }] }, null],
      ],
    ])
  })

  test('T17 its traces are the sums of their calls, which the agent repeats', () => {
    expect(tracesOf('ai-sdk-legacy')).toEqual([
      trace('ai-sdk-legacy', 'ai', {
        root: 'ai.generateText',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
      }),
      trace('ai-sdk-legacy', 'ai', {
        root: 'ai.generateText',
        tokens: [0, 0],
        calls: { llm: 1, tool: 0 },
        status: 'ERROR',
      }),
    ])
  })
})

describe('Pydantic AI in format 2, its agents repeating their calls', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('pydantic-ai-2')).toEqual([
      [
        ...['chat gpt-4o-mini', 'llm', model, [50, 20, 16, null, 4]],
        ...[
          [system, user],
          [
            {
              role: 'assistant',
              parts: [
                {
                  type: 'tool_call',
                  id: 'call_1',
                  name: 'get_weather',
                  arguments: '{"city":"Paris"}',
                },
              ],
              finish_reason: 'tool_call',
            },
          ],
        ],
      ],
      [...['running tool', 'tool', null, null], ...[city, weather]],
      [
        ...['chat gpt-4o-mini', 'llm', model, [80, 12, 16, null, 0]],
        ...[
          [
            system,
            user,
            {
              role: 'assistant',
              parts: [
                {
                  type: 'tool_call',
                  id: 'call_1',
                  name: 'get_weather',
                  arguments: '{"city":"Paris"}',
                },
              ],
              finish_reason: 'tool_call',
            },
            {
              role: 'user',
              parts: [
                { type: 'tool_call_response', id: 'call_1', name: 'get_weather', result: weather },
              ],
            },
          ],
          [finished(answering, 'stop')],
        ],
      ],
      [
        ...['agent run', 'agent', 'gpt-4o-mini', [130, 32, 32, null, 4]],
        ...[
          [
            system,
            user,
            {
              role: 'assistant',
              parts: [
                {
                  type: 'tool_call',
                  id: 'call_1',
                  name: 'get_weather',
                  arguments: '{"city":"Paris"}',
                },
              ],
              finish_reason: 'tool_call',
            },
            {
              role: 'user',
              parts: [
                { type: 'tool_call_response', id: 'call_1', name: 'get_weather', result: weather },
              ],
            },
            finished(answering, 'stop'),
          ],
          answer,
        ],
      ],
    ])
  })

  test('T17 its traces are the sums of their calls, which the agent repeats', () => {
    expect(tracesOf('pydantic-ai-2')).toEqual([
      trace('pydantic-ai-2', 'pydantic-ai 2.68.0', {
        root: 'agent run',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
        costUsd: 0.0000363,
        session: 'session-1',
      }),
    ])
  })
})

describe('Pydantic AI in format 6', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('pydantic-ai-6')).toEqual([
      [
        ...['chat gpt-4o-mini', 'llm', model, [50, 20, 16, null, 4]],
        ...[
          [system, user],
          [
            {
              role: 'assistant',
              parts: [
                {
                  type: 'tool_call',
                  id: 'call_1',
                  name: 'get_weather',
                  arguments: '{"city":"Paris"}',
                },
              ],
              finish_reason: 'tool_call',
            },
          ],
        ],
      ],
      [...['execute_tool get_weather', 'tool', null, null], ...[city, weather]],
      [
        ...['chat gpt-4o-mini', 'llm', model, [80, 12, 16, null, 0]],
        ...[
          [
            system,
            user,
            {
              role: 'assistant',
              parts: [
                {
                  type: 'tool_call',
                  id: 'call_1',
                  name: 'get_weather',
                  arguments: '{"city":"Paris"}',
                },
              ],
              finish_reason: 'tool_call',
            },
            {
              role: 'tool',
              parts: [
                { type: 'tool_call_response', id: 'call_1', name: 'get_weather', result: weather },
              ],
            },
          ],
          [finished(answering, 'stop')],
        ],
      ],
      [
        ...['invoke_agent weather', 'agent', 'gpt-4o-mini', [130, 32, 32, null, 4]],
        ...[
          [
            system,
            user,
            {
              role: 'assistant',
              parts: [
                {
                  type: 'tool_call',
                  id: 'call_1',
                  name: 'get_weather',
                  arguments: '{"city":"Paris"}',
                },
              ],
              finish_reason: 'tool_call',
            },
            {
              role: 'tool',
              parts: [
                { type: 'tool_call_response', id: 'call_1', name: 'get_weather', result: weather },
              ],
            },
            finished(answering, 'stop'),
          ],
          answer,
        ],
      ],
    ])
  })

  test('T17 its traces are the sums of their calls, which the agent repeats', () => {
    expect(tracesOf('pydantic-ai-6')).toEqual([
      trace('pydantic-ai-6', 'pydantic-ai 2.68.0', {
        root: 'invoke_agent weather',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
        costUsd: 0.0000363,
        session: 'session-1',
      }),
    ])
  })
})

describe('Strands, content in events, an agent that goes on adding up', () => {
  test('T28 every span has its kind, model, tokens, and from its events input and output', () => {
    expect(rowsOf('strands')).toEqual([
      [
        ...['chat', 'llm', 'gpt-4o-mini', [50, 20, 16, null, null]],
        ...[[system, user], [finished(calling, 'tool_use')]],
      ],
      [...['execute_tool get_weather', 'tool', null, null], ...[city, [{ json: weather }]]],
      [...['execute_event_loop_cycle', 'chain', null, null], ...[[user], [calling]]],
      [
        ...['chat', 'llm', 'gpt-4o-mini', [80, 12, 16, null, null]],
        ...[
          [
            system,
            user,
            calling,
            {
              role: 'tool',
              parts: [{ type: 'tool_call_response', id: 'call_1', response: [{ json: weather }] }],
            },
          ],
          [finished(answering, 'end_turn')],
        ],
      ],
      [
        ...['execute_event_loop_cycle', 'chain', null, null],
        ...[
          [
            user,
            calling,
            {
              role: 'tool',
              parts: [{ type: 'tool_call_response', id: 'call_1', response: [{ json: weather }] }],
            },
          ],
          null,
        ],
      ],
      [
        ...['invoke_agent weather', 'agent', 'gpt-4o-mini', [130, 32, 32, 0, null]],
        ...[
          [system, user],
          [
            finished(
              textMessage('assistant', 'It is 14 degrees and raining in Paris.\n'),
              'end_turn',
            ),
          ],
        ],
      ],
      [
        ...['chat', 'llm', 'gpt-4o-mini', [80, 12, 16, null, null]],
        ...[
          [
            system,
            user,
            calling,
            {
              role: 'tool',
              parts: [{ type: 'tool_call_response', id: 'call_1', response: [{ json: weather }] }],
            },
            answering,
            textMessage('user', 'And tomorrow?'),
          ],
          [finished(answering, 'end_turn')],
        ],
      ],
      [
        ...['execute_event_loop_cycle', 'chain', null, null],
        ...[
          [
            user,
            calling,
            {
              role: 'tool',
              parts: [{ type: 'tool_call_response', id: 'call_1', response: [{ json: weather }] }],
            },
            answering,
            textMessage('user', 'And tomorrow?'),
          ],
          null,
        ],
      ],
      [
        ...['invoke_agent weather', 'agent', 'gpt-4o-mini', [210, 44, 48, 0, null]],
        ...[
          [system, textMessage('user', 'And tomorrow?')],
          [
            finished(
              textMessage('assistant', 'It is 14 degrees and raining in Paris.\n'),
              'end_turn',
            ),
          ],
        ],
      ],
    ])
  })

  test('T17 its traces are the sums of their calls, though the agent adds up all it ever used', () => {
    expect(tracesOf('strands')).toEqual([
      trace('strands', 'strands.telemetry.tracer', {
        root: 'invoke_agent weather',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
        session: 'session-1',
        user: 'ana',
      }),
      trace('strands', 'strands.telemetry.tracer', {
        root: 'invoke_agent weather',
        tokens: [80, 12],
        calls: { llm: 1, tool: 0 },
        session: 'session-1',
        user: 'ana',
      }),
    ])
  })
})

describe('Strands in the current conventions', () => {
  test('T28 every span has its kind, model, tokens, and from its events input and output', () => {
    expect(rowsOf('strands-latest')).toEqual([
      [
        ...['chat', 'llm', 'gpt-4o-mini', [50, 20, 16, null, null]],
        ...[[system, user], [finished(calling, 'tool_use')]],
      ],
      [...['execute_tool get_weather', 'tool', null, null], ...[city, [{ json: weather }]]],
      [...['execute_event_loop_cycle', 'chain', null, null], ...[[user], null]],
      [
        ...['chat', 'llm', 'gpt-4o-mini', [80, 12, 16, null, null]],
        ...[
          [
            system,
            user,
            calling,
            {
              role: 'user',
              parts: [{ type: 'tool_call_response', id: 'call_1', response: [{ json: weather }] }],
            },
          ],
          [finished(answering, 'end_turn')],
        ],
      ],
      [
        ...['execute_event_loop_cycle', 'chain', null, null],
        ...[
          [
            user,
            calling,
            {
              role: 'user',
              parts: [{ type: 'tool_call_response', id: 'call_1', response: [{ json: weather }] }],
            },
          ],
          null,
        ],
      ],
      [
        ...['invoke_agent weather', 'agent', 'gpt-4o-mini', [130, 32, 32, 0, null]],
        ...[
          [system, user],
          [
            finished(
              textMessage('assistant', 'It is 14 degrees and raining in Paris.\n'),
              'end_turn',
            ),
          ],
        ],
      ],
      [
        ...['chat', 'llm', 'gpt-4o-mini', [80, 12, 16, null, null]],
        ...[
          [
            system,
            user,
            calling,
            {
              role: 'user',
              parts: [{ type: 'tool_call_response', id: 'call_1', response: [{ json: weather }] }],
            },
            answering,
            textMessage('user', 'And tomorrow?'),
          ],
          [finished(answering, 'end_turn')],
        ],
      ],
      [
        ...['execute_event_loop_cycle', 'chain', null, null],
        ...[
          [
            user,
            calling,
            {
              role: 'user',
              parts: [{ type: 'tool_call_response', id: 'call_1', response: [{ json: weather }] }],
            },
            answering,
            textMessage('user', 'And tomorrow?'),
          ],
          null,
        ],
      ],
      [
        ...['invoke_agent weather', 'agent', 'gpt-4o-mini', [210, 44, 48, 0, null]],
        ...[
          [system, textMessage('user', 'And tomorrow?')],
          [
            finished(
              textMessage('assistant', 'It is 14 degrees and raining in Paris.\n'),
              'end_turn',
            ),
          ],
        ],
      ],
    ])
  })

  test('T17 its traces are the sums of their calls, though the agent adds up all it ever used', () => {
    expect(tracesOf('strands-latest')).toEqual([
      trace('strands-latest', 'strands.telemetry.tracer', {
        root: 'invoke_agent weather',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
        session: 'session-1',
        user: 'ana',
      }),
      trace('strands-latest', 'strands.telemetry.tracer', {
        root: 'invoke_agent weather',
        tokens: [80, 12],
        calls: { llm: 1, tool: 0 },
        session: 'session-1',
        user: 'ana',
      }),
    ])
  })
})
