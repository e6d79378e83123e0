import type { Instant } from '../../domain/instant.ts'
import type {
  Mode,
  Source,
  Span,
  SpanBody,
  SpanHead,
  SpanStatus,
  Trace,
  TraceLabels,
} from '../../domain/span.ts'

/*
 * The telemetry store: the one port through which spans are kept and read. Two engines stand behind it
 * (SQLite in the process, ClickHouse at scale) and one suite, store.suite.ts, holds both to this page.
 *
 * Tenancy. Every operation takes the project first. Nothing of another project is ever read, counted,
 * replaced or told of, whatever ids are passed: trace and span ids are unique within a project only.
 *
 * Recorded means durable and visible: when `record` has resolved, the spans survive the death of the process
 * and of the machine, and the next read, by anyone, sees them and a trace that agrees with them. A batch is
 * kept whole or not at all. When `record` rejects, nothing of the batch is visible now or later, with one
 * exception: if the process or the engine dies before it answers, the batch may turn out to have been kept.
 *
 * Identity. A span is (project, trace id, span id). Recording it again replaces it; of two with one id in a
 * batch the later wins. A trace is a pure function of its stored spans and of the labels of the newest batch
 * that carried any (domain/trace-totals.ts): resending, reordering, splitting and repeating batches all end
 * in the same trace.
 *
 * Receipts. A batch with a receipt key is kept at most once per project and key. A repeated key resolves to
 * the first outcome, its `note` included, with `repeated` set, whatever the batch now holds; two at the same
 * time keep one. The receipt is written with the spans and is remembered for at least 30 days; a rejected
 * batch leaves none.
 *
 * Order. Traces come newest first by (startedAt, traceId), both descending; spans oldest first by
 * (startedAt, spanId). Positions name the last item seen, not a count, so that paging neither skips nor
 * repeats what was there all along, whatever is stored meanwhile. Ids compare by their UTF-8 bytes.
 *
 * Missing. Reading a trace or span that is not there gives undefined; lists give an empty page.
 *
 * Ownership. What `record` is passed belongs to the store from then on: its buffers may be detached. It
 * is not passed twice. What reads return belongs to the caller.
 *
 * Load. `record` accepts what comes until the bytes waiting exceed a fixed budget, then rejects at once with
 * `Unavailable`; it never queues without bound. A full disk, a locked file or an engine that is down reject
 * with `Unavailable` too, and reads go on where they can. Reads run beside the writer and never wait for it.
 */
export interface TelemetryStore {
  /**
   * Turns spans into the engine's own rows. Pure, costly (it compresses) and needing nothing of the store,
   * so it may run on any thread: `packerFor` in engines.ts gives the same function to a worker.
   */
  pack(spans: readonly Span[]): PackedSpans

  record(recording: Recording): Promise<Recorded>

  findTrace(projectId: string, traceId: string): Promise<Trace | undefined>

  /** At most `limit` traces after `after`; `total` counts all traces of the project and is null while a filter is set. */
  listTraces(projectId: string, query: TraceQuery): Promise<TracePage>

  /** Traces by id, in any order; those not there are left out. At most 500 ids. */
  findTraces(projectId: string, traceIds: readonly string[]): Promise<readonly Trace[]>

  /**
   * The trace and its first spans after `after`, both as of one moment. `limit` of them at most, and fewer
   * where their bodies come to more than 64 MiB: only `next` tells whether there are more.
   */
  listSpans(projectId: string, traceId: string, query: SpanQuery): Promise<SpanPage | undefined>

  findSpan(projectId: string, traceId: string, spanId: string): Promise<StoredSpan | undefined>

  /**
   * Calls `listener` after batches of this process have been recorded, once for each project in the group that
   * was recorded together. What it throws is logged. Returns the end of it.
   */
  onRecorded(listener: (change: RecordedChange) => void): () => void

  /** Waits for what is under way and lets go of the files. Calls after it reject. */
  close(): Promise<void>
}

/** How an engine turns spans into its rows. */
export type Pack = (spans: readonly Span[]) => PackedSpans

/** Rows of one engine, opaque to everyone else; can be posted to another thread with `transfers`. */
export interface PackedSpans {
  readonly traceIds: readonly string[]
  readonly spanCount: number
  /** Roughly what it occupies, for the budget of waiting bytes. */
  readonly sizeBytes: number
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
}

export interface Recording {
  readonly projectId: string
  readonly source: Source
  readonly spans: PackedSpans
  /** For a batch of one trace that speaks of the whole trace. */
  readonly labels?: TraceLabels
  readonly receipt?: Receipt
}

export interface Receipt {
  readonly key: string
  /** Kept with the receipt and given back: what the answer needs beyond the trace. */
  readonly note: string
}

export interface Recorded {
  /** The traces touched, as they now are. */
  readonly traces: readonly RecordedTrace[]
  readonly repeated: boolean
  /** `receipt.note` of the batch that was kept; empty without a receipt. */
  readonly note: string
}

export interface RecordedTrace {
  readonly traceId: string
  readonly spanCount: number
  readonly status: SpanStatus
}

export interface RecordedChange {
  readonly projectId: string
  readonly traceIds: readonly string[]
}

export interface TraceQuery {
  readonly limit: number
  readonly after?: TracePosition
  readonly filters: TraceFilters
}

export interface TracePosition {
  readonly startedAt: Instant
  readonly traceId: string
}

/** Each may be left out; all that are given must hold. */
export interface TraceFilters {
  readonly status?: SpanStatus
  readonly mode?: Mode
  readonly environment?: string
  readonly source?: Source
  /**
   * Part of the root name or of the name of one of its spans, any case (Unicode's simple folding where the
   * engine has it, ASCII's at least). Of a trace with more than 200 names, 200 are looked at.
   */
  readonly name?: string
  /** All of these. */
  readonly tags?: readonly string[]
  /** One of its spans names this model. */
  readonly model?: string
  /** One of its spans is of this kind. */
  readonly kind?: string
  /** A trace whose cost is unknown has none of any size. */
  readonly minCostUsd?: number
  readonly minDurationMs?: number
  /** In and out together. */
  readonly minTokens?: number
  readonly service?: string
  readonly sessionId?: string
  readonly userId?: string
  /** Started at this instant or later. */
  readonly from?: Instant
  /** Started before this instant. */
  readonly to?: Instant
}

export interface TracePage {
  readonly traces: readonly Trace[]
  /** Where the next page goes on; undefined on the last. */
  readonly next: TracePosition | undefined
  readonly total: number | null
}

export interface SpanQuery {
  readonly limit: number
  readonly after?: SpanPosition
  readonly bodies: boolean
}

export interface SpanPosition {
  readonly startedAt: Instant
  readonly spanId: string
}

export interface StoredSpan extends SpanHead {
  /** Absent where bodies were not asked for. */
  readonly body?: SpanBody
}

export interface SpanPage {
  readonly trace: Trace
  readonly spans: readonly StoredSpan[]
  readonly next: SpanPosition | undefined
}
