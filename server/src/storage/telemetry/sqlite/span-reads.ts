import type { DatabaseSync } from 'node:sqlite'
import { limits as apiLimits } from '@assay/contract/limits.ts'
import { serializeSpan, serializeToolCall } from '../../../domain/serialize-span.ts'
import { countFitting, textSize } from '../page-bytes.ts'
import type { SpanQuery, ToolCallPage } from '../port/traces.ts'
import { type At, firstInstant, type TimePosition } from '../positions.ts'
import { inflate } from './blocks.ts'
import { parseBody } from './body-text.ts'
import { prepareRows, readRows } from './database.ts'
import type { ReadLimits } from './read-limits.ts'
import {
  readBodyLocation,
  readSpanId,
  readSpanKind,
  type SpanRow,
  toSpanHead,
} from './span-columns.ts'
import { openSpanContent } from './span-contents.ts'
import { readBlock } from './statements/blocks.ts'
import { oneSpan, pageOfSpans } from './statements/spans.ts'
import { readTrace } from './statements/traces.ts'
import type { TraceRow } from './trace-columns.ts'

/*
 * Reads of traces with their spans.
 */

export interface SpanReads {
  trace(projectId: string, traceId: string): TraceRow | undefined
  span(projectId: string, traceId: string, spanId: string): SpanWithBody | undefined
  /** A list in UTF-8, unless it is larger than `maxBytes`. */
  spansJson(
    projectId: string,
    traceId: string,
    query: PageQuery,
    maxBytes: number,
  ): SpanJsonPage | LargeResult | undefined
  spanJson(
    projectId: string,
    traceId: string,
    spanId: string,
    maxBytes: number,
  ): JsonBytes | LargeResult | undefined
  toolCalls(projectId: string, traceId: string, query: Omit<PageQuery, 'bodies'>): ToolCallRows
}

type PageQuery = At<TimePosition, SpanQuery>

/** `json` is transferred between threads, not copied. */
export interface JsonBytes {
  readonly json: Uint8Array<ArrayBuffer>
}

/** About the size of a result that was not read because it is too large. */
export interface LargeResult {
  readonly largeBytes: number
}

export interface SpanWithBody {
  readonly row: SpanRow
  readonly body: string
}

interface SpanRowPage {
  readonly trace: TraceRow
  readonly spans: readonly SpanRow[]
  /** One per span, if bodies were requested. */
  readonly bodies: readonly string[] | null
  readonly next: TimePosition | undefined
}

export interface SpanJsonPage extends JsonBytes {
  readonly trace: TraceRow
  readonly count: number
  readonly next: TimePosition | undefined
}

/** As in the port. */
export interface ToolCallRows extends JsonBytes, Pick<ToolCallPage, 'modelCallId' | 'firstSpanId'> {
  readonly count: number
  readonly next: TimePosition | undefined
}

export function openSpanReads(
  db: DatabaseSync,
  limits: ReadLimits,
  inSnapshot: <T>(read: () => T) => T,
): SpanReads {
  const rows = openRows(db, limits)
  return {
    trace: rows.trace,
    span: (projectId, traceId, spanId) =>
      inSnapshot(() => {
        const row = rows.span(projectId, traceId, spanId)
        return row && { row, body: rows.bodies(projectId, traceId, [row])[0]! }
      }),
    spansJson: (...args) => {
      const found = inSnapshot(() => readPage(rows, ...args))
      if (found === undefined || 'largeBytes' in found) return found
      const { trace, spans, bodies, next } = found
      const texts = spans.map((each, index) => toJson(each, bodies?.[index]))
      return { trace, json: toBytes(`[${texts.join(',')}]`), count: spans.length, next }
    },
    spanJson: (projectId, traceId, spanId, maxBytes) =>
      inSnapshot(() => {
        const row = rows.span(projectId, traceId, spanId)
        if (row === undefined) return undefined
        const largeBytes = sizeWithBody(row)
        if (largeBytes > maxBytes) return { largeBytes }
        return { json: toBytes(toJson(row, rows.bodies(projectId, traceId, [row])[0])) }
      }),
    toolCalls: (projectId, traceId, query) =>
      inSnapshot(() => {
        const read = (spans: readonly SpanRow[]) => rows.bodies(projectId, traceId, spans)
        return toToolCalls(rows.spans(projectId, traceId, query), query.limit, read)
      }),
  }
}

type Rows = ReturnType<typeof openRows>

