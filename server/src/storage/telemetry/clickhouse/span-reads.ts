import type { JsonText } from '../../../domain/json-text.ts'
import { serializeSpan, serializeToolCall } from '../../../domain/serialize-span.ts'
import type { SpanBody, SpanHead, Trace } from '../../../domain/span.ts'
import { filledBody } from '../../../domain/span-content.ts'
import { countFitting } from '../page-bytes.ts'
import type {
  JsonBytes,
  SpanJsonPage,
  SpanQuery,
  StoredSpan,
  ToolCallPage,
} from '../port/traces.ts'
import { encodeTime, firstInstant, type TimePosition } from '../positions.ts'
import type { Connection, StatementOptions } from './connection.ts'
import { splitForParameter, type TraceKey } from './parameter-lists.ts'
import { contentColumns } from './signal-columns.ts'
import { bodyColumns, headColumns } from './span-columns.ts'
import { contentsOfSpans } from './statements/logs.ts'
import { bodiesOfSpans, oneSpan, pageOfSpans } from './statements/spans.ts'
import { oneTrace, oneTraceWithMarks } from './statements/traces.ts'
import { markedCallColumns, readTraceColumns, toTrace } from './trace-columns.ts'

/*
 * Reads of one trace with its spans. Bodies are read apart from the spans, for those that fit in a page.
 */

export interface SpanReads {
  trace(projectId: string, traceId: string, options: StatementOptions): Promise<Trace | undefined>
  span(key: SpanKey, options: StatementOptions): Promise<StoredSpan | undefined>
  /** `onSize` is called with about the size of the page before its bodies are read. */
  page(
    projectId: string,
    traceId: string,
    query: PageQuery,
    options: StatementOptions,
    onSize: (bytes: number) => void,
  ): Promise<SpanJsonPage | undefined>
  /** As `span`, in JSON. */
  spanJson(
    key: SpanKey,
    options: StatementOptions,
    onSize: (bytes: number) => void,
  ): Promise<JsonBytes | undefined>
  toolCalls(
    projectId: string,
    traceId: string,
    query: Omit<PageQuery, 'bodies'>,
    options: StatementOptions,
  ): Promise<ToolCallPage>
}

export type SpanKey = readonly [projectId: string, traceId: string, spanId: string]
type PageQuery = Omit<SpanQuery, 'after'> & { readonly after?: TimePosition }

type ReadHead = SpanHead & { readonly bodySize: number }

/** What was found out about the calls of a trace when it was computed. */
interface MarkedCalls {
  readonly repeats: ReadonlyMap<string, string>
  readonly separate: ReadonlySet<string>
}

export function openSpanReads(connection: Connection): SpanReads {
  const rows = openRows(connection)
  return {
    async trace(projectId, traceId, options) {
      const parameters = { project: projectId, trace: traceId }
      const [row] = await connection.rows(oneTrace, parameters, options)
      return row && toTrace(projectId, row)
    },

    async span(key, options) {
      const head = await rows.head(key, options)
      const bodies = head && (await rows.bodies([key[0], key[1]], [head.spanId], options))
      const body = bodies?.get(key[2])
      if (head === undefined || body === undefined) return undefined
      const { bodySize: _, ...rest } = head
      return { ...rest, body }
    },

    async spanJson(key, options, onSize) {
      const head = await rows.head(key, options)
      if (head === undefined) return undefined
      onSize(sizeWithBody(head))
      const bodies = await rows.bodies([key[0], key[1]], [head.spanId], options)
      return new TextEncoder().encode(serializeSpan(head, bodyOf(bodies, head)))
    },

    page: (projectId, traceId, query, options, onSize) =>
      readPage(rows, [projectId, traceId], query, options, onSize),
    toolCalls: (projectId, traceId, query, options) =>
      readToolCalls(rows, [projectId, traceId], query, options),
  }
}

type Rows = ReturnType<typeof openRows>

async function readPage(
  rows: Rows,
  key: TraceKey,
  query: PageQuery,
  options: StatementOptions,
  onSize: (bytes: number) => void,
): Promise<SpanJsonPage | undefined> {
  const found = await rows.trace(key, options)
  if (found === undefined) return undefined
  const heads = await rows.heads(key, query, found.marks, options)
  const sizeOf = query.bodies ? sizeWithBody : sizeOfHead
  const fitting = heads.slice(0, countFitting(heads, query.limit, sizeOf))
  onSize(fitting.reduce((sum, head) => sum + sizeOf(head), 0))
  const ids = fitting.map(({ spanId }) => spanId)
  const bodies = query.bodies ? await rows.bodies(key, ids, options) : undefined
  return {
    trace: found.trace,
    json: toBytes(fitting.map((head) => serializeSpan(head, bodies && bodyOf(bodies, head)))),
    count: fitting.length,
    next: fitting.length < heads.length ? lastPosition(fitting) : undefined,
  }
}

