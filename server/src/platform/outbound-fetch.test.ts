import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { privateAddresses } from '../../test/private-addresses.ts'
import { type Allowed, allowedDestinations, nothingAllowed } from './network-rules.ts'
import {
  OutboundFailed,
  OutboundRefused,
  type OutboundRules,
  openOutbound,
  type ResolvedAddress,
} from './outbound-fetch.ts'

const publicAddress: ResolvedAddress = { address: '93.184.215.14', family: 4 }

function rules(changes: Partial<OutboundRules> = {}): OutboundRules {
  return {
    allowed: nothingAllowed,
    plainHttp: 'anywhere',
    timeoutMs: 2000,
    maxBytes: 1000,
    resolve: () => Promise.resolve([publicAddress]),
    ...changes,
  }
}

function allowing(...list: string[]): Allowed {
  const allowed = allowedDestinations(list)
  if (allowed === undefined) throw new Error('not a list of destinations')
  return allowed
}

const at =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

describe('an IP address in a URL', () => {
  const { judge } = openOutbound(rules())

  test.each(privateAddresses)('%s is refused as private', async (url) => {
    await expect(judge(url)).rejects.toThrow(
      new OutboundRefused(new URL(url).host, 'The address is in a private network.'),
    )
  })

  test.each([
    'http://93.184.215.14/',
    'https://1.1.1.1/',
    'http://[2606:4700:4700::1111]/',
    'http://[::ffff:5db8:d70e]/',
    'http://172.32.0.1/',
    'http://100.128.0.1/',
  ])('%s is public', async (url) => {
    await expect(judge(url)).resolves.toBeUndefined()
  })
})

describe('a URL', () => {
  test.each([
    ['ftp://example.org/', /must begin with http/],
    ['file:///etc/passwd', /must begin with http/],
    ['javascript:alert(1)', /must begin with http/],
    ['data:text/plain,x', /must begin with http/],
    ['example.org', /must begin with http/],
    ['//example.org/', /must begin with http/],
    ['http://', /must begin with http/],
    ['http://ana@example.org/', /user name or password/],
    ['http://ana:secret@example.org/', /user name or password/],
    ['http://example.org@127.0.0.1/', /user name or password/],
  ])('%s is refused', async (url, reason) => {
    await expect(openOutbound(rules()).judge(url)).rejects.toThrow(reason)
  })

  test.each([
    'http://localhost/',
    'http://LOCALHOST./',
    'http://app.localhost/',
    'http://metadata.google.internal/',
    'http://printer.local/',
    'http://router.home.arpa/',
  ])('%s is refused whatever it resolves to', async (url) => {
    await expect(openOutbound(rules()).judge(url)).rejects.toThrow('private network')
  })
})

describe('a name', () => {
  test.each([
    ['one private address', ['10.0.0.1']],
    ['a private address among public ones', ['93.184.215.14', '127.0.0.1']],
    ['a private IPv6 address beside a public IPv4 address', ['93.184.215.14', '::1']],
  ])('with %s is refused', async (_what, addresses) => {
    const outbound = openOutbound(rules({ resolve: at(...addresses) }))
    await expect(outbound.judge('https://example.org/')).rejects.toThrow('private network')
    await expect(outbound.fetch('https://example.org/')).rejects.toThrow(OutboundRefused)
  })

  test('that does not resolve passes the check, and fails to connect', async () => {
    for (const resolve of [() => Promise.reject(new Error('ENOTFOUND')), at()]) {
      const outbound = openOutbound(rules({ resolve }))
      await expect(outbound.judge('https://nowhere.example.org/')).resolves.toBeUndefined()
      await expect(outbound.fetch('https://nowhere.example.org/')).rejects.toThrow(
        new OutboundFailed('nowhere.example.org', 'The host name is not known.'),
      )
    }
  })

  test('that takes too long to resolve times out', async () => {
    const outbound = openOutbound(rules({ timeoutMs: 30, resolve: () => new Promise(() => {}) }))
    await expect(outbound.fetch('https://slow.example.org/')).rejects.toThrow('in time')
  })
})

