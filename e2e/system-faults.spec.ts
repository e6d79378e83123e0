import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { callWithMeta } from '@assay/contract/client.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { createOrganization } from '@assay/contract/organizations.ts'
import { listTraces, type Trace } from '@assay/contract/traces.ts'
import { afterAll, describe, expect, inject, onTestFailed, test } from 'vitest'
import { startPostgres } from '../server/test/postgres-server.ts'
import { injectFaultOfTest } from './fault-of-test.ts'
import { littleMemoryEnv, openMemoryGroup } from './memory-group.ts'
import {
  failedStart,
  newDataDir,
  type RunningService,
  type RunOptions,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'
import { hasStrace, noStrace } from './strace.ts'

/*
 * System calls that fail or kill the process at a chosen moment: nothing is acknowledged that is not stored, what was
 * acknowledged survives, and the service continues by itself when the calls succeed again.
 */

let service: RunningService
let options: RunOptions
let first: SetUpService
/** Where the accounts of the service are, if another test can use it. */
let usableWith: string | undefined
const acknowledged: string[] = []
const cleanUps: (() => Promise<unknown>)[] = []
afterAll(cleanUp)

async function cleanUp(): Promise<void> {
  for (const step of cleanUps.splice(0).toReversed()) await step()
}

/** Starts a service that no other test uses. */
async function startAlone(newOptions: RunOptions): Promise<void> {
  await cleanUp()
  usableWith = undefined
  await start(newOptions)
}

async function start(newOptions: RunOptions): Promise<void> {
  options = newOptions
  await run(options)
  first = await setUpService(service)
  acknowledged.length = 0
  expect(await send('before')).toBe(202)
}

async function run(runOptions: RunOptions): Promise<void> {
  const started = await runService(runOptions)
  cleanUps.push(() => started.kill())
  service = started
}

const runAgain = () => run({ ...options, dataDir: service.dataDir })

/** Tests share a service, also after it was stopped or killed, unless a test before has failed. */
async function ensureStarted(engine = 'SQLite'): Promise<void> {
  onTestFailed(() => {
    usableWith = undefined
  })
  if (usableWith !== engine) {
    await cleanUp()
    await start(await accountsIn(engine))
    usableWith = engine
  } else if (service.process.exitCode !== null || service.process.signalCode !== null) {
    await runAgain()
  }
}

/** Undefined when the service was killed. */
async function send(trace_id: string, input = ''): Promise<number | undefined> {
  const started_at = new Date().toISOString()
  const spans = ['a', 'b', 'c'].map((span_id) => ({
    ...{ span_id, name: 'run', started_at, input },
  }))
  const response = await fetch(service.api + ingestTrace.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracing-key': first.tracing_key },
    body: JSON.stringify({ trace_id, spans }),
  }).catch(() => undefined)
  await response?.arrayBuffer().catch(() => undefined)
  if (response?.status === 202) acknowledged.push(trace_id)
  return response?.status
}

/** Every acknowledged trace is stored with all its spans; one that was not may be, but never in part. */
async function expectStored(): Promise<void> {
  const params = { projectId: first.project.id }
  const traces = await listAll(params)
  const ids = new Set(traces.map(({ trace_id }) => trace_id))
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
  expect(traces.filter(({ span_count }) => span_count !== 3)).toEqual([])
}

async function listAll(params: { readonly projectId: string }) {
  const all: Trace[] = []
  for (let cursor: string | undefined; ; ) {
    const query = { limit: 100, ...(cursor === undefined ? {} : { cursor }) }
    const options = { headers: first.session }
    const page = await callWithMeta(service.api, listTraces, { params, query }, options)
    all.push(...page.data)
    if (page.meta.cursor === null) return all
    cursor = page.meta.cursor
  }
}

async function expectStoredAfterKill(): Promise<void> {
  await service.kill()
  await runAgain()
  await expectStored()
  restarts += 1
  expect(await send(`after restart ${restarts}`)).toBe(202)
  await expectStored()
}

let restarts = 0

const readiness = async () => {
  const response = await fetch(`${service.origin}/readyz`)
  return [response.status, await response.text()]
}

async function accountsIn(engine: string): Promise<RunOptions> {
  if (engine === 'SQLite') return {}
  const postgres = await startPostgres()
  cleanUps.push(postgres.stop)
  const secret = 'a secret of the tests, long enough'
  return { env: { ASSAY_DATABASE_URL: postgres.url, ASSAY_SECRET: secret } }
}

const writing = 'pwrite64,pwritev,write,fsync,fdatasync,ftruncate,fallocate'

const isLong = inject('isLong')

