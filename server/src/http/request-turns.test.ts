import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { currentRequester } from '../platform/current-requester.ts'
import { openLog } from '../platform/log.ts'
import { openRequestTurns } from './request-turns.ts'
import { createServer } from './server.ts'

const busyRequests = 60
/** Longer than the time for the requests of one turn of the event loop. */
const workMs = 5

/** Names of requests. */
const handled: string[] = []
let onFirst: () => void
let server: ReturnType<typeof createServer>
let agent: Agent

beforeEach(async () => {
  handled.length = 0
  onFirst = () => {}
  agent = new Agent({ keepAlive: true })
  const log = openLog('error', () => {})
  server = createServer({ log, endpoints: [], trustProxy: 1, turns: openRequestTurns() })
  server.get('/open', async () => setTimeout(20, 'opened'))
  server.get('/requester', async () => {
    await setTimeout(1)
    return currentRequester()
  })
  server.get('/work', async ({ headers }) => {
    const endsAt = performance.now() + workMs
    while (performance.now() < endsAt);
    handled.push(String(headers['x-name']))
    if (handled.length === 1) onFirst()
    return 'done'
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  // Connections are accepted one in each turn of the event loop.
  await Promise.all(Array.from({ length: busyRequests + 1 }, () => send('/open', {})))
})

afterEach(async () => {
  agent.destroy()
  await server.close()
})

function send(path: string, headers: IncomingHttpHeaders, signal?: AbortSignal): Promise<void> {
  const { port } = server.server.address() as AddressInfo
  return new Promise((resolve) => {
    request({ port, path, agent, headers, signal }, (response) =>
      response.resume().on('end', resolve),
    )
      .on('error', () => resolve())
      .end()
  })
}

const work = (name: string, headers: IncomingHttpHeaders, signal?: AbortSignal) =>
  send('/work', { ...headers, 'x-name': name }, signal)

test.each([
  {
    others: 'those of the same credentials in its network',
    busy: () => ({ 'x-tracing-key': 'busy', 'x-forwarded-for': '192.0.2.1' }),
    quiet: { 'x-tracing-key': 'quiet', 'x-forwarded-for': '192.0.2.1' },
  },
  {
    others: 'those of many credentials in another network',
    busy: (n: number) => ({ cookie: `session=${n}`, 'x-forwarded-for': '192.0.2.1' }),
    quiet: { cookie: 'session=quiet', 'x-forwarded-for': '192.0.2.2' },
  },
])('a request waits for few of $others that arrived at once', async ({ busy, quiet }) => {
  const late = Promise.withResolvers<void>()
  onFirst = () => void work('quiet', quiet).then(late.resolve)
  await Promise.all(Array.from({ length: busyRequests }, (_, n) => work('busy', busy(n))))
  await late.promise
  expect(handled).toHaveLength(busyRequests + 1)
  expect(handled.indexOf('quiet')).toBeLessThan(busyRequests / 2)
})

test('a request whose client disconnects while it waits is not handled', async () => {
  const gone = new AbortController()
  onFirst = () => gone.abort()
  const first = work('first', {})
  const waiting = Array.from({ length: busyRequests }, () => work('gone', {}, gone.signal))
  await Promise.all([first, ...waiting])
  await work('last', {})
  expect(handled.at(-1)).toBe('last')
  expect(handled.length).toBeLessThan(busyRequests / 2)
})

test('a request is handled as that of its network and credentials', async () => {
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/requester`
  const read = async (address: string, key: string) => {
    const headers = { 'x-forwarded-for': address, 'x-tracing-key': key }
    return (await (await fetch(url, { headers })).json()) as string[]
  }
  const [one, other, elsewhere] = await Promise.all([
    read('192.0.2.1', 'one'),
    read('192.0.2.1', 'other'),
    read('192.0.2.2', 'one'),
  ])
  expect([one[0], other[0], elsewhere[0]]).toEqual(['192.0.2.1', '192.0.2.1', '192.0.2.2'])
  expect(other[1]).not.toBe(one[1])
  expect(elsewhere[1]).toBe(one[1])
})
