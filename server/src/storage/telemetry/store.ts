import type { Instant } from '../../domain/instant.ts'
import type { LogRecord } from '../../domain/log-record.ts'
import type { Exemplar, Measurement, MetricKind, MetricSeries } from '../../domain/metric.ts'
import type { MetricStep, StepRange } from '../../domain/metric-steps.ts'
import type { RollupFilters } from '../../domain/rollup-dimensions.ts'
import type {
  Mode,
  PricedFacts,
  PricingFacts,
  Source,
  Span,
  SpanBody,
  SpanHead,
  SpanPrice,
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
 * Metrics and log records are recorded under the same promises, and a batch of either sent again changes
 * nothing. A series is all that tells it from others: project, name, kind, unit, temporality, whether it only
 * grows, resource, scope and attributes. A point is (series, time); recording it again replaces it. A log record
 * is all that it says; of two that say the same one is kept. What log records tell of the input and output of
 * their span fills the span's own where those are empty, whenever it is read with its bodies, and whichever of
 * the two came first.
 *
 * Prices. A span is recorded with the price that was made for it. `reprice` is the one thing that changes a span
 * after that, and never one whose cost its sender has reported. Doing it again changes nothing more.
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
  encode(spans: readonly Span[]): EncodedBatch

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
   * Figures of the traces that started from `from` on, up to before `to`, agreeing with the traces as they are now: a
   * span that was replaced counts as it is. Where buckets are an hour or longer, whole hours are counted. Quantiles of
   * latencies are right within five percent. By name, environment, model and tag the fifty that most was counted of;
   * of the tags, and of the models, of one trace twenty are looked at. Buckets shorter than an hour count the newest
   * `scanLimit` traces; filters, and tags, count the newest hours where traces are of very many sorts.
   */
  readStats(projectId: string, query: StatsQuery): Promise<Stats>

  /**
   * How many of the traces that `listTraces` lists for the filters started when, and how many of those are in error,
   * in buckets of one round width (domain/time-buckets.ts). The time from `from` to `to` is widened to whole buckets,
   * which are counted whole. Without `to` it ends now, without `from` it begins with the oldest trace that fits, and
   * without both it ends with the newest. What can be told without looking at traces is told whole; else the newest
   * are looked at, about `scanLimit` of them, more where that is cheap and fewer in a search: all that started at
   * `completeFrom` or later are counted, and of those before it none need be.
   */
  readHistogram(projectId: string, query: HistogramQuery): Promise<Histogram>

  /** Sessions or users, those seen last first; as exact as the figures. */
  listGroups(projectId: string, query: GroupQuery): Promise<GroupPage>

  /** Takes a trace away with all its spans and the log records that name it; false where it is not there. */
  removeTrace(projectId: string, traceId: string): Promise<boolean>

  /**
   * Moves a trace from another project into this one, with the log records that name it, whole or not at all. `exists` where this one has a trace
   * of that id, whatever the other has.
   */
  moveTrace(
    projectId: string,
    fromProjectId: string,
    traceId: string,
  ): Promise<'adopted' | 'not_found' | 'exists'>

  /**
   * Takes at most `limit` traces away that started before this instant, with the log records that name them, the
   * oldest first, and fewer where they are large; tells which. None means that none is left.
   */
  removeOldTraces(projectId: string, before: Instant, limit: number): Promise<readonly string[]>

  /**
   * Takes some of the metric points and log records away that are from before this instant, with what the records
   * told of their spans, and series that are left without points. Gives where it stopped, to be passed as `after` the
   * next time; undefined when nothing so old is left.
   */
  removeOldSignals(
    projectId: string,
    before: Instant,
    after?: SignalsPosition,
  ): Promise<SignalsPosition | undefined>

  /** How much of a project is stored. Counts are exact, bytes are estimated from samples. */
  readStorage(projectId: string): Promise<StorageUsed>

  /**
   * Takes some of all that a project has away, as much as others can wait for: traces, metrics, log records,
   * receipts. To be repeated until nothing is left and it gives `removed`. What is recorded afterwards is there.
   */
  removeProject(projectId: string): Promise<'more' | 'removed'>

  /**
   * Spans whose price is for us to say: those that name a model or count tokens and whose cost was not reported,
   * of the traces that started in the range, in the order of their traces' start. `limit` of them at most, and
   * fewer where traces hold few of them: only `next` tells whether there are more.
   */
  listPriceable(projectId: string, query: PriceableQuery): Promise<PriceablePage>

  /**
   * Gives spans other prices, and their traces what follows from them, all or nothing; tells how many. A span that
   * is not any more as it was when it was listed is left alone: it has been recorded anew, with its own price.
   */
  reprice(projectId: string, prices: readonly SpanRepricing[]): Promise<number>

  countTraces(projectId: string, range: TimeRange): Promise<number>

  /** The models of the newest traces in the range, at most `limit`, those with most unpriced spans first. */
  listModels(projectId: string, query: ModelQuery): Promise<ModelPage>

  /**
   * By how much the index that `search` reads is behind: for how long the oldest thing recorded that it does not
   * hold yet has been there. Under 2 seconds unless more comes in than can be indexed.
   */
  searchLagMs(): number

  encodeMetrics(measurements: readonly Measurement[]): EncodedSignals
  encodeLogs(records: readonly LogRecord[]): EncodedSignals

  recordMetrics(projectId: string, metrics: EncodedSignals): Promise<void>
  recordLogs(projectId: string, logs: EncodedSignals): Promise<void>

  /** In the order of name, kind and unit, by their bytes. */
  listMetrics(projectId: string, query: MetricQuery): Promise<MetricPage>

  /**
   * The series of one name that have points in the range, as steps. Undefined where the project has no such
   * metric; `too-many-points` where `maxPoints` do not suffice.
   */
  readSeries(
    projectId: string,
    name: string,
    query: SeriesQuery,
  ): Promise<SeriesResult | 'too-many-points' | undefined>

  /**
   * Newest first by (at, id), both descending. At most `limit` records, and fewer where they come to more than
   * 64 MiB or `scanLimit` were looked through: only `next` tells whether there are more.
   */
  listLogs(projectId: string, query: LogQuery): Promise<LogPage>

  /**
   * Calls `listener` after batches of this process have been recorded, once for each project in the group that
   * was recorded together; and after log records of which some tell the input or output of spans of stored
   * traces. What it throws is logged. Returns the end of it.
   */
  onRecorded(listener: (change: RecordedChange) => void): () => void

  /** Waits for what is under way and lets go of the files. Calls after it reject. */
  close(): Promise<void>
}

