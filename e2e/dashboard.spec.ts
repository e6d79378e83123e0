import { call } from '@assay/contract/client.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { startWebhookReceiver, type WebhookReceiver } from '../server/test/webhook-receiver.ts'
import { serviceInBrowser } from './service-in-browser.ts'

/*
 * Data sent by real SDKs appears in the dashboard, metrics and logs, with links to the traces behind it, and sets off
 * alerts.
 */

/** Span names are untrusted input. */
const hostile = '<img src=x onerror="document.title=1">'

describe.skipIf(inject('chromium') === null)('the dashboard, metrics and logs', () => {
  const { service, setUp: first, watched, page } = serviceInBrowser()
  const toPath = (name: string) => `${service.origin}/p/${first.project.id}/${name}`

  let receiver: WebhookReceiver

  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    page.setDefaultTimeout(30_000)
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `${service.origin}/api`)
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', `x-tracing-key=${first.tracing_key}`)
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    return receiver.close()
  })

  test('show the next step while empty', async () => {
    await page.goto(toPath('dashboard'))
    await page.getByRole('heading', { name: 'No traces in this time range' }).waitFor()
    await page.goto(toPath('metrics'))
    await page.getByRole('heading', { name: 'No metrics yet' }).waitFor()
    await page.goto(toPath('logs'))
    await page.getByRole('heading', { name: 'No logs yet' }).waitFor()
  })

  test('name a filter without matches, which can be cleared', async () => {
    await page.goto(toPath('dashboard?name=nope&bucket=hour'))
    await page.getByRole('heading', { name: 'No traces match these filters' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('heading', { name: 'No traces in this time range' }).waitFor()
    expect(new URL(page.url()).search).toBe('?bucket=hour')
  })

  test.each([
    ['traces?status=banana', 'status'],
    ['traces?from=garbage', 'from'],
    ['logs?severity=banana', 'severity'],
    ['dashboard?range=banana', 'range'],
  ])('name the ignored parameter of %s', async (path, name) => {
    await page.goto(toPath(path))
    await page.getByText(`Ignored invalid URL parameter: ${name}`).waitFor()
  })

  test('show traces, errors and unpriced calls, with links from a bar to its traces', async () => {
    await sendTraces()
    await page.goto(toPath('dashboard'))
    await page.getByText('no price and are not included in the cost').waitFor()
    const byName = page.getByRole('table', { name: 'By name' })
    const row = byName.getByRole('row', { name: hostile })
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(
      expect.arrayContaining(['2', '1', '240', '—']),
    )
    expect(await page.locator('img[src="x"]').count()).toBe(0)

    await page.getByRole('figure', { name: 'Traces' }).getByText('Table').click()
    const runs = page.getByRole('table', { name: 'Traces' })
    await runs.getByRole('row', { name: /2\s+1$/ }).waitFor()

    await row.getByRole('link', { name: hostile, exact: true }).click()
    await page.waitForURL(/\/traces\?/)
    expect(new URL(page.url()).searchParams.get('name')).toBe(hostile)
    await page.getByText('2 found').waitFor()
  })

  test.each(['24h', '7d', '30d'])(
    'show the same values in the chart of %s and its table',
    async (range) => {
      await page.goto(toPath(`dashboard?range=${range}`))
      for (const [name, expected] of [
        ['Traces', /2\s+1$/],
        ['Tokens', /200\s+40$/],
      ] as const) {
        const figure = page.getByRole('figure', { name, exact: true })
        expect(await figure.getByRole('img').getAttribute('aria-label')).not.toContain('0 to 0')
        const canvas = figure.locator('canvas')
        await canvas.waitFor()
        // Only bars are colored: text and lines are gray.
        await expect.poll(() => canvas.evaluate(coloredPixels)).toBeGreaterThan(20)
        await figure.getByText('Table').click()
        await figure.getByRole('row', { name: expected }).waitFor()
      }
    },
  )

  test('link from a chart to the traces of that hour', async () => {
    await page.goto(toPath('dashboard'))
    await page.locator('canvas').first().waitFor()
    await page.getByRole('figure', { name: 'Traces' }).getByText('Table').click()
    const runs = page.getByRole('table', { name: 'Traces' })
    await runs
      .getByRole('row', { name: /2\s+1$/ })
      .getByRole('button')
      .click()
    await page.waitForURL(/\/traces\?.*from=/)
    await page.getByText('3 found').waitFor()
  })

  test('keep custom charts, also those of an earlier version in the browser, and in the URL', async () => {
    await page.goto(toPath('dashboard'))
    const earlier = `localStorage.setItem('assay.charts.${first.project.id}', 'errors.time.line')`
    await page.evaluate(earlier)
    await page.goto(toPath('dashboard'))
    const remove = page.getByRole('button', { name: 'Remove Errors' })
    await remove.waitFor()
    const stored = `localStorage.getItem('assay.charts.${first.project.id}')`
    await expect.poll(() => page.evaluate(stored)).toBeNull()
    await page.reload()
    await remove.click()
    await remove.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add chart' }).click()
    await page.getByLabel('Metric').selectOption('tokens')
    await page.getByLabel('Group by').selectOption('model')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('table', { name: 'Tokens by model' }).getByText('house-model').waitFor()
    expect(new URL(page.url()).searchParams.get('charts')).toBe('tokens.model.bar')
    await page.evaluate('localStorage.clear()')
    await page.goto(toPath('dashboard'))
    await page.getByRole('table', { name: 'Tokens by model' }).waitFor()
  })

  test('share a custom chart with the project', async () => {
    const shared = page.getByRole('region', { name: 'Project charts' })
    await page.getByRole('button', { name: 'Share Tokens by model' }).click()
    await shared.getByRole('table', { name: 'Tokens by model' }).waitFor()
    await page.waitForURL((url) => url.searchParams.get('charts') === '')
    await page.goto(toPath('dashboard'))
    await shared.getByRole('table', { name: 'Tokens by model' }).waitFor()
    expect(await page.getByRole('table', { name: 'Tokens by model' }).count()).toBe(1)
    await shared.getByRole('button', { name: 'Remove Tokens by model' }).click()
    await page.getByRole('button', { name: 'Remove chart' }).click()
    await shared.waitFor({ state: 'detached' })
  })

  test('show the values of a metric in the table of its chart', async () => {
    await sendMetrics()
    await page.goto(toPath('metrics'))
    await page.getByRole('link', { name: 'orders' }).click()
    await page.getByLabel('Aggregation').selectOption('last')
    const chart = page.getByRole('figure', { name: 'orders: Latest value' })
    await chart.getByRole('button', { name: hostile }).waitFor()
    await chart.getByText('Table').click()
    const table = page.getByRole('table', { name: 'orders: Latest value' })
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['From', '/pay', hostile])
    expect(await table.getByRole('cell').allInnerTexts()).toEqual(['5 orders', '2 orders'])
    await page.reload()
    await page.getByRole('figure', { name: 'orders: Latest value' }).waitFor()
    expect(await page.locator('img[src="x"]').count()).toBe(0)
  })

  test('link from a log record to its span, with the keyboard alone', async () => {
    const { traceId, spanId } = await sendLogs()
    await page.goto(toPath('logs?severity=error'))
    await page.getByText('1 record', { exact: true }).waitFor()
    const row = page.getByRole('rowheader').getByRole('button', { name: 'the card was refused' })
    await row.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Open span' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname.endsWith(`/traces/${traceId}`))
    expect(new URL(page.url()).searchParams.get('span')).toBe(spanId)
  })

  test.each(['dashboard?', 'metrics?metric=x&'])(
    'refuse a backward time range: %s',
    async (path) => {
      await page.goto(toPath(`${path}from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z`))
      await page.getByText('The start must be before the end.').waitFor()
      expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0)
    },
  )

  test('count simulated traces apart, with their cost, until they are requested', async () => {
    const started_at = new Date().toISOString()
    const spans = [
      { span_id: 's', name: 'judge Polite', started_at, latency_ms: 5, cost_usd: 0.25 },
    ]
    const body = { trace_id: 'judge', mode: 'simulation' as const, spans }
    const headers = { 'x-tracing-key': first.tracing_key }
    await call(service.api, ingestTrace, { body, headers: {} }, { headers })
    await page.goto(toPath('dashboard'))
    const text = 'cost $0.250 in this time range and is not included'
    const note = page.getByRole('note').filter({ hasText: text })
    await note.waitFor()
    expect(await page.getByRole('link', { name: 'judge Polite' }).count()).toBe(0)
    await note.getByRole('button', { name: 'Show simulated traces' }).click()
    await page.getByRole('link', { name: 'judge Polite' }).click()
    await page.getByText('1 found').waitFor()
    expect(new URL(page.url()).searchParams.get('mode')).toBe('simulation')
  })

  test('lead to alert rules, which fire, call a webhook and are resolved', async () => {
    const dialog = page.getByRole('dialog')
    const row = page.getByRole('row', { name: /Failing/ })
    const act = (action: string) => page.getByRole('button', { name: `${action} Failing` }).click()
    await page.getByRole('link', { name: 'Alerts' }).click()
    await page.getByRole('heading', { name: 'No alert rules' }).waitFor()
    await page.getByRole('button', { name: 'New rule' }).click()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Failing')
    await dialog.getByLabel('Threshold in %').fill('500')
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    await dialog.getByText('Must be a number from 0 to 100').waitFor()
    await dialog.getByLabel('Threshold in %').fill('5')
    await dialog.getByLabel('Webhook URL').fill(receiver.url)
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    await dialog.getByText(/^whsec_/).waitFor()
    // The secret is not shown again, so Escape does not close it.
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    await row.getByText('Firing').waitFor()
    await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBe(1)

    await act('Send test')
    await dialog.getByText('Delivered').waitFor()
    expect(JSON.parse(receiver.received[1]?.body ?? '')).toMatchObject({ type: 'alert.test' })
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await act('Details of')
    const history = page.getByRole('region', { name: 'History of Failing' })
    await history.getByText(/^Webhook at 127.*: delivered$/).waitFor()

    await act('Edit')
    await dialog.getByText('Leave empty to keep it.').waitFor()
    expect(await dialog.getByLabel('Threshold in %').inputValue()).toBe('5')
    await dialog.getByLabel('Threshold in %').fill('99')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row.getByText('OK', { exact: true }).waitFor()
    await act('Disable')
    await row.getByText('Disabled').waitFor()
    await act('Delete')
    await dialog.getByRole('button', { name: 'Delete rule' }).click()
    await page.getByRole('heading', { name: 'No alert rules' }).waitFor()
  })

  test('cause no errors and no violation of the content security policy', () => {
    expect(watched.faults).toEqual([])
  })
})

