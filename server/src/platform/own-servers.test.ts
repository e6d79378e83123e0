import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { allowedDestinations, nothingAllowed } from './network-rules.ts'
import { OutboundRefused, openOutbound, type Resolve } from './outbound-fetch.ts'
import { openOwnServers } from './own-servers.ts'

const names: Readonly<Record<string, string>> = {
  'clickhouse.test': '10.1.2.3',
  'alias.test': '10.1.2.3',
  'db.test': '10.1.2.4',
  'other.test': '10.1.2.5',
  'secure.test': '10.1.2.6',
  'other-name.test': '10.1.2.6',
}
const resolve: Resolve = (host) => {
  const address = host.endsWith('localhost') ? '127.0.0.1' : names[host]
  if (address === undefined) return Promise.reject(new Error('no such host'))
  return Promise.resolve([{ address, family: 4 }])
}

function outboundOf(...databases: readonly string[]) {
  const allowed = allowedDestinations(['127.0.0.0/8', '::/0', '0.0.0.0/0', 'localhost'])!
  const isOwnServer = openOwnServers(databases, resolve)
  const bounds = { timeoutMs: 2000, maxBytes: 1000 }
  return openOutbound({ allowed, plainHttp: 'anywhere', ...bounds, resolve, isOwnServer })
}

test('an allowed address that is a database of the service gets no request', async () => {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/?query=SELECT%201`
  const sent = outboundOf(`http://assay:secret@localhost:${port}`).fetch(url, { method: 'POST' })
  await expect(sent).rejects.toThrow(
    new OutboundRefused(`127.0.0.1:${port}`, 'The address is in a private network.'),
  )
  expect(requests).toBe(0)
  expect((await outboundOf('http://localhost:1').fetch(url)).status).toBe(200)
})

test('a database whose name is not known for a moment is still known by its address', async () => {
  let isDown = false
  const isOwnServer = openOwnServers(['http://clickhouse.test:8124'], (host) =>
    isDown ? Promise.reject(new Error('no such host')) : resolve(host),
  )
  const ask = () =>
    isOwnServer(new URL('http://10.1.2.3:8124'), [{ address: '10.1.2.3', family: 4 }])
  expect(await ask()).toBe(true)
  isDown = true
  expect(await ask()).toBe(true)
})

test('a name that is not resolved in time is judged as one that is not known, not as an error', async () => {
  const outbound = openOutbound({
    ...{ allowed: nothingAllowed, plainHttp: 'anywhere', timeoutMs: 20, maxBytes: 10 },
    resolve: () => Promise.withResolvers<never>().promise,
    isOwnServer: openOwnServers(['http://clickhouse.test:8124'], resolve),
  })
  await expect(outbound.judge('https://slow.test:8124/')).resolves.toBeUndefined()
  await expect(outbound.judge('http://clickhouse.test:8124/')).rejects.toThrow(OutboundRefused)
})

describe('a request', () => {
  const { judge } = outboundOf(
    'http://clickhouse.test:8124',
    'postgres://assay@db.test/assay',
    'postgres://127.0.0.1:6000/assay',
    'http://gone.test:8124',
    'https://secure.test',
  )
  const [own] = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))

  test.each([
    'http://clickhouse.test:8124/',
    'https://CLICKHOUSE.test.:8124/',
    'http://alias.test:8124/',
    'http://10.1.2.3:8124/',
    'http://[::ffff:10.1.2.3]:8124/',
    'http://clickhouse.test:8123/',
    'https://10.1.2.3:8124/',
    'https://alias.test:8124/',
    'https://secure.test/',
    'https://10.1.2.6/',
    'https://10.1.2.6:8443/',
    'http://db.test:5432/',
    'http://127.0.0.2:6000/',
    'http://[::1]:6000/',
    'http://0.0.0.0:6000/',
    'http://a.localhost:6000/',
    ...(own === undefined || own.includes('%') ? [] : [`http://${own}:6000/`]),
  ])('to a database of the service, %s, is refused', async (url) => {
    await expect(judge(url)).rejects.toThrow(OutboundRefused)
  })

  test.each([
    'http://127.0.0.1:11434/',
    'http://clickhouse.test/',
    'http://other.test:8124/',
    'http://db.test:8123/',
    'https://other-name.test/',
    'https://clickhouse.test:8443/',
  ])('to something else that is allowed, %s, is not', async (url) => {
    await expect(judge(url)).resolves.toBeUndefined()
  })
})
