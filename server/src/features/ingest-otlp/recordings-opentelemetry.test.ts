import { describe, expect, test } from 'vitest'
import {
  answer,
  answering,
  calling,
  city,
  finished,
  model,
  response,
  rowsOf,
  sent,
  system,
  textMessage,
  trace,
  tracesOf,
  unnamed,
  user,
  weather,
} from '../../../test/recorded.ts'

/*
 * What OpenTelemetry’s own instrumentations and those that speak its words alone sent, span by span.
 */

describe('OpenTelemetry’s current instrumentation of OpenAI', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('otel-genai-openai')).toEqual([
      [
        ...['chat gpt-4o-mini', 'llm', model, [50, 20, 16, null, 4]],
        ...[[unnamed(system), unnamed(user)], [finished(unnamed(calling), 'tool_call')]],
      ],
      [
        ...['chat gpt-4o-mini', 'llm', model, [80, 12, 16, null, null]],
        ...[sent('gen_ai.input.messages'), [finished(unnamed(answering), 'stop')]],
      ],
      [
        ...[
          'embeddings text-embedding-3-small',
          'embedding',
          'text-embedding-3-small',
          [8, null, null, null, null],
        ],
        ...[null, null],
      ],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('otel-genai-openai')).toEqual([
      trace('otel-genai-openai', 'opentelemetry.instrumentation.genai.openai 1.3b0', {
        root: 'chat gpt-4o-mini',
        tokens: [50, 20],
        calls: { llm: 1, tool: 0 },
      }),
      trace('otel-genai-openai', 'opentelemetry.instrumentation.genai.openai 1.3b0', {
        root: 'chat gpt-4o-mini',
        tokens: [80, 12],
        calls: { llm: 1, tool: 0 },
      }),
      trace('otel-genai-openai', 'opentelemetry.instrumentation.genai.openai 1.3b0', {
        root: 'embeddings text-embedding-3-small',
        tokens: [8, 0],
        calls: { llm: 0, tool: 0 },
      }),
    ])
  })
})

describe('its older one, whose content goes out in log records', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('otel-openai-v2')).toEqual([
      [...['chat gpt-4o-mini', 'llm', model, [50, 20, null, null, null]], ...[null, null]],
      [...['chat gpt-4o-mini', 'llm', model, [80, 12, null, null, null]], ...[null, null]],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('otel-openai-v2')).toEqual([
      trace('otel-openai-v2', 'opentelemetry.instrumentation.openai_v2', {
        root: 'chat gpt-4o-mini',
        tokens: [50, 20],
        calls: { llm: 1, tool: 0 },
      }),
      trace('otel-openai-v2', 'opentelemetry.instrumentation.openai_v2', {
        root: 'chat gpt-4o-mini',
        tokens: [80, 12],
        calls: { llm: 1, tool: 0 },
      }),
    ])
  })
})

describe('its instrumentation of Google’s GenAI client', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('otel-google-genai')).toEqual([
      [...['execute_tool get_weather', 'tool', null, null], ...[city, weather]],
      [
        ...[
          'generate_content gemini-2.5-flash',
          'llm',
          'gemini-2.5-flash',
          [80, 12, 16, null, null],
        ],
        ...[[system, unnamed(user)], [finished(unnamed(answering), 'stop')]],
      ],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('otel-google-genai')).toEqual([
      trace('otel-google-genai', 'opentelemetry.instrumentation.google_genai 1.3b0', {
        root: 'generate_content gemini-2.5-flash',
        tokens: [80, 12],
        calls: { llm: 1, tool: 1 },
      }),
    ])
  })
})

describe('Semantic Kernel, whose content goes out in log records', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('semantic-kernel')).toEqual([
      [...['chat gpt-4o-mini', 'llm', 'gpt-4o-mini', [50, 20, null, null, null]], ...[null, null]],
      [...['chat gpt-4o-mini', 'llm', 'gpt-4o-mini', [80, 12, null, null, null]], ...[null, null]],
      [...['execute_tool Weather-get_weather', 'tool', null, null], ...[city, weather]],
      [...['AutoFunctionInvocationLoop', 'chain', null, null], ...[null, null]],
      [
        ...['invoke_agent weather', 'agent', null, null],
        ...[[], [{ role: 'assistant', content: answer, name: 'weather' }]],
      ],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('semantic-kernel')).toEqual([
      trace('semantic-kernel', 'semantic_kernel.utils.telemetry.agent_diagnostics.decorators', {
        root: 'invoke_agent weather',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
      }),
    ])
  })
})

