import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Unavailable } from '../platform/failure.ts'
import { JsonPieces } from './call.ts'
import {
  eventStream,
  jsonLines,
  type StreamControl,
  type StreamForm,
  sendStream,
} from './streams.ts'

/*
 * A stream whose client does not read it, and one that is to end while its source reads.
 */

const valueBytes = 1_000_000

function toControl(signal: AbortSignal): StreamControl {
  const recheck = () => Promise.resolve()
  return { signal, recheck, hold: () => () => undefined, report: () => undefined }
}

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
    const control = toControl(signal)
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

/** An export without an end to a client that does not read it. Counts the bytes of parts that it holds. */
async function unreadExport() {
  const counts = { held: 0, mostHeld: 0 }
  const end = new AbortController()
  const ended = Promise.withResolvers<void>()
  let response: ServerResponse | undefined
  const server = createServer((_request, reply) => {
    response = reply
    async function* parts() {
      for (;;) yield Buffer.alloc(valueBytes, 'x')
    }
    async function* values() {
      yield new JsonPieces(parts())
    }
    const hold = (bytes: number) => {
      counts.held += bytes
      counts.mostHeld = Math.max(counts.mostHeld, counts.held)
      return () => {
        counts.held -= bytes
      }
    }
    const control = { ...toControl(end.signal), hold }
    void sendStream(reply, jsonLines, values(), control).then(ended.resolve)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const [reply] = (await once(get({ port, agent: false }), 'response')) as [IncomingMessage]
  reply.on('error', () => undefined)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await expect.poll(() => response?.writableNeedDrain).toBe(true)
  return { counts, end, ended: ended.promise, response: response! }
}

test('an export reads no part before the last one has been sent, and holds one until then', async () => {
  const { counts, end, ended, response } = await unreadExport()
  expect(counts.mostHeld).toBe(valueBytes)
  expect(response.writableLength).toBeLessThan(2 * valueBytes)
  end.abort()
  await ended
  expect(counts.held).toBe(0)
})

test('an export ends with the reason when too much waits to be read by its caller', async () => {
  const server = createServer((_request, reply) => {
    async function* parts() {
      yield '{"n":'
      yield 'x'.repeat(valueBytes)
    }
    async function* values() {
      yield new JsonPieces(parts())
    }
    const hold = (bytes: number) => {
      if (bytes >= valueBytes) throw new Unavailable('Too many large responses are being sent.', 1)
      return () => undefined
    }
    const { signal } = new AbortController()
    void sendStream(reply, jsonLines, values(), { ...toControl(signal), hold })
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const received = await (await fetch(`http://127.0.0.1:${port}`)).text()
  const problem = { type: 'error', message: 'Too many large responses are being sent.' }
  expect(received).toBe(`{"n":\n${JSON.stringify(problem)}\n`)
})

/** What a client receives of a stream whose signal aborts after this value, and with it the source. */
async function readAborted(form: StreamForm, toValue: (end: () => void) => unknown) {
  const ending = new AbortController()
  const { signal } = ending
  const end = () => {
    ending.abort(new Error('The time is up.'))
    signal.throwIfAborted()
  }
  const server = createServer((_request, reply) => {
    async function* values() {
      yield toValue(end)
      end()
    }
    const control = toControl(signal)
    void sendStream(reply, form, values(), control)
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return await (await fetch(`http://127.0.0.1:${port}`)).text()
}

const cutOff = '{"type":"error","message":"The stream ended before it was complete."}\n'

test('an export that is to end during a read ends with an error line', async () => {
  expect(await readAborted(jsonLines, () => ({ n: 1 }))).toBe(`{"n":1}\n${cutOff}`)
})

test('an export that is to end within a line ends with an error line of its own', async () => {
  const received = await readAborted(jsonLines, (end) => {
    async function* pieces() {
      yield '{"n":'
      end()
    }
    return new JsonPieces(pieces())
  })
  expect(received).toBe(`{"n":\n${cutOff}`)
})

test('a live stream that is to end has no error', async () => {
  expect(await readAborted(eventStream, () => ({ n: 1 }))).toBe('data: {"n":1}\n\n')
})

test('a keep-alive does not split a large value that its client reads slowly', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const value = 'x'.repeat(30_000_000)
  let response: ServerResponse | undefined
  const server = createServer((_request, reply) => {
    response = reply
    const { signal } = new AbortController()
    const control = toControl(signal)
    async function* values() {
      yield value
    }
    void sendStream(reply, jsonLines, values(), control)
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const [reply] = (await once(get({ port, agent: false }), 'response')) as [IncomingMessage]
  await expect.poll(() => response?.writableNeedDrain).toBe(true)
  vi.advanceTimersByTime(15_000)
  expect((await text(reply)) === `${JSON.stringify(value)}\n`).toBe(true)
})

test('chat cases 4 and 5: a keep-alive is sent after 15 s of silence only, and never within an event', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const sent: string[] = []
  const written = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const server = createServer((_request, reply) => {
    const write = reply.write.bind(reply) as (text: string) => boolean
    reply.write = ((text: string | Uint8Array) => {
      sent.push(String(text))
      return write(String(text))
    }) as typeof reply.write
    const { signal } = new AbortController()
    const control = toControl(signal)
    async function* values() {
      vi.advanceTimersByTime(14_000)
      yield 1
      vi.advanceTimersByTime(14_000)
      yield 2
      // The provider is silent for 70 s.
      vi.advanceTimersByTime(70_000)
      written.resolve()
      await go.promise
      yield 3
    }
    void sendStream(reply, eventStream, values(), control)
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const [reply] = (await once(get({ port, agent: false }), 'response')) as [IncomingMessage]
  await written.promise
  go.resolve()
  const awake = ': still here\n\n'
  expect(await text(reply)).toBe(`data: 1\n\ndata: 2\n\n${awake.repeat(4)}data: 3\n\n`)
  expect(sent.every((one) => one.endsWith('\n\n'))).toBe(true)
})
