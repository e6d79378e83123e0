import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/*
 * Blocks: several bodies compressed together. Small enough that reading one span decompresses little, large
 * enough that repetition between the bodies of a trace is stored once.
 */

const blockBytes = 64 * 1024
/** Below this size, compression takes more time than the saved bytes are worth. */
const worthCompressingBytes = 256
const zstdOptions = {
  // The initial buffer of the library: with a larger one, small blocks take half as long again.
  chunkSize: 4 * 1024,
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
}

export interface Block {
  readonly data: Uint8Array
  readonly isCompressed: boolean
}

/** The location of a body: the index of its block in `blocks`, and its bytes in the decompressed block. */
export interface BodyLocation {
  readonly block: number
  readonly offset: number
  readonly bytes: number
}

export interface BlockBuilder {
  add(text: string): BodyLocation
  /** Starts a new block for the next body. */
  endBlock(): void
  /** All blocks, including the last one. */
  readonly blocks: readonly Block[]
}

// Reused between calls: the bodies of a batch rarely need more, and a new buffer would have to be zeroed.
const reused = Buffer.allocUnsafeSlow(blockBytes)

export function buildBlocks(): BlockBuilder {
  const blocks: Block[] = []
  let used = 0
  const endBlock = () => {
    if (used > 0) blocks.push(compress(reused.subarray(0, used)))
    used = 0
  }
  return {
    blocks,
    endBlock,
    add(text) {
      const bytes = Buffer.byteLength(text)
      if (used + bytes > blockBytes) endBlock()
      if (bytes > blockBytes) {
        blocks.push(compress(Buffer.from(text)))
        return { block: blocks.length - 1, offset: 0, bytes }
      }
      const offset = used
      used += reused.write(text, offset)
      return { block: blocks.length, offset, bytes }
    },
  }
}

/** The block owns its bytes: `raw` may be overwritten afterwards. */
export function compress(raw: Uint8Array): Block {
  if (raw.length >= worthCompressingBytes) {
    const data = zstdCompressSync(raw, zstdOptions)
    if (data.length < raw.length) return { data, isCompressed: true }
  }
  return { data: Uint8Array.from(raw), isCompressed: false }
}

/** `leastBytes`: how many bytes it has at least. With a buffer for all of them, none is copied. */
export function inflate({ data, isCompressed }: Block, leastBytes = 0): Buffer {
  return isCompressed
    ? zstdDecompressSync(data, { chunkSize: toChunkBytes(leastBytes) })
    : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}

/** The default of the library. */
const smallestChunkBytes = 16 * 1024
/** Larger than any body that is accepted: what a damaged file has as a length must not be allocated. */
const largestChunkBytes = 64 * 1024 * 1024

// One more than needed: the library prepares the next buffer when one is full.
function toChunkBytes(leastBytes: number): number {
  return Math.min(Math.max(leastBytes + 1, smallestChunkBytes), largestChunkBytes)
}
