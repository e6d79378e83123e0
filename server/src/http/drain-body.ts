import type { IncomingMessage } from 'node:http'
import { limits } from '@assay/contract/limits.ts'
import { bytesPerTurn } from './read-body.ts'

/**
 * Reads and discards the rest of a body that is refused. Many clients read the response only after they have
 * sent the whole body: a connection closed before that is a broken pipe to them, and exporters retry it forever.
 * Gives up on a body that is too large, stalls, or takes too long.
 */
export async function drainBody(request: IncomingMessage): Promise<void> {
  const maxBytes = limits.refusedBodyBytes.value
  if (request.complete || request.destroyed) return
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return
  await new Promise<void>((resolve) => {
    let remaining = maxBytes
    let sizeInTurn = 0
    let turn: NodeJS.Immediate | undefined
    const deadline = setTimeout(stop, limits.refusedBodySeconds.value * 1000)
    const stall = setTimeout(stop, limits.refusedBodyStallSeconds.value * 1000)
    function stop(): void {
      clearTimeout(deadline)
      clearTimeout(stall)
      clearImmediate(turn)
      request.off('data', discard).off('end', stop).off('close', stop).off('error', stop)
      request.pause()
      resolve()
    }
    function discard(chunk: Buffer): void {
      stall.refresh()
      remaining -= chunk.byteLength
      sizeInTurn += chunk.byteLength
      if (remaining <= 0) stop()
      else if (sizeInTurn >= bytesPerTurn) {
        sizeInTurn = 0
        request.pause()
        turn = setImmediate(() => request.resume())
      }
    }
    request.on('data', discard).on('end', stop).on('close', stop).on('error', stop).resume()
  })
}
