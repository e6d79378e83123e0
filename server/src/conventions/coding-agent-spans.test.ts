import { describe, expect, test } from 'vitest'
import { type AttributeTable, event, normalized } from '../../test/decoded-span.ts'
import { computeTotals } from '../domain/trace-totals.ts'
import { spansOfLogs } from './coding-agents.ts'
import type { DecodedGroup, DecodedLogRecord } from './decoded-signals.ts'
import { normalizeLogs } from './normalize-logs.ts'

/*
 * The spans of coding agents, with the values that real ones sent.
 */

function totals(spans: readonly ReturnType<typeof normalized>[]) {
  const { tokensIn, tokensOut, llmCallCount, toolCallCount, sessionId } = computeTotals(
    spans.map((span) => ({ ...span, source: 'otlp' as const })),
    null,
  )
  return { tokensIn, tokensOut, llmCallCount, toolCallCount, sessionId }
}

describe('Claude Code', () => {
  const span = (
    name: string,
    parentSpanId: string,
    attributes: AttributeTable,
    members: object = {},
  ) =>
    normalized(
      { 'session.id': 's', 'user.id': 'u', ...attributes },
      { name, parentSpanId, spanId: name.padStart(16, '0').slice(-16), ...members },
    )
  const toSpanId = (name: string) => name.padStart(16, '0').slice(-16)

  const interaction = span('claude_code.interaction', '', {
    'span.type': 'interaction',
    user_prompt: 'Weather?',
  })
  const request = span('claude_code.llm_request', toSpanId('claude_code.interaction'), {
    'span.type': 'llm_request',
    model: 'claude-opus-4-6\u001b[1m',
    input_tokens: 3,
    output_tokens: '13',
    cache_read_tokens: 11_229,
    cache_creation_tokens: 4797,
  })
  const tool = span(
    'claude_code.tool',
    toSpanId('claude_code.interaction'),
    { 'span.type': 'tool', tool_name: 'Bash', full_command: 'ls' },
    { events: [event('tool.output', { output: 'file1' })] },
  )
  const execution = span('claude_code.tool.execution', toSpanId('claude_code.tool'), {
    'span.type': 'tool.execution',
  })

  test('a turn, its model call and its tool call count once, the cache included', () => {
    expect(request).toMatchObject({
      kind: 'llm',
      model: 'claude-opus-4-6',
      tokensIn: 3 + 11_229 + 4797,
      tokensOut: 13,
      tokensCacheRead: 11_229,
      tokensCacheWrite: 4797,
      sessionId: 's',
      userId: 'u',
    })
    expect(totals([interaction, request, tool, execution])).toEqual({
      tokensIn: 16_029,
      tokensOut: 13,
      llmCallCount: 1,
      toolCallCount: 1,
      sessionId: 's',
    })
  })

  test('kinds and content are those of an agent', () => {
    expect([interaction, request, tool, execution].map(({ kind }) => kind)).toEqual([
      ...['agent', 'llm', 'tool', 'chain'],
    ])
    expect(interaction.body.input).toBe('"Weather?"')
    expect([tool.body.input, tool.body.output]).toEqual(['"ls"', '"file1"'])
  })

  test('a type without the prefix, or a name alone, is recognized as well', () => {
    const older = { 'span.type': 'llm_request', 'session.id': 's', input_tokens: 5 }
    expect(normalized(older, { name: 'llm_request' })).toMatchObject({ kind: 'llm', tokensIn: 5 })
    expect(normalized({}, { name: 'claude_code.tool' }).kind).toBe('tool')
  })

  test('redacted values are missing', () => {
    const hidden = span('claude_code.interaction', '', { user_prompt: '<REDACTED>' })
    expect(hidden.body.input).toBe('null')
  })

  test('the answer is the output of its turn, unless it is redacted, and its duration is unknown', () => {
    const name = 'claude_code.assistant_response'
    const toContents = (response: string, ids: object = {}) => {
      const [group] = records('', [name, { 'prompt.id': 'p', response }])
      const items = group!.items.map((item) => ({ ...item, ...ids }))
      return normalizeLogs([{ ...group!, items }])
    }
    const prompt = records('', ['claude_code.user_prompt', { 'prompt.id': 'p', prompt: 'Rain?' }])
    const apart = { traceId: '', spanId: '' }
    const items = prompt[0]!.items.map((item) => ({ ...item, ...apart }))
    const [turn] = spansOfLogs([{ ...prompt[0]!, items }])
    const output = '[{"role":"assistant","parts":[{"type":"text","content":"Yes."}]}]'
    const content = { input: null, output }
    const { traceId, spanId, latencyMs } = turn!
    expect(latencyMs).toBeNull()
    expect(toContents('Yes.', apart)).toMatchObject([{ traceId, spanId, content }])
    expect(toContents('Yes.')).toMatchObject([{ traceId: 'a'.repeat(32), content }])
    expect(toContents('<REDACTED>', apart)).toMatchObject([{ traceId: null, content: null }])
  })

  test('unprefixed keys of other senders are ignored', () => {
    const other = { 'span.type': 'web', model: 'T', input_tokens: 5, user_prompt: 'x' }
    expect(normalized(other, { name: 'GET /' })).toMatchObject({
      kind: 'span',
      model: null,
      tokensIn: null,
    })
  })
})