/** How an engine turns spans into its rows. */
export type Encode = (spans: readonly Span[]) => EncodedBatch

/** Rows of one engine, opaque to everyone else; can be posted to another thread with `transfers`. */
export interface EncodedBatch {
  readonly traceIds: readonly string[]
  readonly spanCount: number
  /** Roughly what it occupies, for the budget of waiting bytes. */
  readonly sizeBytes: number
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
}

/** Metrics or log records as rows of one engine, as `PackedSpans`. */
export interface EncodedSignals {
  /** Of spans whose input or output these log records tell. */
  readonly filledTraceIds: readonly string[]
  readonly sizeBytes: number
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
}

export interface Recording {
  readonly projectId: string
  readonly source: Source
  readonly spans: EncodedBatch
  /** For a batch of one trace that speaks of the whole trace. */
  readonly labels?: TraceLabels
  readonly idempotency?: IdempotencyRecord
}

export interface IdempotencyRecord {
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
   * Part of the root name or of the name of one of its spans, any case of any letter. Of a trace with more than 200 names, 200 are looked at.
   */
  readonly name?: string
  /**
   * Words, all of which occur in the name, status message, input or output of one span of it; a part of a text
   * whose script writes no spaces counts as a word. Case, width and marks on letters make no difference, and
   * `word*` stands for every word that begins so. Found through an index: see `searchLagMs`.
   */
  readonly search?: string
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

export interface HistogramQuery {
  readonly filters: TraceFilters
  /** How many buckets the time may be as long as. */
  readonly maxBuckets: number
  readonly scanLimit: number
  readonly now: Instant
}

export interface Histogram {
  readonly from: Instant
  readonly to: Instant
  readonly bucketNanos: bigint
  /** Those with traces, oldest first. */
  readonly buckets: readonly HistogramBucket[]
  readonly isComplete: boolean
  /** All that started since are counted. */
  readonly coverageStart: Instant
}

export interface HistogramBucket {
  readonly startedAt: Instant
  readonly count: number
  readonly errors: number
}

/** The engine's own. */
export type SignalsPosition = number

export interface StorageUsed {
  /** What is kept of traces besides their spans. */
  readonly traces: StoredSignal
  /** With their bodies; first and last by when their traces started. */
  readonly spans: StoredSignal
  readonly metricPoints: StoredSignal
  readonly logRecords: StoredSignal
  /** All files of the store, of every project. */
  readonly fileBytes: number
}

export interface StoredSignal {
  readonly count: number
  readonly bytes: number
  /** Null where there is none. */
  readonly oldestAt: Instant | null
  readonly newestAt: Instant | null
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

/** From an instant on, up to before another. */
export interface TimeRange {
  readonly from: Instant
  readonly to: Instant
}

export interface PriceableQuery {
  readonly range: TimeRange
  readonly limit: number
  readonly after?: PriceablePosition
}

export interface PriceablePosition {
  /** When its trace started. */
  readonly startedAt: Instant
  readonly traceId: string
  /** Null: the trace is done. */
  readonly spanId: string | null
}

export type PriceableSpan = PricedFacts &
  SpanPrice &
  Pick<SpanHead, 'spanId' | 'costUsd'> & { readonly traceId: string }

export interface PriceablePage {
  readonly spans: readonly PriceableSpan[]
  /** Traces that this page is done with. */
  readonly traceCount: number
  readonly next: PriceablePosition | undefined
}

export interface SpanRepricing {
  /** As it was listed. */
  readonly span: PriceableSpan
  readonly price: SpanPrice
}

export interface ModelQuery {
  readonly range: TimeRange
  /** Of these, the newest. */
  readonly traceLimit: number
  readonly limit: number
}

export interface ModelPage {
  readonly models: readonly UsedModel[]
  /** Traces that were looked at. */
  readonly traceCount: number
  /** Whether those are all in the range. */
  readonly isComplete: boolean
}

/** A model as spans name it, with whom and how it was served. */
export interface UsedModel extends Pick<PricingFacts, 'provider' | 'serviceTier'> {
  readonly model: string
  readonly spanCount: number
  /** Spans that have no cost, for a reason that is known. */
  readonly unpricedCount: number
  /** Of those that have one; null where none has. */
  readonly costUsd: number | null
  readonly lastStartedAt: Instant
  /** Spans whose cost was reported and is computed, too. */
  readonly comparedCount: number
  /** Of those; null where there are none. */
  readonly reportedUsd: number | null
  readonly computedUsd: number | null
}

export interface MetricQuery {
  readonly limit: number
  readonly after?: MetricPosition
}

export interface MetricPosition {
  readonly name: string
  readonly kind: MetricKind
  readonly unit: string
}

export interface MetricHead extends MetricPosition {
  readonly description: string
  readonly seriesCount: number
  readonly lastSeenAt: Instant
}

export interface MetricPage {
  readonly metrics: readonly MetricHead[]
  readonly next: MetricPosition | undefined
}

export interface SeriesQuery {
  readonly range: StepRange
  readonly service?: string
  /** All must hold: keys and values, numbers and booleans as they are written. */
  readonly attributes: readonly (readonly [key: string, value: string])[]
  readonly maxSeries: number
  readonly maxPoints: number
  /** Of each series, the newest. */
  readonly maxExemplars: number
}

export interface SeriesResult {
  /** In the order in which they were first recorded. */
  readonly series: readonly StoredSeries[]
  /** With those beyond `maxSeries`. */
  readonly total: number
}

export interface StoredSeries extends MetricSeries {
  readonly id: string
  readonly steps: readonly MetricStep[]
  readonly exemplars: readonly Exemplar[]
}

export interface LogQuery {
  readonly limit: number
  /** Of records that the filters make it look through. */
  readonly scanLimit: number
  readonly after?: LogPosition
  readonly filters: LogFilters
}

export interface LogPosition {
  readonly at: Instant
  readonly id: string
}

/** Each may be left out; all that are given must hold. */
export interface LogFilters {
  /** At least this. */
  readonly severity?: number
  readonly traceId?: string
  readonly spanId?: string
  readonly service?: string
  readonly eventName?: string
  /** Each is part of the body, the attributes or the event name, any case of ASCII at least. */
  readonly words?: readonly string[]
  /** At this instant or later. */
  readonly from?: Instant
  /** Before this instant. */
  readonly to?: Instant
}

export interface LogPage {
  readonly logs: readonly StoredLog[]
  readonly next: LogPosition | undefined
}

export interface StoredLog extends Omit<LogRecord, 'content'> {
  readonly id: string
}

export interface StatsQuery {
  readonly from: Instant
  readonly to: Instant
  /** An hour, or some, or a part of one. Buckets begin at multiples of it since 1970. */
  readonly bucketNanos: bigint
  /** `model`: of traces that name it. */
  readonly filters: RollupFilters
  /** Traces, for buckets shorter than an hour. */
  readonly scanLimit: number
}

export interface Stats {
  /** Those with traces, oldest first. */
  readonly buckets: readonly { readonly startedAt: Instant; readonly aggregates: AggregateStats }[]
  readonly byName: readonly StatsGroup[]
  /** The empty value: traces that name none. */
  readonly byEnvironment: readonly StatsGroup[]
  /** Of the calls of each model rather than of traces. */
  readonly byModel: readonly StatsGroup[]
  /** A trace counts for each of its tags. */
  readonly byTag: readonly StatsGroup[]
  readonly isComplete: boolean
  /** All that started since are counted. */
  readonly coverageStart: Instant
}

export interface StatsGroup {
  readonly value: string
  readonly aggregates: AggregateStats
}

export interface AggregateStats {
  /** Traces; by model, its calls. */
  readonly count: number
  readonly errors: number
  /** Calls of a model that counted tokens, and those of them whose cost is unknown. */
  readonly calls: number
  readonly unpriced: number
  readonly tokensIn: number
  readonly tokensOut: number
  /** Of what is priced; to the billionth of a dollar a trace. */
  readonly costUsd: number
  /** Null where nothing was counted. */
  readonly latencyMs: Readonly<Record<'p50' | 'p90' | 'p99', number | null>>
}

export interface GroupQuery {
  readonly kind: 'session' | 'user'
  readonly limit: number
  readonly after?: GroupPosition
}

export interface GroupPosition {
  readonly lastAt: Instant
  readonly value: string
}

/** A session or a user. */
export interface TraceGroup {
  readonly value: string
  readonly traces: number
  readonly errors: number
  readonly spans: number
  readonly tokensIn: number
  readonly tokensOut: number
  readonly costUsd: number
  /** When its first and its last trace started. */
  readonly firstAt: Instant
  readonly lastAt: Instant
}

export interface GroupPage {
  readonly groups: readonly TraceGroup[]
  readonly next: GroupPosition | undefined
}
