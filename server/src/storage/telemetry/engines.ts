import { type Clock, systemClock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Encode } from './port/ingest.ts'
import type { TelemetryStore } from './port/store.ts'
import { encodeLogsForSqlite, encodeMetricsForSqlite } from './sqlite/encode-signals.ts'
import { encodeSpansForSqlite } from './sqlite/encode-spans.ts'
import { openSqliteTelemetry } from './sqlite/open-store.ts'

/*
 * The engines that telemetry can be kept in.
 */

export type TelemetryEngine = 'sqlite'

export interface TelemetrySettings {
  readonly engine: TelemetryEngine
  /** An existing folder that belongs to this process alone. */
  readonly dataDir: string
  readonly log: Log
  readonly clock?: Clock
  /** For reads without a deadline of their own. */
  readonly readDeadlineMs?: number
  /** Batches wait while the search index is further behind. */
  readonly searchBacklogMaxMs?: number
  /**
   * Called once when the store can never serve again. What was under way has been rejected, and so is
   * everything from then on: the process should stop, and be started again.
   */
  readonly onFatal: (error: Error) => void
}

/** The engine's `encode`, for a thread without a store. */
export function encoderFor(engine: TelemetryEngine): Encode {
  return encoders[engine]
}

const encoders = { sqlite: encodeSpansForSqlite } as const

/** The same for metrics and log records. */
export function signalEncodersFor(
  engine: TelemetryEngine,
): Pick<TelemetryStore, 'encodeMetrics' | 'encodeLogs'> {
  return signalEncoders[engine]
}

const signalEncoders = {
  sqlite: { encodeMetrics: encodeMetricsForSqlite, encodeLogs: encodeLogsForSqlite },
} as const

/** Opens the store and brings its files to the newest form; rejects when a newer version has used them. */
export function openTelemetry({
  clock = systemClock,
  ...settings
}: TelemetrySettings): Promise<TelemetryStore> {
  return openers[settings.engine]({ ...settings, clock })
}

const openers = { sqlite: openSqliteTelemetry } as const
