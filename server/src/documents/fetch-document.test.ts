import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { pdf } from '../../test/documents.ts'
import { privateAddresses } from '../../test/private-addresses.ts'
import { allowedDestinations, nothingAllowed } from '../platform/network-rules.ts'
import { type Outbound, openOutbound, type Resolve } from '../platform/outbound-fetch.ts'
import { type FetchDocumentOptions, FetchRefused, fetchDocument } from './fetch-document.ts'

const requested: string[] = []
let server: Server
let port = 0

type Respond = (response: ServerResponse, request: IncomingMessage) => void
const html = { 'content-type': 'text/html; charset=windows-1251' }
const redirect =
  (location: string): Respond =>
  (response) =>
    response.writeHead(302, { location }).end()
const responses: Readonly<Record<string, Respond>> = {
  '/page': (response) => response.writeHead(200, html).end('<p>Returns'),
  '/to-page': redirect('/page?again#part'),
  '/to-loopback': redirect('http://127.0.0.1/'),
  '/to-metadata': redirect('http://169.254.169.254/latest/meta-data/'),
  '/to-file': redirect('file:///etc/passwd'),
  '/to-port': redirect('http://site.test:22/'),
  '/loop': redirect('/loop'),
  '/missing': (response) => response.writeHead(404).end('Not here'),
  '/large': (response) => response.writeHead(200, html).end('x'.repeat(5000)),
  '/large-inside': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(3e6))),
  '/compressed': (response) =>
    response
      .writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' })
      .end(gzipSync('Returns')),
  '/broken': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('Returns'),
  '/encoded': (response) => response.writeHead(200, { 'content-encoding': 'x-own' }).end('Returns'),
  '/image': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
  '/drip': (response) => void response.write('x'),
  '/silent': () => {},
  '/policy.md': (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('# A'),
  '/policy.pdf': (response) =>
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(pdf(['Returns'])),
  '/api': (response) =>
    response.writeHead(200, { 'content-type': 'application/ld+json' }).end('{}'),
}

