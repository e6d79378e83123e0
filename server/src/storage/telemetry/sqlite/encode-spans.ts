import type { Span } from '../../../domain/span.ts'
import type { EncodedBatch } from '../port/ingest.ts'
import { encodeRows } from './batch-rows.ts'
import { buildBlocks } from './blocks.ts'
import { serializeBody } from './body-text.ts'
import { toEncodedRow } from './span-columns.ts'

/** Up to this length the writer compresses the body of a batch of one span. */
const deferredCompressionMax = 4 * 1024

/** So many spans are stored in about ten milliseconds. */
const spansPerPart = 500

/**
 * Groups spans by trace, compresses their bodies and encodes their rows. Needs no database. Of a large batch, each
 * part can be stored alone: `parts` has the rows and the bodies of the first, then of the second and so on.
 */
export function encodeSpansForSqlite(spans: readonly Span[]): EncodedBatch {
  const [only] = spans
  if (only !== undefined && spans.length === 1) {
    const text = serializeBody(only.body)
    if (text.length <= deferredCompressionMax) return encodeSingleSpan(only, text)
  }
  const traces = spansByTrace(spans)
  const parts = splitSpans(traces).flatMap(encodePart)
  return {
    traceIds: [...traces.keys()],
    spanCount: sum(traces.values(), ({ size }) => size),
    sizeBytes: sum(parts, ({ length }) => length),
    parts,
  }
}

type SpansOfTrace = readonly [traceId: string, spans: readonly Span[]]

function splitSpans(traces: ReadonlyMap<string, ReadonlyMap<string, Span>>): SpansOfTrace[][] {
  let part: SpansOfTrace[] = []
  let room = spansPerPart
  const parts = [part]
  for (const [traceId, ofTrace] of traces) {
    const spans = [...ofTrace.values()]
    for (let at = 0; at < spans.length; ) {
      if (room === 0) {
        part = []
        room = spansPerPart
        parts.push(part)
      }
      const some = spans.slice(at, at + room)
      part.push([traceId, some])
      at += some.length
      room -= some.length
    }
  }
  return parts
}

function encodePart(traces: readonly SpansOfTrace[]): Uint8Array<ArrayBuffer>[] {
  const builder = buildBlocks()
  const rows = traces.map(([, spans]) => {
    const ofTrace = spans.map((span) => toEncodedRow(span, builder.add(serializeBody(span.body))))
    // A block has bodies of one trace, so that it can be deleted with them.
    builder.endBlock()
    return ofTrace
  })
  const blocks = builder.blocks.map(
    ({ data, isCompressed }) => [data.length, isCompressed] as const,
  )
  const traceIds = traces.map(([traceId]) => traceId)
  return [
    encodeRows({ traceIds, traces: rows, blocks }),
    concat(builder.blocks.map(({ data }) => data)),
  ]
}

// Batches of one span are encoded on the main thread, where compression would be half of the work.
function encodeSingleSpan(span: Span, bodyText: string): EncodedBatch {
  const body = new TextEncoder().encode(bodyText)
  const row = toEncodedRow(span, { block: 0, offset: 0, bytes: body.length })
  const traceIds = [span.traceId]
  const rows = encodeRows({ traceIds, traces: [[row]], blocks: [[body.length, false]] })
  const sizeBytes = rows.length + body.length
  return { traceIds, spanCount: 1, sizeBytes, parts: [rows, body] }
}

function sum<Item>(items: Iterable<Item>, toNumber: (item: Item) => number): number {
  let total = 0
  for (const item of items) total += toNumber(item)
  return total
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
