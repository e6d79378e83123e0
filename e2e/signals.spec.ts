import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listLogs } from '@assay/contract/logs.ts'
import { listMetrics, readMetric } from '@assay/contract/metrics.ts'
import { readTrace } from '@assay/contract/traces.ts'
import { context, TraceFlags, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import {
  AggregationType,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { openPage } from './browser.ts'
import {
  callAs,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'
import { closePages, sharedBrowser } from './shared-browser.ts'

/*
 * Metrics and logs from real SDKs, configured with only the two documented environment variables.
 */

let service: RunningService
let first: SetUpService
let call: ReturnType<typeof callAs>
let variables: Readonly<Record<string, string>>

beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  service = await runService()
  first = await setUpService(service)
  call = callAs(service, first)
  variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${service.origin}/api`,
    OTEL_EXPORTER_OTLP_HEADERS: `x-tracing-key=${first.tracing_key}`,
  }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  context.disable()
  await service.stop()
})

const compressions = {
  gzip: { compression: CompressionAlgorithm.GZIP },
  'no compression': {},
} as const

const toResource = (name: string) => resourceFromAttributes({ 'service.name': name })
const params = () => ({ projectId: first.project.id })
const series = (name: string, of: string) =>
  call(readMetric, { params: { ...params(), name }, query: { service: of, step: 3600 } })

describe.each(Object.keys(compressions) as (keyof typeof compressions)[])(
  'the JavaScript SDK over protobuf, %s',
  (compression) => {
    test('counters, gauges and both kinds of histograms arrive', async () => {
      const name = `js ${compression}`
      const provider = new MeterProvider({
        resource: toResource(name),
        readers: [
          new PeriodicExportingMetricReader({
            exporter: new OTLPMetricExporter(compressions[compression]),
          }),
        ],
        views: [
          {
            instrumentName: 'size',
            aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM },
          },
        ],
      })
      const meter = provider.getMeter('shop')
      const [orders, load] = [meter.createCounter('orders'), meter.createGauge('load')]
      const [latency, size] = [meter.createHistogram('latency'), meter.createHistogram('size')]
      orders.add(2, { route: '/pay' })
      orders.add(3, { route: '/pay' })
      load.record(0.5)
      for (const value of [10, 20, 30, 40]) {
        latency.record(value)
        size.record(value)
      }
      await provider.forceFlush()
      await provider.shutdown()

      const [counted] = await series('orders', name)
      expect(counted).toMatchObject({ kind: 'sum', attributes: { route: '/pay' } })
      expect(counted?.steps.at(-1)).toMatchObject({ sum: 5, last: 5 })
      expect((await series('load', name))[0]?.steps.at(-1)).toMatchObject({ last: 0.5 })
      for (const [metric, kind] of [
        ['latency', 'histogram'],
        ['size', 'exponential_histogram'],
      ] as const) {
        const [found] = await series(metric, name)
        expect(found?.kind).toBe(kind)
        const step = found?.steps.at(-1)
        expect(step).toMatchObject({ count: 4, sum: 100, avg: 25 })
        expect(step?.p50).toBeGreaterThan(10)
        expect(step?.p99).toBeLessThan(51)
      }
      const names = (await call(listMetrics, { params: params(), query: {} })).map(
        (each) => each.name,
      )
      expect(names).toEqual(expect.arrayContaining(['latency', 'load', 'orders', 'size']))
    })

    test('log records arrive with their trace ID', async () => {
      const name = `js ${compression}`
      const provider = new LoggerProvider({
        resource: toResource(name),
        processors: [
          new BatchLogRecordProcessor({ exporter: new OTLPLogExporter(compressions[compression]) }),
        ],
      })
      const ids = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }
      const within = trace.setSpanContext(context.active(), {
        ...ids,
        traceFlags: TraceFlags.SAMPLED,
      })
      provider.getLogger('shop').emit({
        severityNumber: 17,
        eventName: 'payment.refused',
        body: { order: 1042, why: ['no funds'] },
        attributes: { route: '/pay' },
        context: within,
      })
      await provider.forceFlush()
      await provider.shutdown()

      const query = { trace_id: ids.traceId, service: name }
      const [found, ...others] = await call(listLogs, { params: params(), query })
      expect(others).toEqual([])
      expect(found).toMatchObject({
        ...{ severity: 17, event_name: 'payment.refused', trace_id: ids.traceId },
        ...{ span_id: ids.spanId, body: { order: 1042, why: ['no funds'] } },
        attributes: { route: '/pay' },
      })
    })
  },
)

const python = process.env['PYTHON'] ?? 'python3'
const module = 'opentelemetry.exporter.otlp.proto.http'
const hasPython = spawnSync(python, ['-c', `import ${module}`]).status === 0

test.skipIf(!hasPython).each(['none', 'gzip', 'deflate'])(
  'the Python SDK over protobuf with %s: trace, metrics and logs arrive (only after pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http)',
  async (compression) => {
    const name = `python ${compression}`
    const ran = spawnSync(python, [join(import.meta.dirname, 'record/python-signals.py')], {
      encoding: 'utf8',
      env: {
        ...process.env,
        ...variables,
        OTEL_EXPORTER_OTLP_COMPRESSION: compression,
        OTEL_SERVICE_NAME: name,
      },
    })
    expect(ran.status, ran.stderr).toBe(0)
    const traceId = ran.stdout.trim()
    const read = await call(readTrace, { params: { ...params(), traceId }, query: {} })
    expect(read).toMatchObject({ root_name: 'pay', service: name })
    expect((await series('orders', name))[0]?.steps.at(-1)).toMatchObject({ last: 3 })
    expect((await series('latency', name))[0]?.steps.at(-1)).toMatchObject({ count: 1, sum: 12.5 })
    const [record] = await call(listLogs, { params: params(), query: { trace_id: traceId } })
    expect(record).toMatchObject({ body: 'the shop did not answer', severity: 17, service: name })
  },
)

const goFolder = join(import.meta.dirname, 'go-exporter')
const goBinary = join(mkdtempSync(join(tmpdir(), 'assay-go-')), 'go-exporter')
// Offline: a machine with Go may not have its modules.
const hasGo =
  spawnSync('go', ['build', '-o', goBinary, '.'], {
    cwd: goFolder,
    env: { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local' },
  }).status === 0
afterAll(() => rmSync(dirname(goBinary), { recursive: true, force: true }))

test.skipIf(!hasGo).each(['none', 'gzip'])(
  'the Go SDK over protobuf with %s: trace, metrics and logs arrive (only after go mod download in e2e/go-exporter)',
  async (compression) => {
    const name = `go ${compression}`
    const ran = spawnSync(goBinary, {
      encoding: 'utf8',
      env: {
        ...variables,
        OTEL_EXPORTER_OTLP_COMPRESSION: compression,
        OTEL_SERVICE_NAME: name,
      },
    })
    expect(ran.status, ran.stderr).toBe(0)
    const traceId = ran.stdout.trim()
    const read = await call(readTrace, { params: { ...params(), traceId }, query: {} })
    expect(read).toMatchObject({ root_name: 'pay', service: name, status: 'ERROR' })
    expect((await series('orders', name))[0]?.steps.at(-1)).toMatchObject({ last: 3 })
    const [record] = await call(listLogs, { params: params(), query: { trace_id: traceId } })
    expect(record).toMatchObject({ body: 'the shop did not answer', severity: 17, service: name })
  },
)

const chromium = inject('chromium')

test.skipIf(chromium === null).each([
  ['nothing', ['**/api/v1/projects/*/logs?*', '**/readyz']],
  ['everything else', ['**/api/v1/projects/*/logs?*']],
])(
  'while %s is available, the page of logs does not say that there are none when they cannot be read, and loads them when they can',
  async (_available, paths) => {
    const browser = await sharedBrowser()
    const { page } = await openPage(browser, service.origin, first.session.cookie)
    const unavailable = {
      status: 503,
      json: {
        error: { code: 'INTERNAL_ERROR', message: 'ClickHouse cannot be reached.', details: {} },
      },
    }
    for (const path of paths) {
      await page.route(path, (route) => route.fulfill(unavailable))
    }
    await page.goto(`${service.origin}/p/${first.project.id}/logs`)
    await page.getByRole('heading', { name: 'Not available right now' }).waitFor()
    await page.getByText('Try again in a moment; if it keeps failing').waitFor()
    expect(await page.getByText('No logs yet').count()).toBe(0)
    await page.unrouteAll()
    await page.getByRole('table', { name: 'Log records, newest first' }).waitFor()
    await closePages()
  },
)

test.skipIf(chromium === null)(
  'the tab of the log records of a trace counts none while they cannot be read',
  async () => {
    const [record] = await call(listLogs, { params: params(), query: {} })
    const at = new Date().toISOString()
    const spans = [{ span_id: 'a', name: 'pay', kind: 'tool', started_at: at, ended_at: at }]
    const sent = await fetch(`${service.api}/traces/ingest`, {
      method: 'POST',
      headers: { 'x-tracing-key': first.tracing_key, 'content-type': 'application/json' },
      body: JSON.stringify({ trace_id: record?.trace_id, spans }),
    })
    expect(sent.status).toBe(202)
    const { page } = await openPage(await sharedBrowser(), service.origin, first.session.cookie)
    await page.route('**/api/v1/projects/*/logs?*', (route) =>
      route.fulfill({
        status: 503,
        json: { error: { code: 'INTERNAL_ERROR', message: 'Away.', details: {} } },
      }),
    )
    await page.goto(`${service.origin}/p/${first.project.id}/traces/${record?.trace_id}`)
    await page.getByRole('tab', { name: 'Logs' }).click()
    await page.getByRole('heading', { name: 'Not available right now' }).waitFor()
    expect(await page.getByText(/^\d+ records?$/).count()).toBe(0)
    await page.unrouteAll()
    await page.getByText(/^\d+ records?$/).waitFor()
    await closePages()
  },
)
