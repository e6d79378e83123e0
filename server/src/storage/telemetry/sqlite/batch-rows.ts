import type { EncodedSpanRow } from './span-columns.ts'

/*
 * Transfers the small rows of a batch to the writer as one JSON text. A hand-written binary encoding was
 * tried: it saves half a microsecond of about twenty per span over both threads, and is longer than
 * span-columns.ts.
 */

export interface BatchRows {
  readonly traceIds: readonly string[]
  /** The spans of each of these traces; ids are unique within a trace. */
  readonly traces: readonly (readonly EncodedSpanRow[])[]
  /** For each block, in the order of their bytes. */
  readonly blocks: readonly (readonly [bytes: number, isCompressed: boolean])[]
}

export function encodeRows(rows: BatchRows): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(rows))
}

export function decodeRows(bytes: Uint8Array): BatchRows {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
}