/** The part of the canvas API used in the page. */
interface Canvas {
  readonly width: number
  readonly height: number
  getContext(kind: '2d'): {
    getImageData(...box: readonly [number, number, number, number]): { data: Uint8ClampedArray }
  }
}

/** The number of pixels that are neither empty nor gray. */
function coloredPixels(canvas: Canvas): number {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  let colored = 0
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, opacity = 0] = data.subarray(at, at + 4)
    if (opacity > 0 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) colored += 1
  }
  return colored
}

const resource = resourceFromAttributes({ 'service.name': 'shop' })
/** A busy machine may be slower than the default timeout of the exporters. */
const patient = { timeoutMillis: 60_000 }

/** Two traces with a hostile name and an unpriced model call, one of them failed, and one with another name. */
async function sendTraces(): Promise<void> {
  const provider = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(patient) })],
  })
  const tracer = provider.getTracer('shop')
  for (const [at, name] of [hostile, hostile, 'restock'].entries()) {
    const run = tracer.startSpan(name, {}, ROOT_CONTEXT)
    if (at === 1) run.setStatus({ code: SpanStatusCode.ERROR })
    if (name === hostile) {
      const attributes = {
        ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'house-model' },
        ...{ 'gen_ai.usage.input_tokens': 100, 'gen_ai.usage.output_tokens': 20 },
      }
      tracer.startSpan('chat', { attributes }, trace.setSpan(ROOT_CONTEXT, run)).end()
    }
    run.end()
  }
  await provider.forceFlush()
  await provider.shutdown()
}

async function sendMetrics(): Promise<void> {
  const provider = new MeterProvider({
    resource,
    readers: [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(patient) })],
  })
  const orders = provider.getMeter('shop').createCounter('orders', { unit: '{order}' })
  orders.add(5, { route: '/pay' })
  orders.add(2, { route: hostile })
  await provider.forceFlush()
  await provider.shutdown()
}

async function sendLogs(): Promise<{ readonly traceId: string; readonly spanId: string }> {
  const traces = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(patient) })],
  })
  const logs = new LoggerProvider({
    resource,
    processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter(patient) })],
  })
  const pay = traces.getTracer('shop').startSpan('pay', {}, ROOT_CONTEXT)
  const logger = logs.getLogger('shop')
  const context = trace.setSpan(ROOT_CONTEXT, pay)
  logger.emit({ severityNumber: 9, body: 'an order came in', context })
  logger.emit({ severityNumber: 17, body: 'the card was refused', context })
  pay.end()
  for (const provider of [traces, logs]) {
    await provider.forceFlush()
    await provider.shutdown()
  }
  return pay.spanContext()
}
