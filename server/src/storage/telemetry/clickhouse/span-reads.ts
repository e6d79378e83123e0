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
import { anyContents, contentsOfSpans, sizesOfContents } from './statements/logs.ts'
import { bodiesOfSpans, oneSpan, pageOfSpans, spansWithInput } from './statements/spans.ts'
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
      const trace: TraceKey = [key[0], key[1]]
      const [head, contentSizes] = await Promise.all([
        rows.head(key, options),
        rows.contentSizes(trace, [key[2]], options),
      ])
      if (head === undefined) return undefined
      onSize(withBodies(contentSizes)(head))
      const bodies = await rows.bodies(trace, [head.spanId], options)
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
  const [heads, isFilled] = await Promise.all([
    rows.heads(key, query, found.marks, options),
    query.bodies && rows.hasContents(key, options),
  ])
  const contentSizes = isFilled ? await rows.contentSizes(key, idsOf(heads), options) : noSizes
  const sizeOf = query.bodies ? withBodies(contentSizes) : sizeOfHead
  const fitting = heads.slice(0, countFitting(heads, query.limit, sizeOf))
  onSize(fitting.reduce((sum, head) => sum + sizeOf(head), 0))
  const bodies = query.bodies ? await rows.bodies(key, idsOf(fitting), options) : undefined
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
  const [heads, isFilled] = await Promise.all([
    rows.heads(key, query, noMarks, options),
    rows.hasContents(key, options),
  ])
  const contentSizes = isFilled
    ? await rows.contentSizes(key, idsOf(heads.filter(isToolCall)), options)
    : noSizes
  const sizeWithBody = withBodies(contentSizes)
  const sizeOf = (head: ReadHead) => (isToolCall(head) ? sizeWithBody(head) : sizeOfHead(head))
  const fitting = heads.slice(0, countFitting(heads, query.limit, sizeOf))
  const calls = fitting.filter(isToolCall)
  const modelCalls = fitting.filter(({ kind }) => kind === 'llm')
  const bodies = await rows.bodies(key, idsOf(calls), options)
  return {
    json: toBytes(calls.map((head) => serializeToolCall(head, bodyOf(bodies, head)))),
    count: calls.length,
    modelCallId: await findLastWithInput(rows, key, idsOf(modelCalls), options),
    firstSpanId: fitting[0]?.spanId,
    next: fitting.length < heads.length ? lastPosition(fitting) : undefined,
  }
}

/** Of the first statement; each further one has four times as many. */
const firstCallsAtOnce = 20

/** Backwards, because hardly any model call has no input, and inputs are long. */
async function findLastWithInput(
  rows: Rows,
  key: TraceKey,
  spanIds: readonly string[],
  options: StatementOptions,
): Promise<string | undefined> {
  let count = firstCallsAtOnce
  for (let end = spanIds.length; end > 0; end -= count, count *= 4) {
    const some = spanIds.slice(Math.max(0, end - count), end)
    const found = await rows.withInput(key, some, options)
    const last = some.findLast((id) => found.has(id))
    if (last !== undefined) return last
  }
  return undefined
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
  return { trace: findTrace, heads: readHeads, head: readHead, ...openBodies(connection) }
}

/** Bodies of spans, with what log records have for them. */
function openBodies(connection: Connection) {
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
  const hasContents = async ([project, trace]: TraceKey, options: StatementOptions) =>
    (await connection.rows(anyContents, { project, trace }, options)).length > 0
  const readContentSizes = async (
    [projectId, traceId]: TraceKey,
    spanIds: readonly string[],
    options: StatementOptions,
  ): Promise<ContentSizes> => {
    const sizes = new Map<string, number>()
    for (const spans of splitForParameter(spanIds, (id) => id)) {
      const parameters = { project: projectId, trace: traceId, spans }
      for (const [spanId, size] of await connection.rows(sizesOfContents, parameters, options))
        sizes.set(String(spanId), Number(size))
    }
    return sizes
  }
  const findWithInput = async (
    [projectId, traceId]: TraceKey,
    spanIds: readonly string[],
    options: StatementOptions,
  ): Promise<ReadonlySet<string>> => {
    const found = new Set<string>()
    for (const spans of splitForParameter(spanIds, (id) => id)) {
      const parameters = { project: projectId, trace: traceId, spans }
      for (const [spanId] of await connection.rows(spansWithInput, parameters, options))
        found.add(String(spanId))
    }
    return found
  }
  return {
    ...{ bodies: readBodies, hasContents, contentSizes: readContentSizes },
    withInput: findWithInput,
  }
}

/** How much log records have for spans, by span id. */
type ContentSizes = ReadonlyMap<string, number>

const noSizes: ContentSizes = new Map()
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

/** What log records have counts for a span with contents of its own, too: it is read as well. */
function withBodies(contentSizes: ContentSizes): (head: ReadHead) => number {
  return (head) => sizeOfHead(head) + head.bodySize + (contentSizes.get(head.spanId) ?? 0)
}

function idsOf(heads: readonly ReadHead[]): readonly string[] {
  return heads.map(({ spanId }) => spanId)
}

function lastPosition(spans: readonly ReadHead[]) {
  const last = spans.at(-1)
  return last && encodeTime({ at: last.startedAt, id: last.spanId })
}

function toBytes(texts: readonly string[]): JsonBytes {
  return new TextEncoder().encode(`[${texts.join(',')}]`)
}