describe('Codex CLI', () => {
  const insides = {
    'code.module.name': 'codex_core::session::turn',
    target: 'codex_core::session::turn',
    busy_ns: 0,
  }
  const span = (
    name: string,
    spanId: string,
    parentSpanId: string,
    attributes: AttributeTable = {},
    events: readonly ReturnType<typeof event>[] = [],
  ) => normalized({ ...insides, ...attributes }, { name, spanId, parentSpanId, events })

  const result = event('event otel/src/tool_result.rs:54', {
    'event.name': 'codex.tool_result',
    tool_name: 'exec_command',
    success: 'false',
    arguments: '{"city":"Paris"}',
    output: 'missing field',
  })
  const turn = span('session_task.turn', 'a'.repeat(16), '', {
    'conversation.id': 'c',
    model: 'gpt-5',
    'codex.turn.token_usage.input_tokens': 130,
    'codex.turn.token_usage.cached_input_tokens': 32,
    'codex.turn.token_usage.cache_write_input_tokens': 0,
    'codex.turn.token_usage.non_cached_input_tokens': 98,
    'codex.turn.token_usage.output_tokens': 32,
    'codex.turn.token_usage.reasoning_output_tokens': 4,
    'codex.turn.token_usage.total_tokens': 162,
  })
  const responses = [
    [50, 20],
    [80, 12],
  ].map(([input = 0, output = 0], n) =>
    span('handle_responses', `${n}`.repeat(16).replace(/^0+$/, 'e'.repeat(16)), 'a'.repeat(16), {
      'codex.request.reasoning_effort': 'default',
      'gen_ai.usage.input_tokens': input,
      'gen_ai.usage.cache_read.input_tokens': 16,
      'gen_ai.usage.cache_write.input_tokens': 0,
      'gen_ai.usage.output_tokens': output,
      'codex.usage.reasoning_output_tokens': 4,
      'codex.usage.total_tokens': input + output,
    }),
  )
  const tool = span('dispatch_tool_call_with_state', 'b'.repeat(16), 'a'.repeat(16), {}, [result])
  const others = ['receiving', 'handle_responses', 'append_items', 'fs.read_file'].map((name, n) =>
    span(name, `${n + 2}`.repeat(16), 'a'.repeat(16), { 'codex.turn.phase': 'sampling' }),
  )

  test('only the calls within it count, not the turn that repeats them', () => {
    expect(totals([...others, ...responses, tool, turn])).toEqual({
      tokensIn: 130,
      tokensOut: 32,
      llmCallCount: 2,
      toolCallCount: 1,
      sessionId: 'c',
    })
    expect(turn).toMatchObject({ kind: 'agent', model: 'gpt-5', tokensIn: 130, tokensReasoning: 4 })
    expect(others.map(({ kind }) => kind)).toEqual(Array(4).fill('span'))
  })

  test('a tool call has the content of its result event', () => {
    expect(tool).toMatchObject({ kind: 'tool', status: 'ERROR' })
    expect([tool.body.input, tool.body.output]).toEqual(['{"city":"Paris"}', '"missing field"'])
  })
})

