import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { exportLogs, exportMetrics, exportTraces } from '@assay/contract/otlp.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Tenant } from './people.ts'
import { runningService } from './service-suite.ts'
import type { Credentials } from './started-app.ts'

const service = runningService()
let tenant: Tenant
let key: Credentials

beforeAll(async () => {
  tenant = await service.addTenant()
  key = tenant.keyHeader
})

/** Waits for the service, which may be writing. */
function openOther(): DatabaseSync {
  return new DatabaseSync(join(service.dataDir, 'telemetry.sqlite'), { timeout: 10_000 })
}

async function stored(): Promise<readonly string[]> {
  const owner = await service.signedIn(tenant.members.Owner)
  const { data } = await service.call(
    listTraces,
    { params: { projectId: tenant.projectId } },
    owner,
  )
  return data.map((one) => one.trace_id)
}

const jsonTrace = {
  trace_id: 'json',
  spans: [{ span_id: 'a', name: 'a', started_at: '2026-01-01T00:00:00Z' }],
}
const otlpSpan = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  name: 'a',
  startTimeUnixNano: '1767225600000000000',
}
const otlpTrace = { resourceSpans: [{ scopeSpans: [{ spans: [otlpSpan] }] }] }

describe('while another process locks the telemetry file', () => {
  const cases: readonly (readonly [string, AnyEndpoint, object, string])[] = [
    ['JSON', ingestTrace, jsonTrace, jsonTrace.trace_id],
    ['OTLP', exportTraces, otlpTrace, otlpSpan.traceId],
  ]

  test.each(cases)(
    '%s gets 503 with Retry-After, and loses nothing on retry',
    async (_name, declared, body, id) => {
      const other = openOther()
      other.exec('BEGIN IMMEDIATE')
      const refused = await service.call(declared, { body }, key).finally(() => {
        other.exec('ROLLBACK')
        other.close()
      })
      expect(refused).toMatchObject({ status: 503, error: { code: 'INTERNAL_ERROR' } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await stored()).not.toContain(id)
      expect((await service.call(declared, { body }, key)).status).toBeLessThan(300)
      expect(await stored()).toContain(id)
    },
  )

  const at = '1767225600000000000'
  const gauge = { name: 'm', gauge: { dataPoints: [{ timeUnixNano: at, asInt: '1' }] } }
  const signals: readonly (readonly [string, AnyEndpoint, object])[] = [
    ['metrics', exportMetrics, { resourceMetrics: [{ scopeMetrics: [{ metrics: [gauge] }] }] }],
    [
      'logs',
      exportLogs,
      {
        resourceLogs: [
          { scopeLogs: [{ logRecords: [{ timeUnixNano: at, body: { stringValue: 'a' } }] }] },
        ],
      },
    ],
  ]

  test.each(signals)('%s get 503 with Retry-After', async (_name, declared, body) => {
    const other = openOther()
    other.exec('BEGIN IMMEDIATE')
    const refused = await service.call(declared, { body }, key).finally(() => {
      other.exec('ROLLBACK')
      other.close()
    })
    expect(refused).toMatchObject({ status: 503, error: { code: 'INTERNAL_ERROR' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await service.call(declared, { body }, key)).status).toBe(200)
  })

  test('reads continue', async () => {
    const other = openOther()
    other.exec('BEGIN IMMEDIATE')
    expect(await stored()).toContain('json')
    other.exec('ROLLBACK')
    other.close()
  })
})

describe('an invalid OTLP request', () => {
  test.each([
    ['text', { raw: 'text' }, 400],
    ['an unsupported content type', { raw: '{}', send: { 'content-type': 'text/plain' } }, 415],
    ['an unsupported encoding', { raw: '{}', send: { 'content-encoding': 'br' } }, 400],
  ])('%s is refused, and nothing is stored', async (_situation, args, status) => {
    const before = await stored()
    const response = await service.call(exportTraces, args, key)
    expect(response).toMatchObject({ status, error: { code: 'VALIDATION_ERROR' } })
    expect(await stored()).toEqual(before)
  })
})
