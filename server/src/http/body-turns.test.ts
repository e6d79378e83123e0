import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { Failure } from '../platform/failure.ts'
import { drainBody } from './drain-body.ts'
import { bytesPerTurn, readBody } from './read-body.ts'

const sizeBytes = 16 * 1024 * 1024
const tooLarge = () => new Failure('VALIDATION_ERROR', 'too large')

let server: Server
afterEach(() => server.close())

/** A request of which many bytes have arrived, and are not read yet. */
async function receiveLargeBody(): Promise<IncomingMessage> {
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const received = once(server, 'request') as Promise<[IncomingMessage]>
  const headers = { 'content-length': sizeBytes }
  const sent = request({ host: '127.0.0.1', port, method: 'POST', headers })
  sent.on('error', () => undefined).end(new Uint8Array(sizeBytes))
  const [message] = await received
  for (let turn = 0; turn < 100; turn += 1) await nextTurn()
  return message
}

/** Counts bytes, and the most within a turn of the event loop. */
function countTurns() {
  const counts = { total: 0, most: 0 }
  let inTurn = 0
  const startTurn = () => {
    inTurn = 0
    if (counts.total < sizeBytes) setImmediate(startTurn)
  }
  startTurn()
  const count = (bytes: number) => {
    counts.total += bytes
    inTurn += bytes
    counts.most = Math.max(counts.most, inTurn)
  }
  return { counts, count }
}

test('other requests have their turn while a large body is read', async () => {
  const message = await receiveLargeBody()
  const { counts, count } = countTurns()
  const share = { take: count, release: () => undefined }
  const { bytes } = await readBody(message, sizeBytes, share, tooLarge)
  expect(bytes).toHaveLength(sizeBytes)
  expect(counts.most).toBeLessThanOrEqual(2 * bytesPerTurn)
})

test('other requests have their turn while a refused body is read to its end', async () => {
  const message = await receiveLargeBody()
  const { counts, count } = countTurns()
  message.on('data', ({ byteLength }: Buffer) => count(byteLength))
  await drainBody(message)
  expect(counts.total).toBe(sizeBytes)
  expect(counts.most).toBeLessThanOrEqual(2 * bytesPerTurn)
})
