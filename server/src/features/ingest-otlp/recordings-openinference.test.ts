import { describe, expect, test } from 'vitest'
import {
  answer,
  answering,
  call,
  called,
  calling,
  city,
  model,
  question,
  response,
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
 * What OpenInference’s instrumentations sent, span by span.
 */

describe('OpenAI’s client in Python', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('openinference-python')).toEqual([
      [...['ChatCompletion', 'llm', model, [50, 20, 16, null, 4]], ...[[system, user], [calling]]],
      [
        ...['ChatCompletion', 'llm', model, [80, 12, 16, null, 0]],
        ...[[system, user, calling, called], [answering]],
      ],
      [
        ...['CreateEmbeddings', 'embedding', 'text-embedding-3-small', [8, null, null, null, null]],
        ...[
          { model: 'text-embedding-3-small', input: 'rain in Paris', encoding_format: 'base64' },
          {
            data: [{ embedding: [0.25, -0.5, 0.75], index: 0, object: 'embedding' }],
            model: 'text-embedding-3-small',
            object: 'list',
            usage: { prompt_tokens: 8, total_tokens: 8 },
          },
        ],
      ],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('openinference-python')).toEqual([
      trace('openinference-python', 'openinference.instrumentation.openai 0.1.66', {
        root: 'ChatCompletion',
        tokens: [50, 20],
        calls: { llm: 1, tool: 0 },
        session: 'session-1',
        user: 'ana',
      }),
      trace('openinference-python', 'openinference.instrumentation.openai 0.1.66', {
        root: 'ChatCompletion',
        tokens: [80, 12],
        calls: { llm: 1, tool: 0 },
        session: 'session-1',
        user: 'ana',
      }),
      trace('openinference-python', 'openinference.instrumentation.openai 0.1.66', {
        root: 'CreateEmbeddings',
        tokens: [8, 0],
        calls: { llm: 0, tool: 0 },
        session: 'session-1',
        user: 'ana',
      }),
    ])
  })
})

describe('Anthropic’s client, which sends spans of its own as well', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('openinference-anthropic')).toEqual([
      [
        ...[
          'anthropic.messages.create',
          'llm',
          'claude-sonnet-4-5-20250929',
          [50, 20, 16, 10, null],
        ],
        ...[null, null],
      ],
      [
        ...[
          'anthropic.messages.create',
          'llm',
          'claude-sonnet-4-5-20250929',
          [80, 12, 16, 10, null],
        ],
        ...[null, null],
      ],
      [
        ...['messages.create', 'llm', 'claude-sonnet-4-5-20250929', [50, 20, 16, 10, null]],
        ...[
          [system, user],
          [
            {
              role: 'assistant',
              parts: [{ type: 'tool_call', id: 'toolu_1', name: 'get_weather', arguments: city }],
            },
          ],
        ],
      ],
      [
        ...['messages.create', 'llm', 'claude-sonnet-4-5-20250929', [80, 12, 16, 10, null]],
        ...[
          [
            system,
            user,
            {
              role: 'assistant',
              parts: [{ type: 'tool_call', id: 'toolu_1', name: 'get_weather', arguments: city }],
            },
            {
              role: 'tool',
              parts: [{ type: 'tool_call_response', id: 'toolu_1', response: weather }],
            },
          ],
          [answering],
        ],
      ],
    ])
  })

  test('T18 a call that two instrumentations tell counts once, its tokens too', () => {
    expect(tracesOf('openinference-anthropic')).toEqual([
      trace('openinference-anthropic', 'openinference.instrumentation.anthropic 3.1.0', {
        root: 'messages.create',
        tokens: [50, 20],
        calls: { llm: 1, tool: 0 },
        session: 'session-1',
        user: 'ana',
      }),
      trace('openinference-anthropic', 'openinference.instrumentation.anthropic 3.1.0', {
        root: 'messages.create',
        tokens: [80, 12],
        calls: { llm: 1, tool: 0 },
        session: 'session-1',
        user: 'ana',
      }),
    ])
  })
})