/** The traces are in the folder with both. */
describe.each(isLong ? ['PostgreSQL', 'SQLite'] : ['SQLite'])('with accounts in %s', (engine) => {
  test.for([
    ['sync fails with EIO', 'fsync,fdatasync:error=EIO'],
    ['sync fails with ENOSPC', 'fsync,fdatasync:error=ENOSPC'],
    ['write fails with EIO', 'pwrite64:error=EIO'],
    ['write fails with EROFS', 'pwrite64:error=EROFS'],
  ])(
    'while a %s, spans get 503, and are stored again afterwards (only with strace)',
    async ([situation, calls = ''], context) => {
      if (!hasStrace()) return context.skip(noStrace)
      await ensureStarted(engine)
      const wal = join(service.dataDir, 'telemetry.sqlite-wal')
      const fault = await injectFaultOfTest(service.process, calls, [wal])
      for (const id of ['refused', 'refused too']) {
        expect(await send(`${id} while ${situation}`)).toBe(503)
      }
      await fault.end()
      await expect.poll(() => send(`again after ${situation}`)).toBe(202)
      await expectStored()
      await expectStoredAfterKill()
    },
  )
})

const accountsLog = () => join(service.dataDir, 'accounts.sqlite-wal')

async function createOrganizationNamed(name: string): Promise<number> {
  const response = await fetch(service.api + createOrganization.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...first.session },
    body: JSON.stringify({ name }),
  })
  return response.status
}

test('while the accounts cannot be synced, changes of them get 503 (only with strace)', async (context) => {
  if (!hasStrace()) return context.skip(noStrace)
  await ensureStarted()
  const fault = await injectFaultOfTest(service.process, 'fsync,fdatasync:error=EIO', [
    accountsLog(),
  ])
  expect(await createOrganizationNamed('Refused')).toBe(503)
  await fault.end()
  await expect.poll(() => createOrganizationNamed('Accepted')).toBe(201)
})

test('while the disk syncs the accounts slowly, only changes of them wait (only with strace)', async (context) => {
  if (!hasStrace()) return context.skip(noStrace)
  await ensureStarted()
  const slow = 'fsync,fdatasync:delay_enter=2000000'
  const fault = await injectFaultOfTest(service.process, slow, [accountsLog()])
  const ended: string[] = []
  const change = createOrganizationNamed('Slow').then(() => ended.push('change'))
  expect(await send('while the disk is slow')).toBe(202)
  ended.push('ingestion')
  await change
  expect(ended).toEqual(['ingestion', 'change'])
  await fault.end()
})

test('while the store cannot sync its log, the service is not ready and refuses spans; what waited is stored afterwards (only with strace)', async (context) => {
  if (!hasStrace()) return context.skip(noStrace)
  await ensureStarted()
  const wal = join(service.dataDir, 'telemetry.sqlite-wal')
  const hanging = 'fsync,fdatasync:delay_enter=600000000'
  const fault = await injectFaultOfTest(service.process, hanging, [wal])
  const waiting = send('waiting while the log hangs')
  const notReady = [503, 'not ready: The telemetry store does not respond.\n']
  await expect.poll(readiness).toEqual(notReady)
  expect(await send('refused while the log hangs')).toBe(503)
  await fault.end()
  expect(await waiting).toBe(202)
  await expect.poll(readiness).toEqual([200, 'ready\n'])
  expect(await send('again after the log hung')).toBe(202)
  const ids = (await listAll({ projectId: first.project.id })).map(({ trace_id }) => trace_id)
  expect(ids).not.toContain('refused while the log hangs')
  await expectStored()
  await expectStoredAfterKill()
})

test('a checkpoint that fails loses nothing (only with strace)', async (context) => {
  if (!hasStrace()) return context.skip(noStrace)
  await ensureStarted()
  const file = join(service.dataDir, 'telemetry.sqlite')
  const fault = await injectFaultOfTest(service.process, 'pwrite64,fsync,fdatasync:error=EIO', [
    file,
  ])
  for (let i = 0; i < 20; i += 1) expect(await send(`in the log ${i}`)).toBe(202)
  expect(await service.stop()).not.toBeNull()
  await fault.end()
  await runAgain()
  await expectStored()
})

test('while the data folder is read-only, the service is not ready and acknowledges nothing; reading works (only with strace)', async (context) => {
  if (!hasStrace()) return context.skip(noStrace)
  await ensureStarted()
  const files = ['telemetry.sqlite-wal', 'accounts.sqlite-wal', 'disk-probe'].map((name) =>
    join(service.dataDir, name),
  )
  const fault = await injectFaultOfTest(service.process, `${writing}:error=EROFS`, files)
  await expect.poll(readiness).toEqual([503, 'not ready: The data folder cannot be written to.\n'])
  expect(await send('refused while read-only')).toBe(503)
  await expectStored()
  await fault.end()
  await expect.poll(readiness).toEqual([200, 'ready\n'])
  expect(await send('again after read-only')).toBe(202)
})

