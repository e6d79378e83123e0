import { listLogs } from '@assay/contract/logs.ts'
import { exportLogs, exportMetrics, exportTraces } from '@assay/contract/otlp.ts'
import { listTraces, readSpan, readTrace } from '@assay/contract/traces.ts'
import { describe, expect, test } from 'vitest'
import { jsonBytes } from '../../../test/otlp-request.ts'
import { logsBytes } from '../../../test/otlp-signals.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const owner = signedInPerTest(service, () => tenant.members.Owner)

const start = 1_767_261_600_000_000_000n
const traceId = 'ab'.repeat(16)
const spanId = 'cd'.repeat(8)

type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value }

function anyValue(value: Value): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') {
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  }
  if (Array.isArray(value)) {
    return { arrayValue: { values: (value as readonly Value[]).map(anyValue) } }
  }
  return { kvlistValue: { values: pairs(value as Readonly<Record<string, Value>>) } }
}
const pairs = (values: Readonly<Record<string, Value>>) =>
  Object.entries(values).map(([name, value]) => ({ key: name, value: anyValue(value) }))

/** The `n`th record, one second after the previous one. */
const record = (n: number, members: object = {}) => ({
  timeUnixNano: String(start + BigInt(n) * 1_000_000_000n),
  severityNumber: 9,
  body: { stringValue: `record ${n}` },
  ...members,
})

const toRequest = (logRecords: readonly object[], scope = 'app', serviceName = 'shop') => ({
  resourceLogs: [
    {
      resource: { attributes: pairs({ 'service.name': serviceName }) },
      scopeLogs: [{ scope: { name: scope }, logRecords }],
    },
  ],
})
const send = (request: object) =>
  service.call(exportLogs, { raw: jsonBytes(request) }, tenant.keyHeader)
const params = () => ({ projectId: tenant.projectId })
const list = (query: object = {}) => service.call(listLogs, { params: params(), query }, owner)

describe('POST /logs', () => {
  test('accepts both encodings, and a resent record is stored once', async () => {
    const request = toRequest([
      record(1, { severityText: 'INFO', observedTimeUnixNano: String(start), eventName: 'e' }),
      record(2, { traceId: traceId.toUpperCase(), spanId, body: anyValue({ a: [1, 'x', true] }) }),
    ])
    expect((await send(request)).data).toEqual({})
    const response = await fetch(`${service.api}/logs`, {
      method: 'POST',
      headers: { ...tenant.keyHeader, 'content-type': 'application/x-protobuf' },
      body: logsBytes(request),
    })
    expect([response.status, (await response.bytes()).length]).toEqual([200, 0])
    const { data, meta } = await list()
    expect(meta).toEqual({ pageSize: 2, cursor: null })
    const same = {
      ...{ service: 'shop', resource: { attributes: { 'service.name': 'shop' } } },
      ...{ scope: { name: 'app' }, attributes: {}, severity: 9 },
    }
    const id = expect.stringMatching(/^[0-9a-f]{32}$/)
    expect(data).toEqual([
      {
        ...{ ...same, log_id: id, at: '2026-01-01T10:00:02.000Z', observed_at: null },
        ...{ severity_text: null, event_name: null, body: { a: [1, 'x', true] } },
        ...{ trace_id: traceId, span_id: spanId },
      },
      {
        ...{ ...same, log_id: id, at: '2026-01-01T10:00:01.000Z' },
        ...{ observed_at: '2026-01-01T10:00:00.000Z', severity_text: 'INFO', event_name: 'e' },
        ...{ body: 'record 1', trace_id: null, span_id: null },
      },
    ])
  })

  test('reports records that cannot be stored', async () => {
    const response = await send(toRequest([record(1), { body: { stringValue: 'when?' } }]))
    expect(response.data).toEqual({
      partialSuccess: {
        rejectedLogRecords: '1',
        errorMessage: 'Log records not stored: 1. The time is missing (log record no. 2).',
      },
    })
    expect((await list()).data).toHaveLength(1)
  })

  test('refuses a malformed body, and a sender without a key', async () => {
    const refused = await service.call(exportLogs, { raw: '[]' }, tenant.keyHeader)
    expect([refused.status, refused.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect((await service.call(exportLogs, { raw: '{}' })).status).toBe(401)
    const typed = { raw: '{}', send: { 'content-type': 'text/plain' } }
    expect((await service.call(exportLogs, typed, tenant.keyHeader)).status).toBe(415)
  })
})

describe('GET …/logs', () => {
  test('filters, and pages newest first without gaps', async () => {
    await send(
      toRequest(
        Array.from({ length: 7 }, (_, n) => record(n, n === 3 ? { severityNumber: 17 } : {})),
      ),
    )
    const bodies = async (query: object) => (await list(query)).data.map(({ body }) => body)
    expect(await bodies({ severity: 'error' })).toEqual(['record 3'])
    expect(await bodies({ q: '"RECORD 5"' })).toEqual(['record 5'])
    expect(await bodies({ q: 'record 5' })).toEqual(['record 5'])
    expect(await bodies({ service: 'other' })).toEqual([])
    const from = '2026-01-01T10:00:02Z'
    expect(await bodies({ from, to: '2026-01-01T10:00:03Z' })).toEqual(['record 2'])
    const collected: unknown[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await list({ limit: 3, ...(cursor === undefined ? {} : { cursor }) })
      collected.push(...page.data.map(({ body }) => body))
      cursor = page.meta.cursor
    }
    expect(collected).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `record ${n}`))
  })

  test.each([
    [{ severity: 'loud' }, /^severity /],
    [{ from: 'today' }, /^from /],
    [{ limit: 0 }, /^limit /],
    [{ span_id: spanId }, /^span_id /],
    [{ cursor: 'bm9uZQ' }, /^cursor /],
  ])('refuses %j with the name of the parameter', async (query, message) => {
    const { status, error } = await list(query)
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(error.message).toMatch(message)
  })
})

