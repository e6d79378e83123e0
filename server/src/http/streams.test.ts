import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { eventStream, sendStream } from './streams.ts'

/*
 * A stream whose client does not read it.
 */

const valueBytes = 1_000_000

async function unreadStream() {
  const pulled: number[] = []
  const end = new AbortController()
  const ended = Promise.withResolvers<void>()
  let response: ServerResponse | undefined
  const server = createServer((_request, reply) => {
    response = reply
    async function* values() {
      for (;;) {
        pulled.push(reply.writableLength)
        yield 'x'.repeat(valueBytes)
      }
    }
    const { signal } = end
    const control = { signal, recheck: () => Promise.resolve(), report: () => undefined }
    void sendStream(reply, eventStream, values(), control).then(ended.resolve)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const [reply] = (await once(get({ port }), 'response')) as [IncomingMessage]
  reply.on('error', () => undefined)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await expect.poll(() => response?.writableNeedDrain).toBe(true)
  return { pulled, end, ended: ended.promise, response: response! }
}

test('buffers no value before the last one has been sent', async () => {
  const { pulled, response } = await unreadStream()
  expect(Math.max(...pulled)).toBeLessThan(valueBytes)
  expect(response.writableLength).toBeLessThan(2 * valueBytes)
})

test('ends when it is to end, also while its client does not read', async () => {
  const { end, ended, response } = await unreadStream()
  end.abort()
  await ended
  expect(response.destroyed).toBe(true)
})
