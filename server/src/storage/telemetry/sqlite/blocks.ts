import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/*
 * Blocks: a few bodies in a row, compressed together. Small enough that reading one span inflates little,
 * large enough that what the bodies of a trace repeat is stored once.
 */

const blockBytes = 64 * 1024
/** Below this, compressing costs more time than it saves bytes. */
const worthCompressingBytes = 256
const zstdOptions = {
  // The buffer that the library starts with: with a larger one a small block costs half as much again.
  chunkSize: 4 * 1024,
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
}

export interface Block {
  readonly data: Uint8Array
  readonly isCompressed: boolean
}

/** Where a body lies: the number of the block in the order of `blocks`, and the bytes in it once inflated. */
export interface BodyLocation {
  readonly block: number
  readonly offset: number
  readonly bytes: number
}

export interface BlockBuilder {
  add(text: string): BodyLocation
  /** What is added next begins another block. */
  endBlock(): void
  /** All blocks, the last one ended. */
  readonly blocks: readonly Block[]
}

// Kept between calls, as the bodies of a batch rarely need more and a fresh one would have to be zeroed.
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

export function inflate({ data, isCompressed }: Block): Buffer {
  return isCompressed
    ? zstdDecompressSync(data)
    : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}
