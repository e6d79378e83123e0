import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { createProjectPrice } from '@assay/contract/prices.ts'
import { reprice } from '@assay/contract/repricing.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { injectFaultOfTest } from './fault-of-test.ts'
import {
  callAs,
  newDataDir,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'
import { hasStrace, noStrace } from './strace.ts'

/*
 * A supervisor sends SIGTERM and kills ten seconds later: the service has always ended by then.
 */

const dataDir = newDataDir()
const supervisorKillsAfterMs = 10_000
const traceCount = 24
const spansPerTrace = 500

/** The one that runs: each test stops it and starts the next one in the same folder. */
let service: RunningService
let first: SetUpService

beforeAll(async () => {
  service = await runService({ dataDir })
  first = await setUpService(service)
  for (let i = 0; i < traceCount; i += 1) await send(service, `t${i}`)
  const price = { model: 'acme-large', input_usd_per_mtok: 1000, output_usd_per_mtok: 0 }
  const params = { projectId: first.project.id }
  await callAs(service, first)(createProjectPrice, { params, body: price })
})
afterAll(() => service.kill())

async function send({ api }: RunningService, trace_id: string): Promise<number> {
  const started_at = new Date(Date.UTC(2026, 0, 1)).toISOString()
  const spans = Array.from({ length: spansPerTrace }, (_, n) => ({
    ...{ span_id: `s${n}`, name: 'call', kind: 'llm', model: 'acme-large', started_at },
    ...{ tokens_in: 1000, tokens_out: 0, input: 'x'.repeat(2000) },
  }))
  const response = await fetch(api + ingestTrace.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracing-key': first.tracing_key },
    body: JSON.stringify({ trace_id, spans }),
  })
  await response.arrayBuffer()
  return response.status
}

/** Sends SIGTERM, and SIGKILL as supervisors do. */
async function stopAsSupervisor({
  process: child,
}: RunningService): Promise<number | string | null> {
  const timer = setTimeout(() => child.kill('SIGKILL'), supervisorKillsAfterMs)
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  child.kill('SIGTERM')
  const [code, signal] = await exited
  clearTimeout(timer)
  return code ?? signal
}

function socketTo({ origin }: RunningService): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  return once(socket, 'connect').then(() => socket)
}

const projectPath = () => `/api/v1/projects/${first.project.id}`

/** Sends a request and does not read the response. */
async function askFor(service: RunningService, path: string): Promise<Socket> {
  const socket = await socketTo(service)
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${first.session.cookie}\r\n\r\n`)
  return socket
}

type Work = (service: RunningService) => Promise<unknown>

const work: Readonly<Record<string, Work>> = {
  async 'open streams'(service) {
    const path = `${service.origin}${projectPath()}/traces/live`
    const streams = [1, 2, 3].map(() => fetch(path, { headers: first.session }))
    expect((await Promise.all(streams)).map(({ status }) => status)).toEqual([200, 200, 200])
  },
  async 'uploads that stall'(service) {
    for (const path of ['/api/v1/traces/ingest', '/api/v1/traces']) {
      const socket = await socketTo(service)
      const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json`
      const key = `x-tracing-key: ${first.tracing_key}\r\ncontent-length: 100000`
      socket.write(`${head}\r\n${key}\r\n\r\n{"trace_id":`)
    }
  },
  async 'clients that do not read'(service) {
    for (let i = 0; i < 4; i += 1) await askFor(service, `${projectPath()}/traces/t${i}`)
    await askFor(service, `${projectPath()}/export`)
  },
  async '400 queued reads'(service) {
    for (let i = 0; i < 400; i += 1) await askFor(service, `${projectPath()}/traces?name=none`)
  },
  async 'a long re-pricing'(service) {
    const params = { projectId: first.project.id }
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }
    // Refused while that of another test is still running, which serves as well.
    await callAs(service, first)(reprice, { params, body: range }).catch(() => undefined)
  },
  async 'a removal and batches'(service) {
    const headers = first.session
    void fetch(`${service.origin}${projectPath()}/traces/t0`, { method: 'DELETE', headers }).catch(
      () => undefined,
    )
    for (let i = 0; i < 30; i += 1) void send(service, `u${i}`).catch(() => undefined)
  },
}

// Each alone takes as long as all together.
const begun = inject('isLong') ? [...Object.keys(work), 'all of it'] : ['all of it']

describe('SIGTERM ends the service with 0 before a supervisor kills it, with', () => {
  test.each(begun)('%s', async (name) => {
    const all = Object.values(work)
    for (const begin of name === 'all of it' ? all : [work[name]]) await begin?.(service)
    const acknowledged = `acknowledged with ${name}`
    expect(await send(service, acknowledged)).toBe(202)
    const stopped = service
    const outcome = await stopAsSupervisor(stopped)
    service = await runService({ dataDir })
    expect(outcome, stopped.log()).toBe(0)
    const params = { projectId: first.project.id }
    const traces = await callAs(service, first)(listTraces, { params, query: { limit: 100 } })
    expect(traces).toContainEqual(
      expect.objectContaining({ trace_id: acknowledged, span_count: spansPerTrace }),
    )
  })
})

test('a service that is killed leaves its compiled code to the next start', async () => {
  const cache = newDataDir()
  const service = await runService({ env: { NODE_COMPILE_CACHE: cache } })
  // It responds when the code is written.
  expect((await fetch(`${service.origin}/healthz`)).status).toBe(200)
  await service.kill()
  // One for each of more than a thousand modules.
  expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(1000)
})

test('SIGTERM ends a service whose disk hangs, with a line that says what had not ended (only with strace)', async (context) => {
  if (!hasStrace()) return context.skip(noStrace)
  expect(await send(service, 'before the fault')).toBe(202)
  const wal = join(dataDir, 'telemetry.sqlite-wal')
  const fault = await injectFaultOfTest(service.process, 'fsync,fdatasync:delay_enter=60000000', [
    wal,
  ])
  void send(service, 'in the fault').catch(() => undefined)
  await expect.poll(() => fetch(`${service.origin}/healthz`).then(({ status }) => status)).toBe(200)
  const exited = once(service.process, 'exit')
  service.process.kill('SIGTERM')
  await expect
    .poll(() => service.log())
    .toContain('before the telemetry store had ended. Everything that was acknowledged is stored.')
  await fault.end()
  await exited
  service = await runService({ dataDir })
  const params = { projectId: first.project.id }
  const traces = await callAs(service, first)(listTraces, { params, query: { limit: 100 } })
  expect(traces.map(({ trace_id }) => trace_id)).toContain('before the fault')
})