describe('Google ADK 2', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('google-adk')).toEqual([
      [
        ...['generate_content gemini-2.5-flash', 'llm', 'gemini-2.5-flash', [50, 20, 16, null, 4]],
        ...[
          [
            textMessage(
              'system',
              'You are terse.\n\nYou are an agent. Your internal name is "weather".',
            ),
            user,
          ],
          [finished(calling, 'stop')],
        ],
      ],
      [...['execute_tool get_weather', 'tool', null, null], ...[city, weather]],
      [
        ...['generate_content gemini-2.5-flash', 'llm', 'gemini-2.5-flash', [80, 12, 16, null, 0]],
        ...[
          [
            textMessage(
              'system',
              'You are terse.\n\nYou are an agent. Your internal name is "weather".',
            ),
            user,
            calling,
            { role: 'user', parts: [response] },
          ],
          [finished(answering, 'stop')],
        ],
      ],
      [...['invoke_agent weather', 'agent', null, null], ...[null, null]],
      [...['invoke_workflow weather', 'chain', null, null], ...[null, null]],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('google-adk')).toEqual([
      trace('google-adk', 'gcp.vertex.agent 2.13.0', {
        root: 'invoke_workflow weather',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
        session: 'session-1',
      }),
    ])
  })
})

describe('Google ADK in its format of before', () => {
  test('T32 every span has its kind, model, tokens, input and output, whatever is told as `{}`', () => {
    expect(rowsOf('google-adk-1')).toEqual([
      [
        ...['generate_content gemini-2.5-flash', 'llm', 'gemini-2.5-flash', [50, 20, 16, null, 4]],
        ...[null, null],
      ],
      [...['execute_tool get_weather', 'tool', null, null], ...[city, weather]],
      [
        ...['call_llm', 'llm', 'gemini-2.5-flash', [50, 20, 16, null, 4]],
        ...[
          sent('gcp.vertex.agent.llm_request'),
          {
            model_version: 'gemini-2.5-flash',
            content: {
              parts: [{ function_call: { id: 'call_1', args: city, name: 'get_weather' } }],
              role: 'model',
            },
            finish_reason: 'STOP',
            usage_metadata: {
              cached_content_token_count: 16,
              candidates_token_count: 16,
              prompt_token_count: 50,
              prompt_tokens_details: [{ modality: 'TEXT', token_count: 50 }],
              thoughts_token_count: 4,
              total_token_count: 70,
            },
          },
        ],
      ],
      [
        ...['generate_content gemini-2.5-flash', 'llm', 'gemini-2.5-flash', [80, 12, 16, null, 0]],
        ...[null, null],
      ],
      [
        ...['call_llm', 'llm', 'gemini-2.5-flash', [80, 12, 16, null, 0]],
        ...[
          sent('gcp.vertex.agent.llm_request'),
          {
            model_version: 'gemini-2.5-flash',
            content: { parts: [{ text: answer }], role: 'model' },
            finish_reason: 'STOP',
            usage_metadata: {
              cached_content_token_count: 16,
              candidates_token_count: 12,
              prompt_token_count: 80,
              prompt_tokens_details: [{ modality: 'TEXT', token_count: 80 }],
              thoughts_token_count: 0,
              total_token_count: 92,
            },
          },
        ],
      ],
      [...['invoke_agent weather', 'agent', null, null], ...[null, null]],
      [...['invocation', 'span', null, null], ...[null, null]],
    ])
  })

  test('T18 a call that two spans tell counts once, its tokens too', () => {
    expect(tracesOf('google-adk-1')).toEqual([
      trace('google-adk-1', 'gcp.vertex.agent 2.13.0', {
        root: 'invocation',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
        session: 'session-1',
      }),
    ])
  })
})

describe('the Python SDK of MCP, client and server', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('mcp-python')).toEqual([
      [...['server/discover', 'mcp', null, null], ...[null, null]],
      [...['MCP send server/discover', 'mcp', null, null], ...[null, null]],
      [...['tools/list', 'mcp', null, null], ...[null, null]],
      [...['MCP send tools/list', 'mcp', null, null], ...[null, null]],
      [...['tools/call get_weather', 'mcp', null, null], ...[null, null]],
      [...['MCP send tools/call get_weather', 'mcp', null, null], ...[null, null]],
      [...['answer', 'span', null, null], ...[null, null]],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('mcp-python')).toEqual([
      trace('mcp-python', 'mcp-python-sdk', {
        root: 'MCP send server/discover',
        tokens: [0, 0],
        calls: { llm: 0, tool: 0 },
      }),
      trace('mcp-python', 'mcp-python-sdk', {
        root: 'MCP send tools/list',
        tokens: [0, 0],
        calls: { llm: 0, tool: 0 },
      }),
      trace('mcp-python', 'weather-app', {
        root: 'answer',
        tokens: [0, 0],
        calls: { llm: 0, tool: 1 },
      }),
    ])
  })
})