beforeAll(async () => {
  server = createServer((request, response) => {
    requested.push(request.url ?? '')
    const [path = ''] = (request.url ?? '').split('?')
    responses[path]?.(response, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterEach(() => {
  requested.length = 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const atLoopback: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]
const rules = {
  plainHttp: 'anywhere',
  timeoutMs: 5000,
  maxBytes: 1000,
  resolve: atLoopback,
} as const

/** Reaches the server of this test under the name `site.test`, by the rules for everything else. */
function site(): Outbound {
  const local = openOutbound({ ...rules, allowed: allowedDestinations(['site.test'])! })
  return {
    judge: local.judge,
    fetch: (url, init) => local.fetch(url.replace('//site.test/', `//site.test:${port}/`), init),
  }
}

const get = (url: string, options: Partial<FetchDocumentOptions> = {}) =>
  fetchDocument(url, {
    ...{ outbound: site(), timeoutMs: 5000, maxBytes: 1000, redirectsMax: 5 },
    ...{ signal: new AbortController().signal, ...options },
  })

async function refusalOf(url: string, options: Partial<FetchDocumentOptions> = {}) {
  const refused: unknown = await get(url, options).catch((error: unknown) => error)
  if (!(refused instanceof FetchRefused)) throw new Error('was not refused')
  return { problem: refused.problem, target: refused.target }
}

describe('a document at a URL', () => {
  test('is fetched, also after redirects', async () => {
    const document = await get('http://site.test/to-page?key=1')
    expect({ ...document, bytes: Buffer.from(document.bytes).toString() }).toEqual({
      ...{ bytes: '<p>Returns', format: 'html', charset: 'windows-1251' },
      ...{ finalUrl: 'http://site.test/page', isRedirected: true },
    })
  })

  test.each([
    ['policy.md', 'markdown'],
    ['policy.pdf', 'pdf'],
    ['api', 'json'],
    ['compressed', 'text'],
  ])('at /%s has the format %s', async (path, format) => {
    expect((await get(`http://site.test/${path}`)).format).toBe(format)
  })

  test.each([
    ['missing', 'status'],
    ['large', 'too_large'],
    ['large-inside', 'too_large'],
    ['broken', 'type'],
    ['encoded', 'type'],
    ['image', 'type'],
    ['loop', 'redirects'],
  ])('at /%s is refused: %s', async (path, problem) => {
    expect(await refusalOf(`http://site.test/${path}`)).toEqual({ problem, target: 'site.test' })
  })

  test('is requested again for at most five redirects', async () => {
    await refusalOf('http://site.test/loop')
    expect(requested).toHaveLength(6)
  })

  test.each(['drip', 'silent'])('at /%s is not waited for beyond the timeout', async (path) => {
    expect(await refusalOf(`http://site.test/${path}`, { timeoutMs: 100 })).toEqual({
      ...{ problem: 'too_late', target: 'site.test' },
    })
  })

  test('is not waited for when the caller leaves', async () => {
    const caller = new AbortController()
    const fetched = get('http://site.test/silent', { signal: caller.signal })
    caller.abort(new Error('left'))
    await expect(fetched).rejects.toThrow('left')
  })

  test('over HTTPS that redirects to HTTP is not followed', async () => {
    const secure: Outbound = {
      ...site(),
      fetch: async () =>
        new Response(null, { status: 302, headers: { location: 'http://site.test/page' } }),
    }
    const refusal = await refusalOf('https://site.test/', { outbound: secure })
    expect(refusal).toEqual({ problem: 'unreachable', target: 'site.test' })
  })
})

describe('a forbidden address', () => {
  const outbound = openOutbound({ ...rules, allowed: nothingAllowed })

  test.each(privateAddresses)('%s is refused, directly and after a redirect', async (url) => {
    expect((await refusalOf(url, { outbound })).problem).toBe('unreachable')
    const redirecting: Outbound = {
      judge: outbound.judge,
      fetch: async (requestedUrl, init) =>
        requestedUrl === 'http://site.test/'
          ? new Response(null, { status: 301, headers: { location: url } })
          : await outbound.fetch(requestedUrl, init),
    }
    const refusal = await refusalOf('http://site.test/', { outbound: redirecting })
    expect(refusal.problem).toBe('unreachable')
    expect(requested).toEqual([])
  })

  test.each([
    ['to-loopback', '127.0.0.1'],
    ['to-metadata', '169.254.169.254'],
    ['to-file', ''],
    ['to-port', 'site.test'],
  ])('behind the redirect of /%s is refused', async (path, target) => {
    expect(await refusalOf(`http://site.test/${path}`)).toEqual({ problem: 'unreachable', target })
    expect(requested).toEqual([`/${path}`])
  })

  test.each([
    ['ftp://site.test/', 'site.test'],
    ['javascript:alert(1)', ''],
    ['/etc/passwd', ''],
    ['http://ana:secret@site.test/', 'site.test'],
    ['http://site.test:22/', 'site.test'],
    ['http://printer.local/', 'printer.local'],
  ])('%s is refused like a name that does not resolve', async (url, target) => {
    const resolve: Resolve = async () => []
    const unknown = openOutbound({ ...rules, allowed: nothingAllowed, resolve })
    const refusal = await refusalOf('http://nowhere.test/', { outbound: unknown })
    expect(refusal).toEqual({ problem: 'unreachable', target: 'nowhere.test' })
    expect(await refusalOf(url, { outbound })).toEqual({ problem: 'unreachable', target })
  })

  test('that a name resolves to after the check is not requested', async () => {
    let lookups = 0
    const resolve: Resolve = async () => {
      lookups += 1
      return [{ address: lookups === 1 ? '93.184.215.14' : '127.0.0.1', family: 4 }]
    }
    const rebinding = openOutbound({ ...rules, allowed: nothingAllowed, resolve })
    await rebinding.judge('http://site.test/page')
    await refusalOf('http://site.test/page', { outbound: rebinding })
    expect([lookups, requested]).toEqual([2, []])
  })
})
