import { type Clock, systemClock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { openSqliteTelemetry } from './sqlite/open-store.ts'
import { packForSqlite } from './sqlite/pack.ts'
import { packLogsForSqlite, packMetricsForSqlite } from './sqlite/pack-signals.ts'
import type { Pack, TelemetryStore } from './store.ts'

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
  /**
   * Called once when the store can never serve again. What was under way has been rejected, and so is
   * everything from then on: the process should stop, and be started again.
   */
  readonly onFatal: (error: Error) => void
}

/** The engine's `pack`, for a thread that has no store. */
export function packerFor(engine: TelemetryEngine): Pack {
  return packers[engine]
}

const packers = { sqlite: packForSqlite } as const

/** The same for metrics and log records. */
export function signalPackersFor(
  engine: TelemetryEngine,
): Pick<TelemetryStore, 'packMetrics' | 'packLogs'> {
  return signalPackers[engine]
}

const signalPackers = {
  sqlite: { packMetrics: packMetricsForSqlite, packLogs: packLogsForSqlite },
} as const

/** Opens the store and brings its files to the newest form; rejects when a newer version has used them. */
export function openTelemetry({
  clock = systemClock,
  ...settings
}: TelemetrySettings): Promise<TelemetryStore> {
  return openers[settings.engine]({ ...settings, clock })
}

const openers = { sqlite: openSqliteTelemetry } as const