describe('messages of a model call that arrive as log records', () => {
  const call = {
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: [
              {
                ...{ traceId, spanId, name: 'chat m', startTimeUnixNano: String(start) },
                attributes: pairs({
                  'gen_ai.operation.name': 'chat',
                  'gen_ai.usage.input_tokens': 5,
                }),
              },
            ],
          },
        ],
      },
    ],
  }
  const sendSpan = () => service.call(exportTraces, { raw: jsonBytes(call) }, tenant.keyHeader)
  const of = (n: number, eventName: string, body: Value | undefined, attributes = {}) =>
    record(n, {
      ...{ traceId, spanId, eventName, attributes: pairs(attributes) },
      ...(body === undefined ? { body: undefined } : { body: anyValue(body) }),
    })
  const text = (content: string) => [{ type: 'text', content }]
  const span = async () => {
    const one = await service.call(readSpan, { params: { ...params(), traceId, spanId } }, owner)
    return one.data
  }

  const details = [
    of(1, 'gen_ai.client.inference.operation.details', undefined, {
      'gen_ai.system_instructions': [{ type: 'text', content: 'Be terse.' }],
      'gen_ai.input.messages': [{ role: 'user', parts: text('Hi') }],
      'gen_ai.output.messages': [{ role: 'assistant', parts: text('Yo'), finish_reason: 'stop' }],
      'gen_ai.usage.input_tokens': 5,
    }),
  ]
  const messages = [
    of(1, 'gen_ai.system.message', { content: 'Be terse.' }),
    of(2, 'gen_ai.user.message', { content: 'Hi' }),
    of(3, 'gen_ai.choice', {
      ...{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Yo' } },
    }),
  ]
  const attributeNamed = messages.map(({ eventName, ...rest }: Record<string, unknown>) => ({
    ...rest,
    attributes: pairs({ 'event.name': String(eventName) }),
  }))

  const forms = [
    ['as one event', details],
    ['message by message', messages],
    ['message by message, named by an attribute', attributeNamed],
  ] as const
  const filled = {
    input: [
      { role: 'system', parts: text('Be terse.') },
      { role: 'user', parts: text('Hi') },
    ],
    output: [{ role: 'assistant', parts: text('Yo'), finish_reason: 'stop' }],
    tokens_in: 5,
  }

  test.each(forms)(
    '%s fill in a span that follows, without tokens or cost',
    async (_form, records) => {
      await send(toRequest(records))
      await sendSpan()
      expect(await span()).toMatchObject(filled)
    },
  )

  test.each(forms)('%s fill in an earlier span once it is sent again', async (_form, records) => {
    await sendSpan()
    expect(await span()).toMatchObject({ input: null, output: null })
    await send(toRequest(records))
    await send(toRequest(records))
    await sendSpan()
    expect(await span()).toMatchObject(filled)
    expect((await list({ trace_id: traceId })).data).toHaveLength(records.length)
  })

  test('include tool calls and their results', async () => {
    await sendSpan()
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }
    await send(
      toRequest([
        of(1, 'gen_ai.assistant.message', { tool_calls: [call] }),
        of(2, 'gen_ai.tool.message', { id: 'c1', content: 'done' }),
      ]),
    )
    expect((await span()).input).toEqual([
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'c1', name: 'f', arguments: { x: 1 } }],
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'done' }] },
    ])
  })
})

