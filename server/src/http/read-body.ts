import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Failure } from '../platform/failure.ts'
import type { BodyShare } from './body-shares.ts'

/**
 * What is read of one body before other requests have their turn: a connection may have megabytes ready, and many such
 * connections would delay all others for as long as it takes to read them.
 */
export const bytesPerTurn = 256 * 1024

/** The client disconnected before the end of the body. */
export class ClientGone extends Error {}

/**
 * Reads a whole request body of at most `maxBytes`, counted as it arrives whatever its Content-Length. Throws
 * `tooLarge()` beyond that and Unavailable when the share is used up. Call `release` when the bytes are no longer
 * needed.
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  share: BodyShare,
  tooLarge: () => Failure,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; release(): void }> {
  const declaredSize = Number(request.headers['content-length'] ?? 0)
  if (declaredSize > maxBytes) throw tooLarge()
  const body = openBody(declaredSize || maxBytes)
  let sizeInTurn = 0
  try {
    // A refused body is still read to its end, so that the client gets the response.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const bytes = chunk as Buffer
      if (body.size() + bytes.byteLength > maxBytes) throw tooLarge()
      share.take(bytes.byteLength)
      body.add(bytes)
      sizeInTurn += bytes.byteLength
      if (sizeInTurn >= bytesPerTurn) {
        sizeInTurn = 0
        await nextTurn()
      }
    }
  } catch (error) {
    share.release()
    if (request.destroyed && !(error instanceof Failure)) {
      throw new ClientGone('the client went away', { cause: error })
    }
    throw error
  }
  return { bytes: body.whole(), release: share.release }
}

const firstCapacity = 16 * 1024
/** Room is added by this factor: what a client declares and does not send is not reserved for it. */
const growth = 4

/**
 * Copies chunks as they arrive. Kept until the end they would outlive young generations of the heap, and their
 * collection would delay other requests. A chunk may also be a view of a buffer that is shared with other requests,
 * while bodies are transferred to other threads with their buffer.
 */
function openBody(largestSize: number) {
  let bytes = new Uint8Array(Math.min(largestSize, firstCapacity))
  let size = 0
  return {
    size: () => size,
    add(chunk: Uint8Array) {
      const needed = size + chunk.byteLength
      if (needed > bytes.byteLength) {
        const room = Math.max(needed, Math.min(bytes.byteLength * growth, largestSize))
        bytes = new Uint8Array(bytes.buffer.transfer(room))
      }
      bytes.set(chunk, size)
      size = needed
    },
    whole: () => (size === bytes.byteLength ? bytes : new Uint8Array(bytes.buffer.transfer(size))),
  }
}
