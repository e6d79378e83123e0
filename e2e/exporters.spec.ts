import { listTraces, readTrace, type Trace } from '@assay/contract/traces.ts'
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { keyPlaceholder } from '../web/tracing/src/pages/send/snippet.ts'
import { snippetsFor } from '../web/tracing/src/pages/send/snippets.ts'
import { openPage } from './browser.ts'
import { type FakeProvider, startFakeProvider } from './fake-provider.ts'
import { answeringModel } from './fake-turn.ts'
import { clients } from './record/clients.ts'
import { runSnippet } from './run-snippet.ts'
import {
  callAs,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'
import { closePages, sharedBrowser } from './shared-browser.ts'

/*
 * Real clients, configured with only the two documented variables, as read through the API and as shown in
 * a browser.
 */

const exporters = {
  'protobuf, gzip': () => new ProtobufExporter({ compression: CompressionAlgorithm.GZIP }),
  'JSON, gzip': () => new JsonExporter({ compression: CompressionAlgorithm.GZIP }),
  protobuf: () => new ProtobufExporter(),
} as const

type Call = ReturnType<typeof callAs>

let service: RunningService
let first: SetUpService
let models: FakeProvider
let call: Call

beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  service = await runService()
  first = await setUpService(service)
  models = await startFakeProvider()
  call = callAs(service, first)
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `${service.origin}/api`)
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', `x-tracing-key=${first.tracing_key}`)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  context.disable()
  await models.close()
  await service.stop()
})

/** Runs a client once and returns the traces that arrived, oldest first. */
async function traced(name: string, exporter: keyof typeof exporters) {
  const serviceName = `${name} over ${exporter}`
  const client = clients.find((one) => one.name === name)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [new BatchSpanProcessor({ exporter: exporters[exporter]() })],
  })
  await client?.run(provider, models.url)
  await provider.forceFlush()
  await provider.shutdown()
  const params = { projectId: first.project.id }
  const found = await call(listTraces, { params, query: { service: serviceName } })
  return Promise.all(
    found
      .toReversed()
      .map((trace) =>
        call(readTrace, { params: { ...params, traceId: trace.trace_id }, query: {} }),
      ),
  )
}

type ReadTrace = Awaited<ReturnType<typeof traced>>[number]

const totals = ({ tokens_in, tokens_out, models: named, source }: Trace) => ({
  tokens_in,
  tokens_out,
  models: named,
  source,
})
const toId = ({ trace_id }: Trace) => trace_id
const ofKind = (trace: ReadTrace | undefined, kind: string) =>
  trace?.spans.filter((span) => span.kind === kind) ?? []

describe.each(Object.keys(exporters) as (keyof typeof exporters)[])('over %s', (exporter) => {
  test('an AI SDK run arrives as an agent, two model calls and a tool call; its tokens count once', async () => {
    const [run] = await traced('ai-sdk', exporter)
    expect(run && totals(run)).toMatchObject({ tokens_in: 130, tokens_out: 32, source: 'otlp' })
    expect(run).toMatchObject({ llm_call_count: 2, tool_call_count: 1, status: 'OK' })
    const [asked, answered] = ofKind(run, 'llm')
    expect(asked).toMatchObject({
      model: answeringModel,
      tokens_in: 50,
      tokens_out: 20,
      tokens_cache_read: 16,
    })
    expect(answered).toMatchObject({ model: answeringModel, tokens_in: 80, tokens_out: 12 })
    expect(JSON.stringify(asked?.input)).toContain('Weather in Paris? 🌧')
    expect(JSON.stringify(answered?.output)).toContain('It is 14 degrees and raining in Paris.')
    const [tool] = ofKind(run, 'tool')
    expect(tool).toMatchObject({ input: { city: 'Paris' }, output: { temp: 14, sky: 'rain' } })
  })

  test('an OpenInference run arrives as three model calls with their messages', async () => {
    const traces = await traced('openinference', exporter)
    expect(traces.map((trace) => [trace.tokens_in, trace.tokens_out])).toEqual([
      [50, 20],
      [80, 12],
      [80, 12],
    ])
    const [, second] = traces
    const [answered] = ofKind(second, 'llm')
    expect(answered).toMatchObject({
      model: answeringModel,
      tokens_in: 80,
      tokens_out: 12,
      tokens_cache_read: 16,
    })
    expect(JSON.stringify(answered?.input)).toContain('You are terse.')
    expect(JSON.stringify(answered?.output)).toContain('It is 14 degrees and raining in Paris.')
  })

  test('spans without a convention arrive complete, with status, event, link and attributes', async () => {
    const [trace] = await traced('sdk', exporter)
    expect(trace).toMatchObject({ root_name: 'GET /orders/:id', status: 'ERROR', error_count: 1 })
    const query = trace?.spans.find((span) => span.name === 'SELECT orders')
    expect(query).toMatchObject({ status: 'ERROR', status_message: 'no such order' })
    expect(query?.attributes).toMatchObject({ 'db.system.name': 'postgresql', ratio: 0.25 })
    expect(query?.events).toHaveLength(2)
    expect(query?.links).toHaveLength(1)
  })
})

describe('the snippets of the page *Send traces* that say that tests run them', () => {
  const snippets = snippetsFor('', keyPlaceholder)
  const ids = snippets.flatMap(({ id, tested }) => (tested === 'run' ? id : []))

  test('are these', () => {
    expect(ids).toEqual(['curl', 'environment', 'node', 'ai-sdk'])
  })

  test.each(ids)('%s: sends one trace with what was asked and answered', async (id) => {
    const params = { projectId: first.project.id }
    const known = new Set((await call(listTraces, { params, query: {} })).map(toId))
    const filled = snippetsFor(service.origin, first.tracing_key)
    await runSnippet((wanted) => filled.find((one) => one.id === wanted), id, models.url)
    const found = (await call(listTraces, { params, query: {} })).map(toId)
    const added = found.filter((one) => !known.has(one))
    expect(added).toHaveLength(1)
    const [traceId = ''] = added
    const [model] = ofKind(
      await call(readTrace, { params: { ...params, traceId }, query: {} }),
      'llm',
    )
    expect(JSON.stringify(model?.input)).toContain('Is anyone there?')
    expect(model?.output).not.toBeNull()
    expect(model?.tokens_in).toBeGreaterThan(0)
  })
})

const chromium = inject('chromium')

test.skipIf(chromium === null)('the trace page shows an AI SDK run', async () => {
  const [run] = await traced('ai-sdk', 'protobuf, gzip')
  const browser = await sharedBrowser()
  const { page, faults } = await openPage(browser, service.origin, first.session.cookie)
  const answered = ofKind(run, 'llm')[1]
  await page.goto(
    `${service.origin}/p/${first.project.id}/traces/${run?.trace_id}?span=${answered?.span_id}`,
  )
  await page.getByText('It is 14 degrees and raining in Paris.').first().waitFor()
  await page.getByText(answeringModel).first().waitFor()
  await page.getByText('Weather in Paris?').first().waitFor()
  expect(faults).toEqual([])
  await closePages()
})
