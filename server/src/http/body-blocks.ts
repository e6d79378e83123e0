import { setImmediate as nextTurn } from 'node:timers/promises'

/*
 * The bytes of a request body while it arrives. Chunks are copied: kept until the end, they would outlive young
 * generations of the heap, and their collection would delay other requests. They are copied into blocks of limited size,
 * because a buffer that grows is copied as a whole, which takes 30 ms for 16 MiB.
 */

export interface BodyBlocks {
  /** The bytes added so far. */
  readonly size: () => number
  add(chunk: Uint8Array): void
  /**
   * All bytes, in a buffer of their own that can be transferred to a thread. Other requests have their turn while a
   * large body is copied. Nothing can be added afterwards.
   */
  join(): Promise<Uint8Array<ArrayBuffer>>
}

/** Of a chunk that is smaller: thousands of clients may send single bytes. */
const smallestBlockBytes = 1024
const largestBlockBytes = 1024 * 1024

/** `largestSize` is never exceeded, and not reserved: a client may declare bytes that it does not send. */
export function openBodyBlocks(largestSize: number): BodyBlocks {
  const blocks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  let room = 0

  function openBlock(neededBytes: number): void {
    const usefulBytes = Math.max(smallestBlockBytes, neededBytes, size)
    const length = Math.min(usefulBytes, largestBlockBytes, largestSize - size)
    blocks.push(new Uint8Array(length))
    room = length
  }

  return {
    size: () => size,
    add(chunk) {
      for (let from = 0; from < chunk.byteLength; ) {
        if (room === 0) openBlock(chunk.byteLength - from)
        const block = blocks.at(-1)!
        const part = chunk.subarray(from, from + room)
        block.set(part, block.byteLength - room)
        room -= part.byteLength
        size += part.byteLength
        from += part.byteLength
      }
    },
    async join() {
      const [only] = blocks
      if (only !== undefined && only.byteLength === size) return only
      const whole = new Uint8Array(size)
      let at = 0
      for (const block of blocks.splice(0)) {
        if (at > 0) await nextTurn()
        const part = block.subarray(0, size - at)
        whole.set(part, at)
        at += part.byteLength
        // Frees its memory now, not when it is collected.
        block.buffer.transfer(0)
      }
      return whole
    },
  }
}
