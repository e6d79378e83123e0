import { exportTrajectories } from '@assay/contract/export.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../../test/started-app.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test('every trace that fits is a line: its messages, its tool calls, and no reward yet', async () => {
  const tenant = await service.addTenant()
  const owner = await service.signedIn(tenant.members.Owner)
  const params = { projectId: tenant.projectId }
  const key = { 'x-tracing-key': tenant.tracingKey }
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
  const question = { role: 'user', content: 'Rome?' }
  const answer = { role: 'assistant', content: 'Sunny.' }
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
      output: answer,
    },
  ]
  for (let n = 0; n < 45; n++) {
    const body = { trace_id: `t${n}`, spans, tags: n === 7 ? ['wanted'] : [] }
    await service.ask(ingestTrace, { body }, key)
  }
  const all = await service.ask(exportTrajectories, { params, query: { format: 'jsonl' } }, owner)
  expect(new Set(all.data.map((line) => line.trace_id)).size).toBe(45)
  const query = { tag: 'wanted' }
  const { data, headers } = await service.ask(exportTrajectories, { params, query }, owner)
  expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  expect(data).toMatchObject([
    {
      trace_id: 't7',
      messages: [question, answer],
      tool_calls: [{ span_id: 'c', name: 'weather', input: { city: 'Rome' }, output: 21 }],
      rewards: [],
    },
  ])
})
