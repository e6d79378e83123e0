import type { Row } from './columns.ts'

/*
 * Rows as lines of JSON (the format JSONCompactEachRow), in two parts: what follows from an item alone is encoded by any
 * thread, and what its batch adds is put before it when it is stored.
 */

const lineFeed = 0x0a

/** The end of a row. */
export function toLine(row: Row): string {
  return `${JSON.stringify(row).slice(1)}\n`
}

/** The beginning of each row of a batch. */
export function toPrefix(row: Row): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(row).slice(0, -1)},`)
}

export function* splitLines(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, at) + 1
    yield bytes.subarray(at, end)
    at = end
  }
}

/** Whole rows. */
export function withPrefix(prefix: Uint8Array, lines: Uint8Array): readonly Uint8Array[] {
  return [...splitLines(lines)].flatMap((line) => [prefix, line])
}

const chunkBytes = 256 * 1024

/** The same bytes in few chunks: a connection sends each of them by itself. */
export function* toChunks(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  let chunk = Buffer.allocUnsafe(chunkBytes)
  let used = 0
  for (const piece of pieces) {
    if (used > 0 && used + piece.length > chunkBytes) {
      yield chunk.subarray(0, used)
      chunk = Buffer.allocUnsafe(chunkBytes)
      used = 0
    }
    if (piece.length >= chunkBytes) yield piece
    else {
      chunk.set(piece, used)
      used += piece.length
    }
  }
  if (used > 0) yield chunk.subarray(0, used)
}
