import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { setUp, signIn } from '@assay/contract/sign-in.ts'
import { listTraces, readTrace } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../server/test/free-port.ts'
import { execute } from '../server/test/postgres-server.ts'
import { type BalancingProxy, startBalancingProxy } from './balancing-proxy.ts'
import { callAs, person, type RunningService, type SetUpService } from './running-service.ts'
import { hasScaledStores, type ScaledStores, startScaledStores } from './scaled-stores.ts'

/*
 * Two processes on one PostgreSQL and one ClickHouse, behind one address: what they limit together, and their restart one
 * after the other.
 */

const restarts = 4

describe.runIf(hasScaledStores())('two processes (only where chdb is installed)', () => {
  let stores: ScaledStores
  let services: RunningService[]
  let proxy: BalancingProxy
  let first: SetUpService
  const at = (index: number) => services[index % services.length] as RunningService
  const start = (port: string, chatPort: string) =>
    stores.runService({
      ...{ ASSAY_PORT: port, ASSAY_CHAT_PORT: chatPort, ASSAY_DRAIN_SECONDS: '2' },
    })
  const startNew = async () => start(String(await freePort()), String(await freePort()))

  const restart = async ({ process: child, origin, chatApi, log }: RunningService) => {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await expect.poll(async () => (await fetch(`${origin}/readyz`)).status).toBe(503)
    expect(await exited, log()).toEqual([0, null])
    return await start(new URL(origin).port, new URL(chatApi).port)
  }

  beforeAll(async () => {
    stores = await startScaledStores()
    services = await Promise.all([startNew(), startNew()])
    proxy = await startBalancingProxy(services.map(({ origin }) => origin))
  })
  afterAll(async () => {
    await proxy.close()
    await stores.stop()
  })

  const post = (service: RunningService, path: string, body: unknown) =>
    fetch(service.api + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  test('are set up once by 50 requests at the same time: there is one user, a super admin', async () => {
    const token = new URL(at(0).link).searchParams.get('token')
    const body = { token, ...person, organization_name: 'Example', project_name: 'First project' }
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => post(at(n), setUp.path, body)),
    )
    const done = responses.filter(({ status }) => status === 201)
    const refused = responses.filter(({ status }) => status === 409 || status === 429)
    expect([done.length, refused.length]).toEqual([1, 49])
    const users = await execute(stores.postgres.url, 'select is_super_admin from users')
    expect(users).toEqual([{ is_super_admin: 1 }])
    const [created] = done as [Response]
    const { data } = (await created.json()) as { data: SetUpService }
    const cookie = created.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    first = { ...data, session: { cookie } }
  })

  test('allow together as many wrong passwords for an address as one of them, then both refuse', async () => {
    const wrong = { email: 'ben@example.org', password: 'not the password' }
    const statuses = []
    for (let n = 0; n < 5; n += 1) statuses.push((await post(at(n), signIn.path, wrong)).status)
    const after = await Promise.all([0, 1, 2, 3].map((n) => post(at(n), signIn.path, wrong)))
    expect(statuses).toEqual(Array(5).fill(401))
    expect(after.map(({ status }) => status).filter((status) => status === 429)).not.toHaveLength(0)
    expect(after.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(1)
  })

  test(`restart in turn ${restarts} times while requests arrive: none fails, and what is acknowledged is stored`, async () => {
    const agent = new Agent({ keepAlive: true })
    const isOver = new AbortController()
    const acknowledged: string[] = []
    const failed: string[] = []
    let sent = 0
    const requests = sources(first, (traceId) => acknowledged.push(traceId))
    const clients = requests
      .flatMap((next) => [next, next])
      .map(async (next) => {
        while (!isOver.signal.aborted) {
          const { path, isExpected, onSuccess, ...options } = next((sent += 1))
          const status = await send(proxy.origin + path, options, agent).catch(String)
          if (isExpected(status)) onSuccess?.()
          else failed.push(`${path}: ${status}`)
        }
      })
    for (let n = 0; n < restarts && failed.length === 0; n += 1) {
      const before = acknowledged.length
      services[n % services.length] = await restart(at(n))
      // The next one is stopped when both get requests again.
      await expect.poll(() => proxy.countReady()).toBe(services.length)
      await expect.poll(() => acknowledged.length + failed.length).toBeGreaterThan(before + 20)
    }
    isOver.abort()
    await Promise.all(clients)
    agent.destroy()
    expect([failed, proxy.failures]).toEqual([[], []])
    const read = callAs(at(0), first)
    const isStored = (traceId: string) =>
      read(readTrace, { params: { projectId: first.project.id, traceId }, query: {} }).then(
        () => true,
        () => false,
      )
    const lost: string[] = []
    for (let from = 0; from < acknowledged.length; from += 20) {
      const some = acknowledged.slice(from, from + 20)
      const stored = await Promise.all(some.map(isStored))
      lost.push(...some.filter((_, n) => stored[n] === false))
    }
    expect(lost).toEqual([])
  }, 600_000)
})

interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly isExpected: (status: number | string) => boolean
  readonly onSuccess?: () => void
}

/** JSON batches, OTLP, reads and pages. */
function sources(
  { tracing_key, session, project }: SetUpService,
  onStored: (traceId: string) => void,
): readonly ((number: number) => Request)[] {
  const json = { 'content-type': 'application/json', 'x-tracing-key': tracing_key }
  const post = { method: 'POST', headers: json } as const
  const list = `/api/v1${listTraces.path.replace('{projectId}', project.id)}?limit=5`
  return [
    (number) => {
      const trace_id = `json-${number}`
      const started_at = new Date().toISOString()
      const spans = [{ span_id: 'a', name: 'answer', kind: 'llm', started_at, input: 'Hello' }]
      return {
        ...{ ...post, path: `/api/v1${ingestTrace.path}` },
        body: JSON.stringify({ trace_id, spans }),
        isExpected: (status) => status === 202,
        onSuccess: () => onStored(trace_id),
      }
    },
    (number) => {
      const traceId = number.toString(16).padStart(32, '0')
      const nano = `${Date.now()}000000`
      const span = { traceId, spanId: traceId.slice(-16), name: 'call', kind: 1 }
      const spans = [{ ...span, startTimeUnixNano: nano, endTimeUnixNano: nano }]
      return {
        ...{ ...post, path: '/api/v1/traces' },
        body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
        isExpected: (status) => status === 200,
        onSuccess: () => onStored(traceId),
      }
    },
    () => ({
      ...{ method: 'GET', path: list, headers: session },
      isExpected: (status) => status === 200,
    }),
    () => ({
      ...{ method: 'GET', path: '/docs', headers: session },
      isExpected: (status) => status === 200,
    }),
  ]
}

async function send(
  url: string,
  { body, ...options }: Pick<Request, 'method' | 'headers' | 'body'>,
  agent: Agent,
): Promise<number> {
  const outgoing = request(url, { ...options, agent })
  outgoing.end(body)
  const [response] = await once(outgoing, 'response')
  response.resume()
  await once(response, 'end')
  return response.statusCode
}
