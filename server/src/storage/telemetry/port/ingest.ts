import type { LogRecord } from '../../../domain/log-record.ts'
import type { Measurement } from '../../../domain/metric.ts'
import type { Source, Span, SpanStatus, TraceLabels } from '../../../domain/span.ts'

/*
 * Recording spans, metrics and log records.
 *
 * Durability. When a promise of `record`, `recordMetrics` or `recordLogs` resolves, the batch survives a crash
 * of the process and of the machine, and every later read sees it. Before that, it may become visible trace by
 * trace. When the promise rejects, any part of the batch may have been stored: sending it again, alone or
 * repeatedly, ends in the same state. A batch that cannot be stored does not affect concurrent batches.
 *
 * Identity. A span is (project, trace id, span id). Recording it again replaces it; within a batch the last one
 * wins. A trace is a pure function of its stored spans (domain/trace-totals.ts) and of the labels of its batches
 * (domain/trace-labels.ts): resending, reordering, splitting and repeating spans all produce the same trace.
 * A metric series is identified by project, name, kind, unit, temporality, monotonicity, resource, scope and
 * attributes; a point by its series and time. Recording a point again replaces it. A log record is identified
 * by its whole content; duplicates are stored once. Log records that carry the input or output of their span
 * fill the span's own where those are empty, in whichever order the two arrive.
 *
 * Idempotency records. A batch with an idempotency key has an outcome once its promise resolves. A repeated key
 * resolves to that outcome, including its `note`, with `repeated` set, whatever the new batch holds. Of concurrent
 * batches with one key, one is stored; the others resolve to its outcome, or reject with `Unavailable` if it takes
 * long. An attempt without an outcome (refused, rejected, interrupted) does not count: the next batch with the key is
 * stored. Records are kept for at least 30 days. An engine with transactions writes the record with the spans; one
 * without claims the key before and completes it after them (docs/adr/0020-idempotency-keys-claimed-around-the-spans.md).
 *
 * Limits. A trace has at most 100,000 spans; replacing one of them is always allowed. A JSON batch that would exceed
 * the limit is refused before any of it is stored; of an OTLP batch the spans beyond it are left out. Batches of one
 * trace that several processes store at the same time may exceed the limit together.
 *
 * Ownership. Encoded batches belong to the store once they are passed to it: their buffers may be detached.
 * Do not pass one twice.
 *
 * Load. Batches are accepted until the bytes that wait for a commit exceed a fixed budget, or the share of their
 * organization or project in it; further ones are refused at once with `Unavailable`. Organizations share the time of
 * the engine, and projects that of their organization, in slices of some ten milliseconds, whatever the size of their
 * batches and of the traces that these change. While search is
 * more than 10 seconds behind, batches of spans wait for it, and are refused with `Unavailable` when too many bytes
 * wait or a batch waits for 10 seconds; a search index that fails or is being rebuilt does not slow down ingestion. A
 * store that has no space, is locked or does not respond rejects with `Unavailable`.
 */
export interface Ingest {
  /**
   * Serializes spans into rows of the engine. A pure function that is expensive (it compresses) and needs no
   * store, so it may run on any thread: `loadEncoders` in engines.ts returns the same function for a worker.
   */
  encode(spans: readonly Span[]): EncodedBatch
  encodeMetrics(measurements: readonly Measurement[]): EncodedSignals
  encodeLogs(records: readonly LogRecord[]): EncodedSignals

  record(recording: Recording): Promise<Recorded>
  /** `organizationId` as of a Recording. */
  recordMetrics(projectId: string, metrics: EncodedSignals, organizationId?: string): Promise<void>
  recordLogs(projectId: string, logs: EncodedSignals, organizationId?: string): Promise<void>
}

/** Serializes spans into rows of one engine. */
export type Encode = (spans: readonly Span[]) => EncodedBatch

/** Rows of one engine, opaque to everyone else. Its `parts` can be transferred to another thread. */
export interface EncodedBatch {
  readonly traceIds: readonly string[]
  readonly spanCount: number
  /** Approximate memory use, for the budget of waiting bytes. */
  readonly sizeBytes: number
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
}

/** Points or log records per part: so many are stored in about ten milliseconds. Each part has their resources. */
export const signalsPerPart = 500

/** Metrics or log records as rows of one engine, like `EncodedBatch`. */
export interface EncodedSignals {
  /** Traces whose spans get their input or output from these log records. */
  readonly filledTraceIds: readonly string[]
  readonly sizeBytes: number
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
}

export interface Recording {
  readonly projectId: string
  /** Whose share and turns the batch takes; by default, the project has its own. */
  readonly organizationId?: string
  readonly source: Source
  readonly spans: EncodedBatch
  /** For a batch of one trace that sets values of the whole trace. */
  readonly labels?: TraceLabels
  readonly idempotency?: IdempotencyRecord
}

export interface IdempotencyRecord {
  readonly key: string
  /** Stored with the record and returned for a repeated key: what the response needs beyond the trace. */
  readonly note: string
}

export interface Recorded {
  /** The traces of the batch, as they are after it was stored; none for a JSON batch that was refused. */
  readonly traces: readonly RecordedTrace[]
  readonly repeated: boolean
  /** `idempotency.note` of the batch that was stored; empty without an idempotency record. */
  readonly note: string
  /** Spans for which their trace has no room: of a JSON batch with any, nothing is stored. */
  readonly refusedSpans: number
}

export interface RecordedTrace {
  readonly traceId: string
  readonly spanCount: number
  readonly status: SpanStatus
}
