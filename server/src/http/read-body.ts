import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Failure } from '../platform/failure.ts'
import { openBodyBlocks } from './body-blocks.ts'
import type { BodyShare } from './body-shares.ts'

/**
 * What is read of one body before other requests have their turn: a connection may have megabytes ready, and many such
 * connections would delay all others for as long as it takes to read them.
 */
export const bytesPerTurn = 256 * 1024

/** The client disconnected before the end of the body. */
export class ClientGone extends Error {}

/**
 * Reads a whole request body of at most `maxBytes`, counted as it arrives whatever its Content-Length. Beyond that, throws
 * the result of `tooLarge` for the first `startBytes` of the body; throws Unavailable when the share is used up. Call
 * `release` when the bytes are no longer needed.
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  share: BodyShare,
  tooLarge: (start: Uint8Array) => Failure | Promise<Failure>,
  startBytes = 0,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; release(): void }> {
  const declaredSize = Number(request.headers['content-length'] ?? 0)
  const most = declaredSize > maxBytes ? startBytes : maxBytes
  if (most === 0) throw await tooLarge(new Uint8Array())
  const body = openBodyBlocks(Math.min(declaredSize || most, most))
  let sizeInTurn = 0
  try {
    // A refused body is still read to its end, so that the client gets the response.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const bytes = chunk as Buffer
      const room = most - body.size()
      if (bytes.byteLength > room) {
        if (startBytes > 0) body.add(bytes.subarray(0, room))
        throw await tooLarge(
          startBytes > 0 ? (await body.join()).subarray(0, startBytes) : new Uint8Array(),
        )
      }
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
  return { bytes: await body.join(), release: share.release }
}
