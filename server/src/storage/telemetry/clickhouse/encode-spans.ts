import type { Span } from '../../../domain/span.ts'
import { type TermSink, tokenizeBytes } from '../byte-words.ts'
import type { EncodedBatch } from '../port/ingest.ts'
import { toLine } from './lines.ts'
import { encodedColumns } from './span-columns.ts'

/*
 * Spans as rows of ClickHouse: one line of JSON each, without the columns of their batch, which are put before it when it
 * is stored. Needs no connection, so that any thread may do it.
 */

/** Of one span, so that a row stays well below what a server accepts. */
const wordsMax = 50_000

export function encodeSpansForClickHouse(spans: readonly Span[]): EncodedBatch {
  // Of two spans with one id in one trace the later one counts.
  const distinct = new Map(spans.map((span) => [JSON.stringify([span.traceId, span.spanId]), span]))
  const lines = new TextEncoder().encode([...distinct.values()].map(toRowEnd).join(''))
  return {
    traceIds: [...new Set(spans.map(({ traceId }) => traceId))],
    spanCount: distinct.size,
    sizeBytes: lines.length,
    parts: [lines],
  }
}

function toRowEnd(span: Span): string {
  const { body, ...head } = span
  const { input, output, attributes, events, links, resource, scope } = body
  const bodySize = [input, output, attributes, events, links, resource, scope].reduce(
    (sum, { length }) => sum + length,
    0,
  )
  const row = encodedColumns.toRow({ ...head, ...body, words: wordsOf(span), bodySize })
  return toLine(row)
}

/** Each word once. Input and output are JSON, whose escapes are decoded. */
function wordsOf({ name, statusMessage, body }: Span): readonly string[] {
  const words = new Set<string>()
  const sink: TermSink = {
    take(_hash, bytes, start, end) {
      if (words.size < wordsMax) words.add(utf8.decode(bytes.subarray(start, end)).toLowerCase())
    },
  }
  const add = (text: string, isJson: boolean) => {
    const bytes = Buffer.from(text)
    tokenizeBytes(bytes, 0, bytes.length, isJson, sink)
  }
  add(statusMessage === null ? name : `${name}\n${statusMessage}`, false)
  add(body.input, true)
  add(body.output, true)
  return [...words]
}

const utf8 = new TextDecoder()

/** Of an encoded line. Parses all of it, so that it is for the rare batch that may exceed the limit of its trace. */
export function identityOfLine(line: Uint8Array): readonly [traceId: string, spanId: string] {
  const [traceId, spanId] = JSON.parse(`[${Buffer.from(line).toString()}`) as [string, string]
  return [traceId, spanId]
}
