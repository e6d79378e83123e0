import type { Instant } from '../../../domain/instant.ts'
import type { LogRecord } from '../../../domain/log-record.ts'
import type { Position } from './position.ts'
import type { ReadOptions } from './read-options.ts'

/*
 * Reading log records.
 */
export interface LogReads {
  /**
   * Newest first by (at, id), both descending. At most `limit` records, fewer when they exceed `limits.pageBytes` or
   * `scanLimit` records were examined: only `next` indicates whether there are more.
   */
  listLogs(projectId: string, query: LogQuery, options?: ReadOptions): Promise<LogPage>
}

export interface LogQuery {
  readonly limit: number
  /** Records to examine for the filters. */
  readonly scanLimit: number
  readonly after?: Position
  readonly filters: LogFilters
}

/** All optional; filters combine with AND. */
export interface LogFilters {
  /** This severity or higher. */
  readonly severity?: number
  readonly traceId?: string
  readonly spanId?: string
  readonly service?: string
  readonly eventName?: string
  /** Each is part of the body, the attributes or the event name, ignoring case at least of ASCII letters. */
  readonly words?: readonly string[]
  /** At this instant or later. */
  readonly from?: Instant
  /** Before this instant. */
  readonly to?: Instant
}

export interface LogPage {
  readonly logs: readonly StoredLog[]
  readonly next: Position | undefined
}

export interface StoredLog extends Omit<LogRecord, 'content'> {
  readonly id: string
}
