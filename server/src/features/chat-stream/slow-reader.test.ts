import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { silent } from '../../../test/accounts-database.ts'
import { openReplies } from '../../chat-replies/replies.ts'
import type { EndedReply } from '../../chat-replies/reply-turn.ts'
import type { RunningReply } from '../../chat-replies/running-reply.ts'
import { noUsage } from '../../domain/span.ts'
import { eventStream, sendStream } from '../../http/streams.ts'
import { noOtherProcesses } from '../../platform/notifications.ts'

/*
 * Readers of a reply over sockets, of which one does not read. The reply is longer than replies may be, because systems
 * buffer a few megabytes for each socket.
 */

const delta = 'word '.repeat(2000)
const deltas = 1000
const replyLength = 2 * delta.length * deltas

const report = { attempts: 1, latencyMs: 5, costUsd: null, stopReason: 'stop', text: null }

/** A reply that begins when it has its reader, and does not run ahead of that. */
function writeReply(reader: Promise<ReturnType<typeof read>>) {
  const stored: EndedReply[] = []
  const reply = openReplies({ log: silent, notifications: noOtherProcesses }, { replyLength })
    .reserve(['acme', 'ana'], 0)
    .start({
      sealedFor: undefined,
      ...{ userId: 'ana', conversationId: 'c', messageId: 'm', parentId: 'p', traceId: 't' },
      ...{ model: 'model-1', notices: [] },
      async *write() {
        const { caughtUp } = await reader
        for (let count = 0; count < deltas; count += 1) {
          yield { type: 'text', delta }
          await caughtUp(count * delta.length)
        }
        yield { type: 'end', finish: 'stop', report: { ...report, usage: noUsage } }
      },
      renew: async () => true,
      async finish(ended) {
        stored.push(ended)
      },
    })
  return { reply, stored }
}

/** Serves the reply to whoever connects. Returns the port, and resolves `joined` with so many readers. */
async function serve(reply: RunningReply, readers: number) {
  const joined = Promise.withResolvers<void>()
  let count = 0
  const server = createServer((_request, response) => {
    const { signal } = new AbortController()
    const recheck = () => Promise.resolve()
    const control = { signal, recheck, hold: () => () => undefined, report: () => undefined }
    void sendStream(response, eventStream, reply.read(signal), control)
    count += 1
    if (count === readers) joined.resolve()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, joined: joined.promise }
}

/** Nothing is read of the response until it is resumed. */
function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1').pause()
  onTestFinished(() => void socket.destroy())
  socket.write('GET / HTTP/1.1\r\nhost: assay\r\n\r\n')
  return socket
}

/** Reads the response, and knows how much has come. */
function read(socket: Socket) {
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk
  })
  const ended = once(socket.resume(), 'end').then(() => received)
  return {
    ended,
    async caughtUp(length: number) {
      while (received.length < length - 200_000) await once(socket, 'data')
    },
  }
}

test('a reader that does not read is let go beyond 1 MB, and neither the reply nor others wait for it', async () => {
  const reader = Promise.withResolvers<ReturnType<typeof read>>()
  const { reply, stored } = writeReply(reader.promise)
  const { port, joined } = await serve(reply, 2)
  const unread = open(port)
  const other = read(open(port))
  await joined
  reader.resolve(other)
  await reply.ended
  const wholeLength = delta.length * deltas
  expect(stored.map(({ status, content }) => [status, content.length])).toEqual([
    ['complete', wholeLength],
  ])
  const whole = await other.ended
  expect(whole.match(/word /g)).toHaveLength(wholeLength / 5)
  expect(whole).toContain('"type":"done"')
  const late = await text(unread)
  expect(late).toContain('"type":"start"')
  expect(late).not.toContain('"type":"done"')
  expect(late.length).toBeLessThan(wholeLength)
})
