import { limits } from '@assay/contract/limits.ts'
import type { Source, TraceLabels } from '../../../domain/span.ts'
import { mergeLabels } from '../../../domain/trace-labels.ts'
import { decodeRows } from './batch-rows.ts'
import type { Block } from './blocks.ts'
import {
  blockOfEncoded,
  type EncodedSpanRow,
  encodedSpanId,
  type SpanRow,
  toCountedSpan,
  toStoredRow,
  withBlock,
} from './span-columns.ts'
import type { TraceState } from './trace-states.ts'
import type { Writing } from './write-statements.ts'

/*
 * Adds the spans of a batch to the states of their traces, and writes them within the open transaction.
 */

/** The spans of a batch in one trace. */
export interface TraceSpans {
  readonly traceId: string
  readonly rows: readonly EncodedSpanRow[]
}

export interface DecodedSpans {
  readonly source: Source
  readonly labels: TraceLabels | null
  readonly traces: readonly TraceSpans[]
  /** A block has bodies of one trace. */
  readonly blocks: readonly Block[]
}

/** The state of a trace in a transaction. */
export interface TouchedTrace {
  readonly trace: TraceState
  /** Blocks of spans that have been replaced. */
  readonly staleBlocks: Set<number>
}

/** Spans that the state of their trace contains, to be written. */
export interface AddedSpans {
  readonly traceNo: number
  readonly rows: readonly SpanRow[]
  readonly blocks: ReadonlyMap<number, Block>
}

export interface EncodedSpans {
  readonly source: Source
  readonly labels: TraceLabels | null
  /** The rows and the bodies of each part. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
}

export function decodeSpans({ source, labels, parts }: EncodedSpans): DecodedSpans {
  const traces = new Map<string, EncodedSpanRow[]>()
  const blocks: Block[] = []
  for (let part = 0; part < parts.length; part += 2) {
    const decoded = decodeRows(parts[part]!)
    const bodies = parts[part + 1]!
    const firstBlock = blocks.length
    let at = 0
    for (const [bytes, isCompressed] of decoded.blocks) {
      blocks.push({ data: bodies.subarray(at, at + bytes), isCompressed })
      at += bytes
    }
    for (const [index, traceId] of decoded.traceIds.entries()) {
      const rows = traces.get(traceId) ?? []
      traces.set(traceId, rows)
      for (const row of decoded.traces[index]!) rows.push(withBlock(row, firstBlock))
    }
  }
  const ofTraces = Array.from(traces, ([traceId, rows]) => ({ traceId, rows }))
  return { source, labels, traces: ofTraces, blocks }
}

/** Those for which the trace has room. */
export function fittingSpans(
  { spans }: TraceState,
  rows: readonly EncodedSpanRow[],
): readonly EncodedSpanRow[] {
  let room = limits.spansPerTrace.value - spans.size
  if (rows.length <= room) return rows
  return rows.filter((row) => spans.has(encodedSpanId(row)) || room-- > 0)
}

export function addSpans(
  { trace, staleBlocks }: TouchedTrace,
  rows: readonly EncodedSpanRow[],
  { source, labels, blocks }: DecodedSpans,
  writing: Pick<Writing, 'nextBlockNo'>,
): AddedSpans {
  if (labels !== null) trace.labels = mergeLabels(trace.labels, labels)
  const blockNos = new Map<number, number>()
  const ownBlocks = new Map<number, Block>()
  const stored = rows.map((encoded) => {
    const index = blockOfEncoded(encoded)
    let blockNo = blockNos.get(index)
    if (blockNo === undefined) {
      blockNo = writing.nextBlockNo()
      blockNos.set(index, blockNo)
      ownBlocks.set(blockNo, blocks[index]!)
    }
    const row = toStoredRow(encoded, blockNo, source)
    const span = toCountedSpan(row)
    const replaced = trace.spans.get(span.spanId)
    if (replaced !== undefined) {
      staleBlocks.add(replaced.blockNo)
      trace.repeats.delete(span.spanId)
      trace.separate.delete(span.spanId)
    }
    trace.spans.set(span.spanId, span)
    return row
  })
  return { traceNo: trace.traceNo, rows: stored, blocks: ownBlocks }
}

export function writeSpans({ traceNo, rows, blocks }: AddedSpans, writing: Writing): void {
  for (const [blockNo, block] of blocks) writing.insertBlock(blockNo, traceNo, block)
  for (const row of rows) writing.putSpan(traceNo, row)
}

/** Blocks that no span of the trace refers to any more. */
export function unusedBlocks({ trace, staleBlocks }: TouchedTrace): ReadonlySet<number> {
  if (staleBlocks.size === 0) return staleBlocks
  const unused = new Set(staleBlocks)
  for (const { blockNo } of trace.spans.values()) unused.delete(blockNo)
  return unused
}