describe('LangChain in JavaScript', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('openinference-langchain')).toEqual([
      [
        ...['ChatOpenAI', 'llm', 'gpt-4o-mini', [50, 20, 16, null, 4]],
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
      [
        ...['get_weather', 'tool', null, null],
        ...[
          'Paris',
          {
            output: {
              lc: 1,
              type: 'constructor',
              id: ['langchain_core', 'messages', 'ToolMessage'],
              kwargs: {
                status: 'success',
                content: '{"temp":14,"sky":"rain"}',
                tool_call_id: 'call_1',
                name: 'get_weather',
                metadata: { versions: { '@langchain/core': '1.2.13' } },
                additional_kwargs: {},
                response_metadata: {},
              },
            },
          },
        ],
      ],
      [
        ...['ChatOpenAI', 'llm', 'gpt-4o-mini', [80, 12, 16, null, null]],
        ...[
          [
            system,
            user,
            {
              role: 'assistant',
              parts: [{ type: 'tool_call', name: 'get_weather', arguments: city }],
            },
            { role: 'tool', parts: [{ type: 'tool_call_response', response: weather }] },
          ],
          [answering],
        ],
      ],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('openinference-langchain')).toEqual([
      trace('openinference-langchain', '@arizeai/openinference-instrumentation-langchain 4.1.1', {
        root: 'ChatOpenAI',
        tokens: [50, 20],
        calls: { llm: 1, tool: 0 },
        session: 'session-1',
      }),
      trace('openinference-langchain', '@arizeai/openinference-instrumentation-langchain 4.1.1', {
        root: 'get_weather',
        tokens: [0, 0],
        calls: { llm: 0, tool: 1 },
        session: 'session-1',
      }),
      trace('openinference-langchain', '@arizeai/openinference-instrumentation-langchain 4.1.1', {
        root: 'ChatOpenAI',
        tokens: [80, 12],
        calls: { llm: 1, tool: 0 },
        session: 'session-1',
      }),
    ])
  })
})

describe('LangGraph in Python', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('openinference-langgraph')).toEqual([
      [...['ChatOpenAI', 'llm', model, [50, 20, 16, null, 4]], ...[[system, user], [calling]]],
      [
        ...['model', 'chain', null, null],
        ...[
          {
            messages: [
              {
                type: 'human',
                data: {
                  content: question,
                  additional_kwargs: {},
                  response_metadata: {},
                  type: 'human',
                  name: null,
                  id: 'an id',
                },
              },
            ],
          },
          sent('output.value'),
        ],
      ],
      [
        ...['get_weather', 'tool', null, null],
        ...[
          'Paris',
          {
            type: 'tool',
            data: {
              content: '{"temp": 14, "sky": "rain"}',
              additional_kwargs: {},
              response_metadata: {},
              type: 'tool',
              name: 'get_weather',
              id: null,
              tool_call_id: 'call_1',
              artifact: null,
              status: 'success',
            },
          },
        ],
      ],
      [
        ...['tools', 'chain', null, null],
        ...[
          [{ name: 'get_weather', args: city, id: 'call_1', type: 'tool_call' }],
          {
            messages: [
              {
                type: 'tool',
                data: {
                  content: '{"temp": 14, "sky": "rain"}',
                  additional_kwargs: {},
                  response_metadata: {},
                  type: 'tool',
                  name: 'get_weather',
                  id: 'an id',
                  tool_call_id: 'call_1',
                  artifact: null,
                  status: 'success',
                },
              },
            ],
          },
        ],
      ],
      [
        ...['ChatOpenAI', 'llm', model, [80, 12, 16, null, 0]],
        ...[
          [
            system,
            user,
            { role: 'assistant', name: 'weather', parts: [call] },
            { role: 'tool', name: 'get_weather', parts: [response] },
          ],
          [answering],
        ],
      ],
      [...['model', 'chain', null, null], ...[sent('input.value'), sent('output.value')]],
      [
        ...['weather', 'chain', null, null],
        ...[{ messages: [{ role: 'user', content: question }] }, sent('output.value')],
      ],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('openinference-langgraph')).toEqual([
      trace('openinference-langgraph', 'openinference.instrumentation.langchain 0.1.80', {
        root: 'weather',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
        session: 'session-1',
      }),
    ])
  })
})

describe('the OpenAI Agents SDK', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('openinference-openai-agents')).toEqual([
      [...['response', 'llm', model, [50, 20, 16, null, 4]], ...[[user], [calling]]],
      [...['get_weather', 'tool', null, null], ...[city, weather]],
      [...['turn', 'chain', null, null], ...[null, null]],
      [
        ...['response', 'llm', model, [80, 12, 16, null, 0]],
        ...[
          [
            user,
            calling,
            {
              role: 'tool',
              parts: [
                {
                  type: 'tool_call_response',
                  id: 'call_1',
                  response: "{'temp': 14, 'sky': 'rain'}",
                },
              ],
            },
          ],
          [answering],
        ],
      ],
      [...['turn', 'chain', null, null], ...[null, null]],
      [...['weather', 'agent', null, null], ...[null, null]],
      [...['Agent workflow', 'chain', null, null], ...[null, null]],
      [...['Agent workflow', 'agent', null, null], ...[null, null]],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('openinference-openai-agents')).toEqual([
      trace('openinference-openai-agents', 'openinference.instrumentation.openai_agents 2.6.0', {
        root: 'Agent workflow',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
      }),
    ])
  })
})