test('a start on a read-only file system is refused with one line that says so (only as root)', async (context) => {
  await ensureStarted()
  expect(await service.stop()).toBe(0)
  const dataDir = newDataDir()
  const mount = (...args: readonly string[]) => execFileSync('mount', args, { stdio: 'ignore' })
  try {
    mount('-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', dataDir)
  } catch {
    return context.skip('only root may mount')
  }
  try {
    cpSync(service.dataDir, dataDir, { recursive: true })
    mount('-o', 'remount,ro', dataDir)
    const { code, errors } = await failedStart({ dataDir })
    expect([code, errors]).toEqual([1, expect.stringMatching(/^\/\S+ .* read-only\. .*\n$/)])
  } finally {
    execFileSync('umount', [dataDir])
  }
})

const stepsOfStorage = 'pwrite64,fsync,fdatasync,ftruncate,rename,unlink'

/** Kills at the n-th of these system calls of any thread. */
const killAt = (n: number) => `${stepsOfStorage}:signal=SIGKILL:when=${n}`
const moments = isLong ? Array.from({ length: 30 }, (_, i) => 1 + i * 2) : [1, 15]

test.for(moments)(
  'a first start that is killed at its system call %i can be repeated (only with strace)',
  async (n, context) => {
    if (!hasStrace()) return context.skip(noStrace)
    const dataDir = newDataDir()
    const through = ['strace', '-f', '-D', '-o', '/dev/null', '-e', `trace=${stepsOfStorage}`]
    const { output } = await failedStart({
      dataDir,
      through: [...through, '-e', `inject=${killAt(n)}`],
    })
    expect(output).toBe('')
    await startAlone({ dataDir })
    await expectStored()
    expect(await service.stop()).toBe(0)
  },
)

test.for(moments)(
  'a service that is killed at system call %i while it stores loses nothing (only with strace)',
  async (n, context) => {
    if (!hasStrace()) return context.skip(noStrace)
    await ensureStarted()
    await injectFaultOfTest(service.process, killAt(n))
    const clients = [0, 1, 2, 3].map(async (client) => {
      for (let i = 0; i < 20 && (await send(`t-${n}-${client}-${i}`)) !== undefined; i += 1);
    })
    await Promise.all(clients)
    await expect.poll(() => service.process.signalCode).toBe('SIGKILL')
    await expectStoredAfterKill()
  },
)

test.skipIf(!isLong)(
  'what was acknowledged survives under a memory limit, whether the kernel kills the service or not (only as root, with npm run test:long)',
  async (context) => {
    const group = openMemoryGroup(180 * 1024 * 1024)
    if (group === undefined) return context.skip('only root may limit memory')
    await startAlone({ through: group.through })
    const clients = Array.from({ length: 12 }, async (_, client) => {
      const input = 'x'.repeat(400_000)
      for (let i = 0; (await send(`t-${client}-${i}`, input)) !== undefined && i < 40; i += 1);
    })
    await Promise.all(clients)
    const outcome = service.process.signalCode ?? 'not killed'
    options = {}
    await context.annotate(`${outcome}, ${acknowledged.length} traces acknowledged`)
    await expectStoredAfterKill()
    group.remove()
  },
)

/** False where that is not permitted. */
async function startWithLittleMemory(): Promise<boolean> {
  const group = openMemoryGroup(512 * 1024 * 1024)
  if (group === undefined) return false
  await startAlone({ through: group.through, env: littleMemoryEnv })
  // First, because clean-ups run in reverse order: the service has ended then.
  cleanUps.unshift(async () => group.remove())
  return true
}

test.skipIf(!isLong)(
  'with 512 MB, more than fits is refused with 503, and what was acknowledged can be read (only as root, with npm run test:long)',
  async (context) => {
    if (!(await startWithLittleMemory())) return context.skip('only root may limit memory')
    const statuses = new Set<number | undefined>()
    const input = 'word '.repeat(100_000)
    const clients = Array.from({ length: 64 }, async (_, client) => {
      for (let i = 0; i < 20; i += 1) statuses.add(await send(`t-${client}-${i}`, input))
    })
    await Promise.all(clients)
    expect(statuses).toEqual(new Set([202, 503]))
    options = {}
    await expectStoredAfterKill()
  },
)

test.skipIf(!isLong)(
  'with 512 MB, JSON bodies that take the most memory are stored, and larger ones refused (only as root, with npm run test:long)',
  async (context) => {
    if (!(await startWithLittleMemory())) return context.skip('only root may limit memory')
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [n.toString(36), n % 10]))
    const ingest = async (trace_id: string, input: unknown) => {
      const spans = [{ span_id: 'a', name: 'run', started_at: new Date().toISOString(), input }]
      return await fetch(service.api + ingestTrace.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-tracing-key': first.tracing_key },
        body: JSON.stringify({ trace_id, spans }),
      })
    }
    const most = fields(530_000)
    for (const id of ['first', 'second', 'third']) expect((await ingest(id, most)).status).toBe(202)
    const refused = await ingest('larger', fields(700_000))
    expect(refused.status).toBe(413)
    expect(await refused.text()).toContain('The body is larger than')
    const listed = await listAll({ projectId: first.project.id })
    expect(listed.map(({ trace_id }) => trace_id).toSorted()).toEqual(
      ['before', 'first', 'second', 'third'].toSorted(),
    )
  },
)