describe('what an operator allows', () => {
  const judged = (url: string, allowed: Allowed, ...addresses: string[]) =>
    openOutbound(rules({ allowed, plainHttp: 'allowed', resolve: at(...addresses) })).judge(url)

  test('by network is reached by any name and over plain HTTP', async () => {
    const allowed = allowing('10.1.0.0/16', 'fd12:3456::/32')
    await judged('http://idp.internal/', allowed, '10.1.2.3', 'fd12:3456::1')
    await judged('http://10.1.2.3:8080/', allowed)
    await expect(judged('http://10.2.0.1/', allowed)).rejects.toThrow('private network')
    await expect(judged('http://idp.internal/', allowed, '10.1.2.3', '10.2.0.1')).rejects.toThrow(
      'private network',
    )
  })

  test('by name is reached at private addresses, but never at metadata addresses', async () => {
    const allowed = allowing('idp.corp.example')
    await judged('http://IDP.corp.example./', allowed, '10.1.2.3')
    await expect(judged('http://other.corp.example/', allowed, '10.1.2.3')).rejects.toThrow(
      OutboundRefused,
    )
    for (const address of ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200']) {
      await expect(judged('http://idp.corp.example/', allowed, address)).rejects.toThrow(
        'private network',
      )
    }
  })

  test('is the only destination of plain HTTP where HTTPS is required', async () => {
    const allowed = allowing('idp.corp.example')
    await judged('https://example.org/', allowed, '93.184.215.14')
    await expect(judged('http://example.org/', allowed, '93.184.215.14')).rejects.toThrow(
      'must begin with https://',
    )
  })

  test.each([
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '1.2.3',
    'http://idp',
    'a b',
    '',
    '-a',
    '::/129',
  ])('is not %j', (text) => {
    expect(allowedDestinations([text])).toBeUndefined()
  })
})

describe('a request', () => {
  let server: Server
  let port = 0
  const collected: {
    url: string
    method: string
    body: string
    headers: Record<string, unknown>
  }[] = []
  const loopback = allowing('127.0.0.0/8')
  const local = (changes: Partial<OutboundRules> = {}) =>
    openOutbound(rules({ allowed: loopback, resolve: at('127.0.0.1'), ...changes }))

  beforeAll(async () => {
    server = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy())
    })
    async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const { url = '', method = '', headers } = request
      collected.push({ url, method, body, headers })
      if (url === '/redirect') response.writeHead(302, { location: '/elsewhere' }).end()
      else if (url === '/large') response.end('x'.repeat(5000))
      else if (url === '/drip') {
        response.write('x')
        setTimeout(() => response.end(), 5000).unref()
      } else if (url === '/silent') return
      else response.writeHead(200, { 'x-a': ['1', '2'] }).end(`${method} ${body}`)
    }
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    port = address.port
  })
  afterEach(() => {
    collected.length = 0
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const url = (path: string, host = 'idp.test') => `http://${host}:${port}${path}`

  test('goes to the checked address, with the given host name', async () => {
    const answer = await local().fetch(url('/path?a=1'), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ code: 'a b' }),
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-a')).toBe('1, 2')
    expect(await answer.text()).toBe('POST code=a+b')
    expect(collected[0]).toMatchObject({ url: '/path?a=1', headers: { host: `idp.test:${port}` } })
  })

  test('resolves a name once, so that a changed result is not used', async () => {
    let lookups = 0
    const outbound = openOutbound(
      rules({
        allowed: loopback,
        resolve: () => {
          lookups += 1
          return Promise.resolve([{ address: lookups === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }])
        },
      }),
    )
    expect((await outbound.fetch(url('/'))).status).toBe(200)
    expect(lookups).toBe(1)
    await expect(outbound.fetch(url('/'))).rejects.toThrow(OutboundRefused)
  })

  test('sends nothing to a refused address', async () => {
    await expect(openOutbound(rules()).fetch(url('/', '127.0.0.1'))).rejects.toThrow(
      OutboundRefused,
    )
    await expect(openOutbound(rules({ resolve: at('127.0.0.1') })).fetch(url('/'))).rejects.toThrow(
      OutboundRefused,
    )
    expect(collected).toEqual([])
  })

  test('follows no redirect', async () => {
    const answer = await local().fetch(url('/redirect'))
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/elsewhere'])
    expect(collected.map((one) => one.url)).toEqual(['/redirect'])
  })

  test('is limited in size and time', async () => {
    await expect(local().fetch(url('/large'))).rejects.toThrow('The response is too large.')
    for (const path of ['/drip', '/silent']) {
      await expect(local({ timeoutMs: 100 }).fetch(url(path))).rejects.toThrow('in time')
    }
    await expect(local().fetch('http://127.0.0.1:1/')).rejects.toThrow('cannot be reached')
  })

  test('ignores proxy variables of the environment', async () => {
    const modules = ['outbound-fetch', 'network-rules'].map((name) =>
      JSON.stringify(new URL(`${name}.ts`, import.meta.url).href),
    )
    const script = `
      const { openOutbound } = await import(${modules[0]})
      const { allowedDestinations } = await import(${modules[1]})
      const allowed = allowedDestinations(['127.0.0.0/8'])
      const outbound = openOutbound({ allowed, plainHttp: 'anywhere', timeoutMs: 5000, maxBytes: 1000 })
      console.log((await outbound.fetch('${url('/', '127.0.0.1')}')).status)`
    const proxy = 'http://127.0.0.1:1'
    const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, http_proxy: proxy }
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { env })
    expect(stdout.trim()).toBe('200')
  })
})
