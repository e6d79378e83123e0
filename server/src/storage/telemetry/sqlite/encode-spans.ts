import type { Span } from '../../../domain/span.ts'
import type { EncodedBatch } from '../port/ingest.ts'
import { encodeRows } from './batch-rows.ts'
import { buildBlocks } from './blocks.ts'
import { serializeBody } from './body-text.ts'
import { type EncodedSpanRow, toEncodedRow } from './span-columns.ts'

/** Up to this length the writer compresses the body of a batch of one span. */
const deferredCompressionMax = 4 * 1024

/** Groups spans by trace, compresses their bodies and encodes their rows. Needs no database. */
export function encodeSpansForSqlite(spans: readonly Span[]): EncodedBatch {
  const [only] = spans
  if (only !== undefined && spans.length === 1) {
    const text = serializeBody(only.body)
    if (text.length <= deferredCompressionMax) return encodeSingleSpan(only, text)
  }
  const builder = buildBlocks()
  const traceIds: string[] = []
  const traces: EncodedSpanRow[][] = []
  let spanCount = 0
  for (const [traceId, ofTrace] of spansByTrace(spans)) {
    const rows: EncodedSpanRow[] = []
    for (const span of ofTrace.values()) {
      rows.push(toEncodedRow(span, builder.add(serializeBody(span.body))))
    }
    // A block has bodies of one trace, so that it can be deleted with them.
    builder.endBlock()
    traceIds.push(traceId)
    traces.push(rows)
    spanCount += rows.length
  }
  const blocks = builder.blocks.map(
    ({ data, isCompressed }) => [data.length, isCompressed] as const,
  )
  const rows = encodeRows({ traces, blocks })
  const bodies = concat(builder.blocks.map(({ data }) => data))
  return { traceIds, spanCount, sizeBytes: rows.length + bodies.length, parts: [rows, bodies] }
}

// Batches of one span are encoded on the main thread, where compression would be half of the work.
function encodeSingleSpan(span: Span, bodyText: string): EncodedBatch {
  const body = new TextEncoder().encode(bodyText)
  const row = toEncodedRow(span, { block: 0, offset: 0, bytes: body.length })
  const rows = encodeRows({ traces: [[row]], blocks: [[body.length, false]] })
  const sizeBytes = rows.length + body.length
  return { traceIds: [span.traceId], spanCount: 1, sizeBytes, parts: [rows, body] }
}

/** Of two spans with one id in one trace the later one wins. */
function spansByTrace(spans: readonly Span[]): Map<string, Map<string, Span>> {
  const traces = new Map<string, Map<string, Span>>()
  for (const span of spans) {
    let trace = traces.get(span.traceId)
    if (trace === undefined) {
      trace = new Map()
      traces.set(span.traceId, trace)
    }
    trace.set(span.spanId, span)
  }
  return traces
}

function concat(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