describe('smolagents', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('openinference-smolagents')).toEqual([
      [
        ...['OpenAIModel.generate', 'llm', 'gpt-4o-mini', [50, 20, null, null, null]],
        ...[[system, textMessage('user', 'New task:\nWeather in Paris? 🌧')], [calling]],
      ],
      [
        ...['SimpleTool', 'tool', null, null],
        ...[{ args: [], sanitize_inputs_outputs: true, kwargs: city }, weather],
      ],
      [
        ...['Step 1', 'chain', null, null],
        ...[
          { memory_step: expect.stringContaining('ActionStep(step_number=1, timing=Timing(') },
          "{'temp': 14, 'sky': 'rain'}",
        ],
      ],
      [
        ...['OpenAIModel.generate', 'llm', 'gpt-4o-mini', [80, 12, null, null, null]],
        ...[
          [
            system,
            textMessage('user', 'New task:\nWeather in Paris? 🌧'),
            textMessage(
              'tool-call',
              "Calling tools:\n[{'id': 'call_1', 'type': 'function', 'function': {'name': 'get_weather', 'arguments': {'city': 'Paris'}}}]",
            ),
            textMessage('tool-response', "Observation:\n{'temp': 14, 'sky': 'rain'}"),
          ],
          [
            {
              role: 'assistant',
              parts: [
                {
                  type: 'tool_call',
                  id: 'call_2',
                  name: 'final_answer',
                  arguments: { answer },
                },
              ],
            },
          ],
        ],
      ],
      [
        ...['FinalAnswerTool', 'tool', null, null],
        ...[{ args: [], sanitize_inputs_outputs: true, kwargs: { answer } }, answer],
      ],
      [
        ...['Step 2', 'chain', null, null],
        ...[
          { memory_step: expect.stringContaining('ActionStep(step_number=2, timing=Timing(') },
          answer,
        ],
      ],
      [
        ...['weather.run', 'agent', null, [130, 32, null, null, null]],
        ...[
          {
            task: question,
            stream: false,
            reset: true,
            images: null,
            additional_args: null,
            max_steps: null,
            return_full_result: null,
          },
          answer,
        ],
      ],
    ])
  })

  test('T17 its traces are the sums of their calls, which the agent repeats', () => {
    expect(tracesOf('openinference-smolagents')).toEqual([
      trace('openinference-smolagents', 'openinference.instrumentation.smolagents 0.1.43', {
        root: 'weather.run',
        tokens: [130, 32],
        calls: { llm: 2, tool: 2 },
      }),
    ])
  })
})

describe('CrewAI', () => {
  test('every span has its kind, model, tokens, input and output', () => {
    expect(rowsOf('openinference-crewai')).toEqual([
      [
        ...['ChatCompletion', 'llm', model, [50, 20, 16, null, 4]],
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
          [calling],
        ],
      ],
      [
        ...['ChatCompletion', 'llm', model, [80, 12, 16, null, 0]],
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
            calling,
            {
              role: 'tool',
              name: 'get_weather',
              parts: [
                {
                  type: 'tool_call_response',
                  id: 'call_1',
                  response: "{'temp': 14, 'sky': 'rain'}",
                },
              ],
            },
          ],
          [answering],
        ],
      ],
      [...['get_weather.run', 'tool', null, null], ...[city, weather]],
      [
        ...['weather._execute_core', 'agent', null, null],
        ...[sent('input.value'), sent('output.value')],
      ],
      [...['Crew_an id.kickoff', 'chain', null, null], ...[null, sent('output.value')]],
    ])
  })

  test('its traces add up, and it is known whose they are', () => {
    expect(tracesOf('openinference-crewai')).toEqual([
      trace('openinference-crewai', 'openinference.instrumentation.crewai 1.1.21', {
        root: 'Crew_an id.kickoff',
        tokens: [130, 32],
        calls: { llm: 2, tool: 1 },
      }),
    ])
  })
})
