import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { limits } from '@assay/contract/limits.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { oneAtATime } from './pipelining.ts'

const most = limits.pipelinedRequests.value + 1
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A connection, the server's end of it, and the paths of the requests whose handler was called. */
async function connected(handle: RequestListener) {
  const handled: string[] = []
  const server = createServer(
    oneAtATime((request, response) => {
      handled.push(request.url ?? '')
      handle(request, response)
    }),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const accepted = once(server, 'connection')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [served] = (await accepted) as [Socket]
  client.on('error', () => undefined)
  ends.push(() => {
    client.destroy()
    server.close()
  })
  return { client, served, handled }
}

const requests = (count: number) =>
  Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nhost: x\r\n\r\n`).join('')
const paths = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)

describe('pipelined requests', () => {
  test('are handled one at a time, and responded to in order', async () => {
    let running = 0
    let atOnce = 0
    const { client, handled } = await connected((request, response) => {
      atOnce = Math.max(atOnce, ++running)
      setImmediate(() => {
        running--
        response.end(`[${request.url}]`)
      })
    })
    let received = ''
    const all = Promise.withResolvers<void>()
    client.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk
      if (received.includes(`[/${most - 1}]`)) all.resolve()
    })
    client.write(requests(most))
    await all.promise
    expect(atOnce).toBe(1)
    expect(handled).toEqual(paths(most))
    expect([...received.matchAll(/\[(.*?)\]/g)].map(([, path]) => path)).toEqual(paths(most))
  })

  test('wait until the earlier response has left, so a client that does not read holds one', async () => {
    // More than the buffers of both ends of a connection.
    const body = Buffer.alloc(32 * 1024 * 1024)
    const first = Promise.withResolvers<void>()
    const last = Promise.withResolvers<void>()
    const { client, handled } = await connected((request, response) => {
      response.end(body)
      first.resolve()
      if (request.url === '/2') last.resolve()
    })
    client.pause().write(requests(3))
    await first.promise
    // All of them have arrived in one chunk.
    await new Promise(setImmediate)
    expect(handled).toEqual(paths(1))
    client.resume()
    await last.promise
    expect(handled).toEqual(paths(3))
  })

  test('beyond the limit close the connection, and none of the waiting ones is handled', async () => {
    const { client, served, handled } = await connected(() => undefined)
    client.write(requests(1500))
    await once(served, 'close')
    expect(handled).toEqual(paths(1))
  })

  test('beyond the limit are not even parsed, and the next connection is served', async () => {
    let parsed = 0
    const server = createServer()
    const handle = oneAtATime((request, response) => {
      if (request.url === '/next') response.end('served')
    })
    server.on('request', (request, response) => {
      parsed += 1
      handle(request, response)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    ends.push(() => server.close())
    const { port } = server.address() as AddressInfo
    const client = connect(port, '127.0.0.1')
    client.on('error', () => undefined)
    client.write(requests(1500))
    await once(client, 'close')
    expect(parsed).toBe(most + 1)
    const next = await fetch(`http://127.0.0.1:${port}/next`)
    expect(await next.text()).toBe('served')
  })
})
