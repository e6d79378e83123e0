import type { ChangeFeed } from './change-feed.ts'
import type { Health } from './health.ts'
import type { Ingest } from './ingest.ts'
import type { LogReads } from './logs.ts'
import type { MetricReads } from './metrics.ts'
import type { Pricing } from './pricing.ts'
import type { Removal } from './removal.ts'
import type { ScoreAgreement } from './score-agreement.ts'
import type { Scores } from './scores.ts'
import type { Settling } from './settling.ts'
import type { StatsReads } from './stats.ts'
import type { StorageReads } from './storage-used.ts'
import type { TraceTags } from './trace-tags.ts'
import type { TraceReads } from './traces.ts'

/*
 * The telemetry store: the port through which features write and read spans, metrics, log records and scores.
 * Each file of this folder has one part of the port with its promises, and a suite with the same name that every engine
 * passes (store.suite.ts runs them all). The promises below hold for every operation.
 *
 * Tenancy. Every operation takes the project first. Nothing of another project is read, counted, replaced or
 * notified, whatever ids are passed: trace and span ids are unique within a project only.
 *
 * Writes. When a write resolves, every later read sees all of it. While it runs, reads may see a part of it. When it
 * rejects, or its process ends, any part of it may have been stored or removed: repeating it with the same
 * arguments ends in the same state as if it had succeeded at once. Callers that do not pass the rejection on to
 * somebody who repeats it must repeat it themselves. What is derived from spans (traces, stats, search) agrees
 * with them when a write has resolved; what an interrupted one left behind, the engine repairs by itself.
 * A write that is refused, because of its arguments, a limit or a budget, stores and removes nothing.
 *
 * Positions. `next` of a page is passed as `after` to read on. A position identifies the last item, not a count:
 * paging never skips or repeats an item that exists throughout and whose sort key does not change, whatever is
 * recorded meanwhile. Positions are opaque strings and stay valid across restarts; one that cannot be decoded
 * rejects with `InvalidCursor`.
 *
 * Ownership. Results belong to the caller.
 *
 * Limits. Every read takes `ReadOptions`: it can be aborted and has a deadline (read-options.ts).
 *
 * Concurrency. Reads run beside writes and never wait for them. They continue when writes are refused, for
 * example when the store has no space.
 */
export type TelemetryStore = Ingest &
  TraceReads &
  StatsReads &
  MetricReads &
  LogReads &
  Pricing &
  Removal &
  Scores &
  ScoreAgreement &
  Settling &
  TraceTags &
  StorageReads &
  ChangeFeed &
  Health & {
    /** Waits for running operations and releases everything that the store holds. Later calls reject. */
    close(): Promise<void>
  }