async function readToolCalls(
  rows: Rows,
  key: TraceKey,
  query: Omit<PageQuery, 'bodies'>,
  options: StatementOptions,
): Promise<ToolCallPage> {
  const heads = await rows.heads(key, query, noMarks, options)
  const sizeOf = (head: ReadHead) => (isToolCall(head) ? sizeWithBody(head) : sizeOfHead(head))
  const fitting = heads.slice(0, countFitting(heads, query.limit, sizeOf))
  const calls = fitting.filter(isToolCall)
  const modelCalls = fitting.filter(({ kind }) => kind === 'llm')
  const requested = [...calls, ...modelCalls].map(({ spanId }) => spanId)
  const bodies = await rows.bodies(key, requested, options)
  const hasInput = (head: ReadHead) => bodyOf(bodies, head).input !== 'null'
  return {
    json: toBytes(calls.map((head) => serializeToolCall(head, bodyOf(bodies, head)))),
    count: calls.length,
    modelCallId: modelCalls.findLast(hasInput)?.spanId,
    firstSpanId: fitting[0]?.spanId,
    next: fitting.length < heads.length ? lastPosition(fitting) : undefined,
  }
}

function openRows(connection: Connection) {
  const findTrace = async ([projectId, traceId]: TraceKey, options: StatementOptions) => {
    const parameters = { project: projectId, trace: traceId }
    const [row] = await connection.rows(oneTraceWithMarks, parameters, options)
    if (row === undefined) return undefined
    const { repeatedCalls, separateCalls } = markedCallColumns.fromRow(row.slice(traceColumnCount))
    const marks = { repeats: new Map(repeatedCalls), separate: new Set(separateCalls) }
    return { trace: toTrace(projectId, row.slice(0, traceColumnCount)), marks }
  }
  const readHeads = async (
    [projectId, traceId]: TraceKey,
    { limit, after }: Pick<PageQuery, 'limit' | 'after'>,
    marks: MarkedCalls,
    options: StatementOptions,
  ): Promise<readonly ReadHead[]> => {
    const position = { afterAt: after?.at ?? firstInstant, afterId: after?.id ?? '' }
    const parameters = { project: projectId, trace: traceId, ...position, limit: limit + 1 }
    const rows = await connection.rows(pageOfSpans, parameters, options)
    return rows.map((row) => withMarks(headColumns.fromRow(row), marks))
  }
  const readHead = async (
    [projectId, traceId, spanId]: SpanKey,
    options: StatementOptions,
  ): Promise<ReadHead | undefined> => {
    const parameters = { project: projectId, trace: traceId, span: spanId }
    const [found, [row]] = await Promise.all([
      findTrace([projectId, traceId], options),
      connection.rows(oneSpan, parameters, options),
    ])
    return row && withMarks(headColumns.fromRow(row), found?.marks ?? noMarks)
  }
  const readBodies = async (
    [projectId, traceId]: TraceKey,
    spanIds: readonly string[],
    options: StatementOptions,
  ): Promise<ReadonlyMap<string, SpanBody>> => {
    const bodies = new Map<string, SpanBody>()
    for (const spans of splitForParameter(spanIds, (id) => id)) {
      const parameters = { project: projectId, trace: traceId, spans }
      const [rows, contents] = await Promise.all([
        connection.rows(bodiesOfSpans, parameters, options),
        connection.rows(contentsOfSpans, parameters, options),
      ])
      const bySpan = Map.groupBy(contents.map(contentColumns.fromRow), ({ spanId }) => spanId)
      for (const row of rows) {
        const { spanId, ...body } = bodyColumns.fromRow(row)
        bodies.set(spanId, filledBody(body, bySpan.get(spanId) ?? []))
      }
    }
    return bodies
  }
  return { trace: findTrace, heads: readHeads, head: readHead, bodies: readBodies }
}

const traceColumnCount = readTraceColumns.count
const noMarks: MarkedCalls = { repeats: new Map(), separate: new Set() }

function withMarks(
  head: ReturnType<typeof headColumns.fromRow>,
  { repeats, separate }: MarkedCalls,
): ReadHead {
  const { spanId } = head
  return {
    ...head,
    repeatsSpanId: repeats.get(spanId) ?? null,
    isSeparateCall: separate.has(spanId),
  }
}

/** A span that was removed while it was read has none. */
function bodyOf(bodies: ReadonlyMap<string, SpanBody>, { spanId }: ReadHead): SpanBody {
  return bodies.get(spanId) ?? noBody
}

const noBody: SpanBody = {
  input: 'null' as JsonText,
  output: 'null' as JsonText,
  attributes: '{}' as JsonText,
  events: '[]' as JsonText,
  links: '[]' as JsonText,
  resource: '{}' as JsonText,
  scope: '{}' as JsonText,
}

function isToolCall({ kind }: ReadHead): boolean {
  return kind === 'tool' || kind === 'mcp'
}

function sizeOfHead(head: ReadHead): number {
  return Object.values(head).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  )
}

function sizeWithBody(head: ReadHead): number {
  return sizeOfHead(head) + head.bodySize
}

function lastPosition(spans: readonly ReadHead[]) {
  const last = spans.at(-1)
  return last && encodeTime({ at: last.startedAt, id: last.spanId })
}

function toBytes(texts: readonly string[]): JsonBytes {
  return new TextEncoder().encode(`[${texts.join(',')}]`)
}
