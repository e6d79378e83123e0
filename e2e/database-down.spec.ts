import { ingestTrace } from '@assay/contract/ingest.ts'
import { listOrganizations } from '@assay/contract/organizations.ts'
import { readTrace } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PostgresServer, startPostgres } from '../server/test/postgres-server.ts'
import {
  callAs,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

/*
 * PostgreSQL stops under load and restarts: exporters are asked to retry, nothing acknowledged is lost, and
 * the service recovers unattended.
 */

const clients = 8

let postgres: PostgresServer
let service: RunningService
let first: SetUpService

beforeAll(async () => {
  postgres = await startPostgres()
  service = await runService({
    env: { ASSAY_DATABASE_URL: postgres.url, ASSAY_SECRET: 'a secret of the tests, long enough' },
  })
  first = await setUpService(service)
})
afterAll(async () => {
  await service.stop()
  await postgres.stop()
})

interface Load {
  isOver: boolean
  readonly acknowledged: string[]
  readonly answers: { readonly status: number; readonly retryAfter: string | null }[]
}

test('without its database the service responds 503 with Retry-After, and recovers by itself', async ({
  annotate,
}) => {
  const load: Load = { isOver: false, acknowledged: [], answers: [] }
  const sending = Array.from({ length: clients }, (_, client) => keepSending(load, client))
  await untilAnswered(load, 202)

  await postgres.crash()
  await untilAnswered(load, 503)
  const page = await fetch(service.api + listOrganizations.path, { headers: first.session })
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, expect.any(String)])

  const ready = await fetch(`${service.origin}/readyz`)
  expect([ready.status, await ready.text()]).toEqual([
    503,
    'not ready: The accounts database does not respond.\n',
  ])

  const downFor = load.answers.length
  await postgres.restart()
  const backAt = performance.now()
  await untilAnswered(load, 202, downFor)
  await annotate(`served again ${Math.round(performance.now() - backAt)} ms after the database`)

  load.isOver = true
  await Promise.all(sending)
  expect(new Set(load.answers.map(({ status }) => status))).toEqual(new Set([202, 503]))
  const refusals = load.answers.filter(({ status }) => status === 503)
  expect(refusals.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true)
  expect(service.process.exitCode).toBeNull()
  await allReadable(load.acknowledged)
})

async function keepSending(load: Load, client: number): Promise<void> {
  for (let n = 0; !load.isOver; n++) {
    const trace_id = `t-${client}-${n}`
    const started_at = new Date().toISOString()
    const response = await fetch(service.api + ingestTrace.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tracing-key': first.tracing_key },
      body: JSON.stringify({ trace_id, spans: [{ span_id: 'a', name: 'a', started_at }] }),
    })
    await response.arrayBuffer()
    load.answers.push({ status: response.status, retryAfter: response.headers.get('retry-after') })
    if (response.ok) load.acknowledged.push(trace_id)
  }
}

/** Waits for a response with this status after the first `from`. */
async function untilAnswered(
  { answers }: Load,
  status: number,
  from = answers.length,
): Promise<void> {
  await expect
    .poll(() => answers.slice(from).some((answer) => answer.status === status), { timeout: 30_000 })
    .toBe(true)
}

async function allReadable(traceIds: readonly string[]): Promise<void> {
  const call = callAs(service, first)
  for (const traceId of traceIds) {
    const params = { projectId: first.project.id, traceId }
    const trace = await call(readTrace, { params, query: { payload: 'none' } })
    expect(trace.span_count).toBe(1)
  }
}