describe('Gemini CLI', () => {
  test('its operations are recognized, and its system prompt is a JSON string', () => {
    const attributes = {
      'gen_ai.operation.name': 'llm_call',
      'gen_ai.agent.name': 'gemini-cli',
      'gen_ai.conversation.id': 'c',
      'gen_ai.request.model': 'gemini-2.5-flash',
      'gen_ai.system_instructions': '"Be terse."',
      'gen_ai.input.messages': '[{"role":"user","parts":[{"text":"Weather?"}]}]',
      'gen_ai.output.messages': '{"role":"model","parts":[{"text":"It rains."}]}',
      'gen_ai.usage.input_tokens': 80,
      'gen_ai.usage.output_tokens': 12,
    }
    const call = normalized(attributes, { name: 'llm_call' })
    // The tokens are those of its log record.
    expect(call).toMatchObject({ kind: 'chain', tokensIn: null, sessionId: 'c' })
    expect(JSON.parse(call.body.input)).toEqual([
      { role: 'system', parts: [{ type: 'text', content: 'Be terse.' }] },
      { role: 'user', parts: [{ text: 'Weather?' }] },
    ])
    expect(normalized({ 'gen_ai.operation.name': 'schedule_tool_calls' }).kind).toBe('chain')
    expect(normalized({ 'gen_ai.operation.name': 'tool_call' }).kind).toBe('tool')
  })

  test('a model call counts once, from its record, also where the record belongs to the span', () => {
    const counts = { thoughts_token_count: 4, cached_content_token_count: 16 }
    const spans = spansOfLogs(
      records(
        'gemini-cli',
        ['gemini_cli.api_response', { input_token_count: 80, output_token_count: 8, ...counts }],
        ['gemini_cli.tool_call', { function_name: 'get_weather' }],
      ),
    )
    expect(spans).toMatchObject([
      { kind: 'llm', tokensIn: 80, tokensOut: 12, tokensCacheRead: 16, tokensReasoning: 4 },
    ])
  })

  test('the answer of a turn is the response to the main agent without tool calls', () => {
    const toContent = (part: object, rest: AttributeTable = {}) => {
      const response_text = JSON.stringify([{ candidates: [{ content: { parts: [part] } }] }])
      const members = { prompt_id: 'p', response_text, ...rest }
      const [group] = records('gemini-cli', ['gemini_cli.api_response', members])
      const items = group!.items.map((item) => ({ ...item, traceId: '', spanId: '' }))
      return normalizeLogs([{ ...group!, items }])[0]?.content?.output ?? null
    }
    const answer = '[{"role":"assistant","parts":[{"type":"text","content":"Yes."}]}]'
    expect(toContent({ text: 'Yes.' }, { role: 'main' })).toBe(answer)
    expect(toContent({ text: 'Yes.' }, { role: 'utility_router' })).toBeNull()
    expect(toContent({ functionCall: { name: 'f' } })).toBeNull()
  })

  test('the responses of a stream are one message', () => {
    const toOutput = (response_text: string) => {
      const call = { input_token_count: 80, output_token_count: 8, response_text }
      const [span] = spansOfLogs(records('gemini-cli', ['gemini_cli.api_response', call]))
      return JSON.parse(span?.body.output ?? '') as unknown
    }
    const chunk = (...parts: readonly object[]) => ({
      candidates: [{ content: { role: 'model', parts } }],
    })
    const chunks = [
      chunk({ text: 'Look ', thought: true }),
      chunk({ text: 'it up.', thought: true }, { text: 'I ' }),
      chunk({ text: 'look.' }, { functionCall: { name: 'f', args: { a: 1 } } }),
      { usageMetadata: {} },
    ]
    expect(toOutput(JSON.stringify(chunks))).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'Look it up.' },
          { type: 'text', content: 'I look.' },
          { type: 'tool_call', name: 'f', arguments: { a: 1 } },
        ],
      },
    ])
    for (const text of ['It rains.', '[]', '[{"candidates":[{"content":{}}]}]', '[1']) {
      expect(toOutput(text)).toEqual([
        { role: 'assistant', parts: [{ type: 'text', content: text }] },
      ])
    }
  })
})

/** Records that belong to a span of the agent. */
function records(
  name: string,
  ...events: readonly (readonly [string, AttributeTable])[]
): readonly DecodedGroup<DecodedLogRecord>[] {
  const bare = { attributes: new Map(), droppedAttributesCount: 0, schemaUrl: '' }
  const items = events.map(([event, members]) => ({
    ...{ at: 1_795_170_484_075_000_000n, observedAt: 0n, severity: 0, severityText: '' },
    ...{ body: null, droppedAttributesCount: 0, flags: 0, eventName: '' },
    ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) },
    attributes: new Map(Object.entries({ 'event.name': event, 'session.id': 's', ...members })),
  }))
  return [{ resource: bare, scope: { ...bare, name, version: '' }, items }]
}