describe('a coding agent that sends logs', () => {
  const event = (n: number, name: string, attributes: Readonly<Record<string, Value>>) =>
    record(n, { body: { stringValue: name }, attributes: pairs(attributes) })
  const traces = async () => {
    const { data } = await service.call(listTraces, { params: params() }, owner)
    return Promise.all(
      data.map(async ({ trace_id }) => {
        const read = { params: { ...params(), traceId: trace_id } }
        return (await service.call(readTrace, read, owner)).data
      }),
    )
  }

  const turn = { 'session.id': 's1', 'prompt.id': 'p1', 'user.id': 'u' }
  const claudeCode = [
    event(1, 'claude_code.user_prompt', { ...turn, prompt: 'Fix it', prompt_length: 6 }),
    event(4, 'claude_code.api_request', {
      ...{ ...turn, request_id: 'r1', model: 'claude-sonnet-4-5', cost_usd: 0.25 },
      ...{ input_tokens: 10, output_tokens: 20, cache_read_tokens: 300, duration_ms: 2000 },
      cache_creation_tokens: '40',
    }),
    event(5, 'claude_code.tool_result', {
      ...{ ...turn, tool_name: 'Bash', success: 'false', error: 'exit 1', duration_ms: 100 },
      ...{ tool_use_id: 't1', tool_parameters: '{"command":"ls"}' },
    }),
    event(6, 'claude_code.api_error', { ...turn, model: 'claude-sonnet-4-5', error: 'overloaded' }),
  ]

  test('Claude Code: a turn is a trace, with cached tokens beside the input and the reported cost', async () => {
    for (const order of [claudeCode.toReversed(), claudeCode]) {
      for (const each of order) await send(toRequest([each], 'com.anthropic.claude_code.events'))
    }
    const [trace, ...others] = await traces()
    expect(others).toEqual([])
    expect(trace).toMatchObject({
      ...{ root_name: 'claude_code turn', session_id: 's1', user_id: 'u', span_count: 4 },
      ...{ tokens_in: 350, tokens_out: 20, cost_usd: 0.25, llm_call_count: 2, tool_call_count: 1 },
      ...{ models: ['claude-sonnet-4-5'], status: 'ERROR', error_count: 2, source: 'otlp' },
    })
    const [prompt, call, tool, failed] = trace?.spans ?? []
    expect(prompt).toMatchObject({ kind: 'agent', parent_span_id: null })
    expect(JSON.stringify(prompt?.input)).toContain('Fix it')
    expect(call).toMatchObject({
      ...{ kind: 'llm', parent_span_id: prompt?.span_id, latency_ms: 2000 },
      ...{ tokens_cache_read: 300, tokens_cache_write: 40, cost_source: 'reported' },
    })
    expect(tool).toMatchObject({
      ...{ kind: 'tool', name: 'Bash', status: 'ERROR', status_message: 'exit 1' },
      input: { command: 'ls' },
    })
    expect(failed).toMatchObject({ kind: 'llm', status_message: 'overloaded', cost_usd: null })
    expect((await list()).data).toHaveLength(4)
  })

  test('a call that is also sent as a span costs once', async () => {
    await send(toRequest(claudeCode.map((each) => ({ ...each, traceId, spanId }))))
    expect(await traces()).toEqual([])
    expect((await list({ trace_id: traceId })).data).toHaveLength(4)
  })

  test('one call sent as a span, a log record and a metric costs once, in any order', async () => {
    const reported = {
      ...{ 'session.id': 's1', request_id: 'r1', model: 'claude-sonnet-4-5', cost_usd: 0.25 },
      ...{ input_tokens: 10, output_tokens: 20, cache_read_tokens: 300 },
    }
    const asSpan = () => {
      const times = { startTimeUnixNano: String(start), endTimeUnixNano: String(start + 9n) }
      const attributes = pairs({ 'span.type': 'llm_request', ...reported })
      const spans = [{ traceId, spanId, name: 'claude_code.llm_request', attributes, ...times }]
      const raw = jsonBytes({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
      return service.call(exportTraces, { raw }, tenant.keyHeader)
    }
    const asLog = () => {
      const logged = event(4, 'claude_code.api_request', { ...turn, ...reported })
      return send(toRequest([{ ...logged, traceId, spanId }], 'com.anthropic.claude_code.events'))
    }
    const point = (value: number, attributes: Readonly<Record<string, Value>>) => ({
      ...{ timeUnixNano: String(start), startTimeUnixNano: String(start - 1n) },
      ...{ asDouble: value, attributes: pairs({ 'session.id': 's1', ...attributes }) },
    })
    const sum = (name: string, dataPoints: readonly object[]) => ({
      ...{ name, sum: { aggregationTemporality: 1, isMonotonic: true, dataPoints } },
    })
    const asMetric = async () => {
      const metrics = [
        sum('claude_code.cost.usage', [point(0.25, { model: 'claude-sonnet-4-5' })]),
        sum('claude_code.token.usage', [point(10, { type: 'input' })]),
      ]
      const raw = jsonBytes({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })
      await service.call(
        exportMetrics,
        { raw, send: { 'content-type': 'application/json' } },
        tenant.keyHeader,
      )
    }
    for (const sendOne of [asLog, asMetric, asSpan, asMetric, asLog]) await sendOne()
    const [trace, ...others] = await traces()
    expect(others).toEqual([])
    expect(trace).toMatchObject({
      ...{ span_count: 1, llm_call_count: 1, cost_usd: 0.25, tokens_in: 310, tokens_out: 20 },
    })
  })

  test('Codex CLI: a session is a trace, with cached tokens within the input', async () => {
    const session = { 'conversation.id': 'c1', model: 'gpt-5-codex' }
    const named = (n: number, name: string, attributes: Readonly<Record<string, Value>>) =>
      event(n, '', { 'event.name': name, ...session, ...attributes })
    await send(
      toRequest([
        named(1, 'codex.user_prompt', { prompt: 'Hi' }),
        named(2, 'codex.sse_event', { 'event.kind': 'response.created' }),
        named(3, 'codex.sse_event', {
          ...{ 'event.kind': 'response.completed', input_token_count: 100 },
          ...{ output_token_count: 30, cached_token_count: 60, reasoning_token_count: 12 },
        }),
        named(4, 'codex.tool_result', {
          ...{ tool_name: 'shell', call_id: 'x', arguments: '{"a":1}', output: 'ok' },
          ...{ success: 'true', duration_ms: '5' },
        }),
      ]),
    )
    const [trace, ...others] = await traces()
    expect(others).toEqual([])
    expect(trace).toMatchObject({
      ...{
        session_id: 'c1',
        tokens_in: 100,
        tokens_out: 30,
        llm_call_count: 1,
        tool_call_count: 1,
      },
      ...{ span_count: 3, status: 'OK' },
    })
    expect(trace?.spans[2]).toMatchObject({ input: { a: 1 }, output: 'ok' })
  })

  test('Gemini CLI: reasoning tokens beside the output', async () => {
    const session = { 'session.id': 'g', prompt_id: 'g1', model: 'gemini-2.5-pro' }
    const named = (n: number, name: string, attributes: Readonly<Record<string, Value>>) =>
      event(n, '', { 'event.name': name, ...session, ...attributes })
    await send(
      toRequest([
        named(1, 'gemini_cli.user_prompt', { prompt: 'Hi' }),
        named(2, 'gemini_cli.api_request', {}),
        named(3, 'gemini_cli.api_response', {
          ...{ input_token_count: 50, output_token_count: 8, thoughts_token_count: 4 },
          ...{ cached_content_token_count: 20, total_token_count: 62, duration_ms: 900 },
        }),
        named(4, 'gemini_cli.tool_call', {
          ...{ function_name: 'read', function_args: '{"p":1}', success: true, duration_ms: 5 },
        }),
      ]),
    )
    const [trace] = await traces()
    expect(trace).toMatchObject({
      ...{ root_name: 'gemini_cli turn', session_id: 'g', tokens_in: 50, tokens_out: 12 },
      ...{ llm_call_count: 1, tool_call_count: 1, span_count: 3 },
    })
  })

  test('other records and records of other programs create no traces', async () => {
    await send(
      toRequest([
        event(1, 'claude_code.tool_decision', turn),
        event(2, 'claude_code.api_request', { input_tokens: 1 }),
        event(3, 'claude_code.__proto__', turn),
        event(4, 'something', { 'session.id': 's', input_tokens: 1 }),
      ]),
    )
    expect(await traces()).toEqual([])
  })
})
