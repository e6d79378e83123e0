import { buildPath } from '@assay/contract/client.ts'
import { exportTrajectories } from '@assay/contract/export.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { exportTraces } from '@assay/contract/otlp.ts'
import { expect, test } from 'vitest'
import { runningService } from '../../../test/service-suite.ts'

/** Awaited before tool calls after those of the first page of a trace are read. */
let nextPage: Promise<void> | undefined

const service = runningService({
  wrapTelemetry: (telemetry) => ({
    ...telemetry,
    async readToolCalls(projectId, traceId, query, options) {
      if (query.after !== undefined) await nextPage
      return telemetry.readToolCalls(projectId, traceId, query, options)
    },
  }),
})

test('every matching trace is a line with its messages and tool calls, and no rewards without scores', async () => {
  const tenant = await service.addTenant()
  const owner = await service.signedIn(tenant.members.Owner)
  const params = { projectId: tenant.projectId }
  const key = tenant.keyHeader
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
  const question = { role: 'user', content: 'Rome?' }
  const response = { role: 'assistant', content: 'Sunny.' }
  const spans = [
    { span_id: 'a', name: 'run', kind: 'agent', started_at: at(0), input: 'Rome?' },
    { span_id: 'b', name: 'chat', kind: 'llm', started_at: at(1), input: { messages: [question] } },
    {
      span_id: 'c',
      name: 'weather',
      kind: 'tool',
      started_at: at(2),
      input: { city: 'Rome' },
      output: 21,
    },
    {
      span_id: 'd',
      name: 'chat',
      kind: 'llm',
      started_at: at(3),
      input: [question],
      output: response,
    },
  ]
  for (let n = 0; n < 45; n++) {
    const body = { trace_id: `t${n}`, spans, tags: n === 7 ? ['wanted'] : [] }
    await service.call(ingestTrace, { body }, key)
  }
  const all = await service.call(exportTrajectories, { params, query: { format: 'jsonl' } }, owner)
  expect(new Set(all.data.map((line) => line.trace_id)).size).toBe(45)
  const query = { tag: 'wanted' }
  const { data, headers } = await service.call(exportTrajectories, { params, query }, owner)
  expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  expect(data).toMatchObject([
    {
      trace_id: 't7',
      messages: [question, response],
      tool_calls: [{ span_id: 'c', name: 'weather', input: { city: 'Rome' }, output: 21 }],
      rewards: [],
    },
  ])
})

test('a large trace does not block other requests, and is exported as stored', async () => {
  const tenant = await service.addTenant()
  const owner = await service.signedIn(tenant.members.Owner)
  const params = { projectId: tenant.projectId }
  const long = 'ü"\n'.repeat(20_000)
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
  const common = { span_id: 'talk', name: 'chat', kind: 'llm', started_at: at(0) }
  const talk = { ...common, input: [{ role: 'user', content: long }], output: 'yes' }
  for (let batch = 0; batch < 4; batch += 1) {
    const spans = Array.from({ length: 50 }, (_, n) => {
      const call = { span_id: `${batch}-${n}`, name: 'tool', kind: 'tool', started_at: at(n) }
      return { ...call, input: { a: [1e21, long] }, output: long }
    })
    const body = { trace_id: 'large', spans: [talk, ...spans] }
    await service.call(ingestTrace, { body }, tenant.keyHeader)
  }
  let isOver = false
  const others = (async () => {
    let served = 0
    while (!isOver) served += (await fetch(`${service.origin}/healthz`)).ok ? 1 : 0
    return served
  })()
  const { data } = await service.call(exportTrajectories, { params, query: {} }, owner)
  isOver = true
  expect(await others).toBeGreaterThan(4)
  const [line, ...rest] = data
  expect(rest).toEqual([])
  expect(line?.messages).toEqual([
    { role: 'user', content: long },
    { role: 'assistant', content: 'yes' },
  ])
  expect(line?.tool_calls).toHaveLength(200)
  for (const call of line?.tool_calls ?? []) {
    expect(call.input).toEqual({ a: [1e21, long] })
    expect(call.output).toBe(long)
  }
})

test('the beginning of a trace is sent before its end is read', async () => {
  const tenant = await service.addTenant()
  const output = 'x'.repeat(limits.pageBytes.value * 0.4)
  const spans = ['a', 'b', 'c'].map((span_id) => ({
    ...{ span_id, name: 'n', kind: 'tool', started_at: '2026-01-01T00:00:00Z', output },
  }))
  await service.call(ingestTrace, { body: { trace_id: 'trace', spans } }, tenant.keyHeader)
  const { promise, resolve } = Promise.withResolvers<void>()
  nextPage = promise
  const path = buildPath(exportTrajectories, { projectId: tenant.projectId }, {})
  const headers = await service.signedIn(tenant.members.Owner)
  const { body } = await fetch(service.api + path, { headers })
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  let received = ''
  while (!received.includes('"span_id":"b"')) received += (await reader.read()).value ?? ''
  expect(received).not.toContain('"span_id":"c"')
  resolve()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    received += next.value
  }
  const { tool_calls } = JSON.parse(received) as { tool_calls: { span_id: string }[] }
  expect(tool_calls.map(({ span_id }) => span_id)).toEqual(['a', 'b', 'c'])
})

test('JSON that is stored on several lines is exported on one', async () => {
  const tenant = await service.addTenant()
  const owner = await service.signedIn(tenant.members.Owner)
  const text = (value: string) => ({ stringValue: value })
  const attributes = [
    { key: 'gen_ai.operation.name', value: text('execute_tool') },
    { key: 'gen_ai.tool.call.arguments', value: text('{\n  "city":\r\n "Rome\\n"\n}') },
  ]
  const span = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), name: 'weather', attributes }
  const times = { startTimeUnixNano: '1767225600000000000', endTimeUnixNano: '1767225600000000000' }
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, ...times }] }] }] }
  await service.call(exportTraces, { body }, tenant.keyHeader)
  const params = { projectId: tenant.projectId }
  const { data } = await service.call(exportTrajectories, { params, query: {} }, owner)
  expect(data).toMatchObject([{ tool_calls: [{ input: { city: 'Rome\n' }, output: null }] }])
})
