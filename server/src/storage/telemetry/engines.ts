import { type Clock, systemClock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Encode } from './port/ingest.ts'
import type { TelemetryStore } from './port/store.ts'
import { encodeLogsForSqlite, encodeMetricsForSqlite } from './sqlite/encode-signals.ts'
import { encodeSpansForSqlite } from './sqlite/encode-spans.ts'
import { openSqliteTelemetry } from './sqlite/open-store.ts'

/*
 * The available telemetry engines.
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
   * Called once when the store has failed permanently. Running operations have been rejected, and so are
   * all later ones: the process should exit and be restarted.
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

/** Opens the store and migrates its files; rejects when a newer version has used them. */
export function openTelemetry({
  clock = systemClock,
  ...settings
}: TelemetrySettings): Promise<TelemetryStore> {
  return openers[settings.engine]({ ...settings, clock })
}

const openers = { sqlite: openSqliteTelemetry } as const
