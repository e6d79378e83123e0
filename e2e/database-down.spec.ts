import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { createOrganization, listOrganizations } from '@assay/contract/organizations.ts'
import { readTrace } from '@assay/contract/traces.ts'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { type PostgresServer, startPostgres } from '../server/test/postgres-server.ts'
import {
  callAs,
  newDataDir,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

/*
 * PostgreSQL fails under load: exporters are asked to retry, nothing acknowledged is lost, and the service recovers
 * unattended.
 */

const clients = 8
/** What exporters wait for a response by default, after which some drop their data. */
const exporterTimeoutMs = 10_000

let postgres: PostgresServer
let service: RunningService
let first: SetUpService

async function start(): Promise<void> {
  service = await runService({
    env: { ASSAY_DATABASE_URL: postgres.url, ASSAY_SECRET: 'a secret of the tests, long enough' },
  })
  first = await setUpService(service)
}
let load: Load
beforeEach(() => {
  load = { isOver: false, acknowledged: [], answers: [], refused: new Set() }
})
afterEach(async () => {
  load.isOver = true
  await service.stop()
  await postgres.stop()
})

interface Load {
  isOver: boolean
  readonly acknowledged: string[]
  readonly answers: Answer[]
  /** The clients that have got 503. */
  readonly refused: Set<number>
}

interface Answer {
  readonly status: number | 'no response'
  readonly retryAfter: string | null
}

const notReady = [503, 'not ready: The accounts database does not respond.\n']
const isLong = inject('isLong')

const faults = {
  'is killed and restarted': {
    begin: () => postgres.crash(),
    end: () => postgres.restart(),
  },
  'is frozen and continues': {
    begin: () => postgres.freeze(),
    end: () => postgres.thaw(),
  },
} as const
const short = ['is killed and restarted'] as const

test.each(isLong ? (Object.keys(faults) as (keyof typeof faults)[]) : short)(
  'while PostgreSQL %s, the service responds 503 with Retry-After and is not ready, and recovers by itself',
  async (fault) => {
    postgres = await startPostgres()
    await start()
    const organizations: string[] = []
    const sending = Array.from({ length: clients }, (_, client) => keepSending(load, client))
    const changing = keepCreating(load, organizations)
    await untilAnswered(load, 202)

    await faults[fault].begin()
    try {
      // All requests that were under way when it failed have their response.
      await expect.poll(() => load.refused.size, { timeout: 30_000 }).toBe(clients + 1)
      const page = await answerOf(listOrganizations.path, { headers: first.session })
      expect(page).toEqual({ status: 503, retryAfter: expect.any(String) })
      expect(await readiness()).toEqual(notReady)
    } finally {
      await faults[fault].end()
    }
    const failingFor = load.answers.length
    await untilAnswered(load, 202, failingFor)
    await expect.poll(readiness).toEqual([200, 'ready\n'])
    load.isOver = true
    await Promise.all([...sending, changing])
    expect(new Set(load.answers.map(({ status }) => status))).toEqual(new Set([201, 202, 503]))
    const refusals = load.answers.filter(({ status }) => status === 503)
    expect(refusals.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true)
    expect(service.process.exitCode).toBeNull()
    await allReadable(load.acknowledged)
    expect(await organizationNames()).toEqual(expect.arrayContaining(organizations))
  },
)

test.skipIf(!isLong)(
  'while the disk of PostgreSQL is full, changes of accounts get 503, and reading and ingestion continue (only as root, with npm run test:long)',
  async (context) => {
    const disk = newDataDir()
    if (!mounted(disk)) return context.skip('only root may make a small disk')
    try {
      chmodSync(disk, 0o755)
      postgres = await startPostgres(disk)
      await start()
      const filler = join(disk, 'filler')
      expect(() => writeFileSync(filler, Buffer.alloc(diskBytes))).toThrow(/ENOSPC/)
      const acknowledged: string[] = []
      let refused: Answer | undefined
      // Pages that exist already have room for some.
      for (let n = 0; refused === undefined; n += 1) {
        const answer = await create(`Organization ${n}`)
        if (answer.status === 201) acknowledged.push(`Organization ${n}`)
        else refused = answer
      }
      expect(refused).toEqual({ status: 503, retryAfter: expect.any(String) })
      expect(await organizationNames()).toEqual(expect.arrayContaining(acknowledged))
      expect((await send('while it is full')).status).toBe(202)
      expect(await readiness()).toEqual([200, 'ready\n'])
      rmSync(filler)
      await expect.poll(() => create('With space')).toMatchObject({ status: 201 })
      expect(await organizationNames()).toEqual(expect.arrayContaining(acknowledged))
      await allReadable(['while it is full'])
    } finally {
      await service.stop()
      await postgres.stop()
      execFileSync('umount', [disk])
    }
  },
)

const diskBytes = 160 * 1024 * 1024

function mounted(folder: string): boolean {
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', folder]
    execFileSync('mount', options, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function answerOf(path: string, init: RequestInit): Promise<Answer> {
  const signal = AbortSignal.timeout(exporterTimeoutMs)
  try {
    const response = await fetch(service.api + path, { ...init, signal })
    await response.arrayBuffer()
    return { status: response.status, retryAfter: response.headers.get('retry-after') }
  } catch {
    return tooLate
  }
}

const tooLate = { status: 'no response', retryAfter: null } as const

function send(trace_id: string): Promise<Answer> {
  const started_at = new Date().toISOString()
  return answerOf(ingestTrace.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracing-key': first.tracing_key },
    body: JSON.stringify({ trace_id, spans: [{ span_id: 'a', name: 'a', started_at }] }),
  })
}

function create(name: string): Promise<Answer> {
  return answerOf(createOrganization.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...first.session },
    body: JSON.stringify({ name }),
  })
}

async function organizationNames(): Promise<readonly string[]> {
  const organizations = await callAs(service, first)(listOrganizations, {})
  return organizations.map(({ name }) => name)
}

async function readiness() {
  const response = await fetch(`${service.origin}/readyz`)
  return [response.status, await response.text()]
}

async function keepSending(load: Load, client: number): Promise<void> {
  for (let n = 0; !load.isOver; n++) {
    const traceId = `t-${client}-${n}`
    const answer = await send(traceId)
    load.answers.push(answer)
    if (answer.status === 202) load.acknowledged.push(traceId)
    if (answer.status === 503) load.refused.add(client)
  }
}

/** Changes accounts; adds the names that were acknowledged. */
async function keepCreating(load: Load, acknowledged: string[]): Promise<void> {
  for (let n = 0; !load.isOver; n++) {
    const { status, retryAfter } = await create(`Organization ${n}`)
    load.answers.push({ status, retryAfter })
    if (status === 201) acknowledged.push(`Organization ${n}`)
    if (status === 503) load.refused.add(clients)
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