function openRows(db: DatabaseSync, limits: ReadLimits) {
  const statements = {
    trace: prepareRows(db, readTrace),
    spans: prepareRows(db, pageOfSpans),
    span: prepareRows(db, oneSpan),
  }
  const readBodies = openBodies(db, limits)
  const fill = openSpanContent(db)
  return {
    trace: (projectId: string, traceId: string) =>
      statements.trace.get({ projectId, traceId }) as unknown as TraceRow | undefined,
    span: (projectId: string, traceId: string, spanId: string) =>
      statements.span.get({ projectId, traceId, spanId }) as unknown as SpanRow | undefined,
    /** One more than the limit, if there are more. */
    spans(projectId: string, traceId: string, { limit, after }: Omit<PageQuery, 'bodies'>) {
      const position = { afterStart: after?.at ?? firstInstant, afterId: after?.id ?? '' }
      const bindings = { projectId, traceId, ...position, limit: limit + 1 }
      return readRows<SpanRow>(statements.spans, bindings)
    },
    /** Of the first of these spans, as many as fit in a page. */
    bodies: (projectId: string, traceId: string, spans: readonly SpanRow[]) =>
      fill({ projectId, traceId }, spans, readBodies(spans), pageBytes),
  }
}

function readPage(
  rows: Rows,
  projectId: string,
  traceId: string,
  query: PageQuery,
  maxBytes: number,
): SpanRowPage | LargeResult | undefined {
  const trace = rows.trace(projectId, traceId)
  if (trace === undefined) return undefined
  const found = rows.spans(projectId, traceId, query)
  const sizeOf = query.bodies ? sizeWithBody : textSize
  const fitting = found.slice(0, countFitting(found, query.limit, sizeOf))
  const largeBytes = fitting.reduce((sum, each) => sum + sizeOf(each), 0)
  if (largeBytes > maxBytes) return { largeBytes }
  const bodies = query.bodies ? rows.bodies(projectId, traceId, fitting) : null
  const spans = fitting.slice(0, bodies?.length)
  const hasMore = spans.length < found.length
  return { trace, spans, bodies, next: hasMore ? lastPosition(spans) : undefined }
}

/** `read` returns bodies, fewer when they do not fit in a page. */
function toToolCalls(
  found: readonly SpanRow[],
  limit: number,
  read: (rows: readonly SpanRow[]) => readonly string[],
): ToolCallRows {
  const sizeOf = (row: SpanRow) => (isToolCall(row) ? sizeWithBody(row) : textSize(row))
  const fitting = found.slice(0, countFitting(found, limit, sizeOf))
  const calls = fitting.filter(isToolCall)
  const bodies = read(calls)
  const firstUnread = calls[bodies.length]
  const spans = firstUnread === undefined ? fitting : fitting.slice(0, fitting.indexOf(firstUnread))
  const texts = bodies.map((body, index) =>
    serializeToolCall(toSpanHead(calls[index]!), parseBody(body)),
  )
  const modelCall = spans.findLast(
    (row) => readSpanKind(row) === 'llm' && parseBody(read([row])[0]!).input !== 'null',
  )
  return {
    json: toBytes(`[${texts.join(',')}]`),
    count: texts.length,
    modelCallId: modelCall && readSpanId(modelCall),
    firstSpanId: spans[0] && readSpanId(spans[0]),
    next: spans.length < found.length ? lastPosition(spans) : undefined,
  }
}

function isToolCall(row: SpanRow): boolean {
  const kind = readSpanKind(row)
  return kind === 'tool' || kind === 'mcp'
}

const pageBytes = apiLimits.pageBytes.value

function sizeWithBody(row: SpanRow): number {
  return textSize(row) + readBodyLocation(row).bodyBytes
}

function lastPosition(spans: readonly SpanRow[]): TimePosition | undefined {
  const last = spans.at(-1)
  if (last === undefined) return undefined
  const { startedAt, spanId } = toSpanHead(last)
  return { at: startedAt, id: spanId }
}

function toJson(row: SpanRow, body: string | undefined): string {
  return serializeSpan(toSpanHead(row), body === undefined ? undefined : parseBody(body))
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  // Not a Buffer: those of short texts share memory, which cannot be transferred.
  return new TextEncoder().encode(text)
}

/** Bodies of spans that follow each other are often in the same block. */
const cachedBlocks = 16

/** Reads the bodies of spans, each block once if they are in order. */
function openBodies(
  db: DatabaseSync,
  { check }: ReadLimits,
): (spans: readonly SpanRow[]) => string[] {
  const select = prepareRows(db, readBlock)
  return (spans) => {
    const blocks = new Map<number, Buffer>()
    const block = (blockNo: number, leastBytes: number): Buffer => {
      const known = blocks.get(blockNo)
      if (known !== undefined) return known
      check()
      const row = select.get(blockNo) as unknown as readonly [number, Uint8Array] | undefined
      if (row === undefined) throw new Error(`The bodies in block ${blockNo} are missing.`)
      const [isCompressed, data] = row
      const raw = inflate({ data, isCompressed: isCompressed === 1 }, leastBytes)
      if (blocks.size === cachedBlocks) blocks.clear()
      blocks.set(blockNo, raw)
      return raw
    }
    return spans.map((row) => {
      const { blockNo, bodyOffset, bodyBytes } = readBodyLocation(row)
      const end = bodyOffset + bodyBytes
      return block(blockNo, end).toString('utf8', bodyOffset, end)
    })
  }
}
