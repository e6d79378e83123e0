import { listTraces, readTrace } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  callAs,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    isLong: boolean
  }
}

/** Much less than a process has by default. */
const heapMb = 160
const batchSize = 5000

let service: RunningService
let setUp: SetUpService

beforeAll(async () => {
  service = await runService({ env: { NODE_OPTIONS: `--max-old-space-size=${heapMb}` } })
  setUp = await setUpService(service)
})
afterAll(() => service.stop())

const lengths = inject('isLong') ? [10_000, 100_000] : [10_000]

test.each(lengths)(
  'advisory 8: a trace of %i model calls without tokens is stored and read in a small heap (Langfuse, issues 10367 and 17327)',
  async (length) => {
    const traceId = String(length).padStart(32, 'a')
    for (let first = 0; first < length; first += batchSize) {
      await exportCalls(traceId, first, Math.min(batchSize, length - first))
    }
    const projectId = setUp.project.id
    const call = callAs(service, setUp)
    const params = { projectId, traceId }
    const trace = await call(readTrace, { params, query: { payload: 'none' } })
    const expected = { span_count: length, tokens_in: 0, cost_usd: null }
    expect(trace).toMatchObject(expected)
    expect(trace.spans).toHaveLength(2000)
    const listed = await call(listTraces, { params: { projectId }, query: {} })
    expect(listed.find(({ trace_id }) => trace_id === traceId)).toMatchObject(expected)
    // A span that arrives later is added to all others.
    await exportCalls(traceId, 0, 1)
    expect(await call(readTrace, { params, query: { payload: 'none' } })).toMatchObject(expected)
    expect(service.process.exitCode).toBeNull()
  },
  600_000,
)

async function exportCalls(traceId: string, first: number, count: number): Promise<void> {
  const spans = Array.from({ length: count }, (_, number) => ({
    traceId,
    spanId: (first + number + 1).toString(16).padStart(16, '0'),
    ...(first + number === 0 ? {} : { parentSpanId: '1'.padStart(16, '0') }),
    name: 'chat',
    startTimeUnixNano: String(1_767_225_600_000_000_000n + BigInt(first + number)),
    endTimeUnixNano: String(1_767_225_601_000_000_000n + BigInt(first + number)),
    attributes: [
      { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
      { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
      { key: 'gen_ai.prompt', value: { stringValue: 'a question '.repeat(20) } },
    ],
  }))
  const response = await fetch(`${service.api}/traces`, {
    method: 'POST',
    headers: { 'x-tracing-key': setUp.tracing_key, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  })
  expect([response.status, await response.json()]).toEqual([200, {}])
}
