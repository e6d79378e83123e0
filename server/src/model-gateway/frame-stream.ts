import { OutboundFailed } from '../platform/outbound-fetch.ts'
import { type EventBounds, immodest, tooLong, tooMany } from './event-stream.ts'

/*
 * AWS's event stream, as Bedrock's, before its client parses it: only whole frames are passed on, one by one. The
 * client would collect a frame of any size, and copy it with each chunk.
 */

/** Total length, length of the headers, checksum. */
const preludeBytes = 12
const checksumBytes = 4

/** Yields each frame as one chunk. Throws `OutboundFailed` for a frame beyond the bounds. */
export async function* readFrames(
  host: string,
  body: AsyncIterable<Uint8Array>,
  { eventBytesMax, eventsMax, isAllowed, turn }: EventBounds,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let size = 0
  let needed = preludeBytes
  let frames = 0
  for await (const chunk of body) {
    held.push(chunk)
    size += chunk.byteLength
    while (size >= needed) {
      await turn()
      const bytes = join(held)
      needed = bytes.readUInt32BE(0)
      const payload = preludeBytes + bytes.readUInt32BE(4)
      const end = needed - checksumBytes
      if (needed > eventBytesMax) throw tooLong(host)
      if (payload > end) throw new OutboundFailed(host, 'The response is not an event stream.')
      held = [bytes]
      if (size < needed) break
      if (++frames > eventsMax) throw tooMany(host)
      if (!isAllowed(bytes.subarray(payload, end))) throw immodest(host)
      yield bytes.subarray(0, needed)
      held = [bytes.subarray(needed)]
      size -= needed
      needed = preludeBytes
    }
  }
}

function join(held: readonly Uint8Array[]): Buffer {
  const [first] = held
  if (first === undefined || held.length > 1) return Buffer.concat(held)
  return Buffer.from(first.buffer, first.byteOffset, first.byteLength)
}
