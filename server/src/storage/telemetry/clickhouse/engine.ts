import type { Instant } from '../../../domain/instant.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Notifications } from '../../../platform/notifications.ts'
import type { ChangedTraces } from '../port/change-feed.ts'
import type { Connection } from './connection.ts'
import type { NextVersion } from './hybrid-clock.ts'
import type { IdempotencyRecords } from './idempotency.ts'
import type { RunRead } from './read-turns.ts'
import type { SpanRecording } from './span-recording.ts'

export interface ClickHouseTelemetrySettings {
  /** With user name and password, if the server asks for them. */
  readonly url: string
  readonly database: string
  /** Whose servers have the tables; without one, a single server. */
  readonly cluster?: string | undefined
  /** In the accounts database. */
  readonly idempotencyRecords: IdempotencyRecords
  /** Between the processes that use the database. */
  readonly notifications: Notifications
  readonly clock: Clock
  readonly log: Log
  /** For reads without a deadline of their own. */
  readonly readDeadlineMs?: number
  /** Between two checks for traces that a write left unfinished when its process ended. */
  readonly repairIntervalMs?: number
  /** Of so many spans, a trace is cached after it was changed. */
  readonly cachedTraceSpans?: number
}

/** What the operations of an open store need. */
export interface Engine {
  readonly connection: Connection
  readonly nextVersion: NextVersion
  readonly recording: SpanRecording
  readonly idempotencyRecords: IdempotencyRecords
  readonly clock: Clock
  now(): Instant
  notify(projectId: string, traceIds: ChangedTraces): void
  isWatched(projectId: string): boolean
  /** Runs a read that may examine many rows when it is its turn. Rejects once the store is closed. */
  readonly read: RunRead
  /** Runs a read that is quick, which does not wait for others. Rejects once the store is closed. */
  readonly lookup: RunRead
  /** Runs a write, for which closing waits. Rejects once the store is closed. */
  write<Result>(work: () => Promise<Result>): Promise<Result>
  /** The same for a change of what is stored, when it is the turn of the project. */
  change<Result>(projectId: string, work: () => Promise<Result>): Promise<Result>
}
