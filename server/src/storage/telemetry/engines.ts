import { join } from 'node:path'
import { type Clock, systemClock } from '../../platform/clock.ts'
import type { Encode } from './port/ingest.ts'
import type { TelemetryStore } from './port/store.ts'
import { encodeLogsForSqlite, encodeMetricsForSqlite } from './sqlite/encode-signals.ts'
import { encodeSpansForSqlite } from './sqlite/encode-spans.ts'
import { openSqliteTelemetry, type SqliteTelemetrySettings } from './sqlite/open-store.ts'
import { checkVersion } from './sqlite/telemetry-file.ts'

/*
 * The available telemetry engines.
 */

export type TelemetryEngine = 'sqlite'

/** What an engine needs to be opened, as it declares it itself. */
export type TelemetrySettings = {
  readonly engine: TelemetryEngine
  readonly clock?: Clock
} & Omit<SqliteTelemetrySettings, 'clock'>

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

/** Opens the store and migrates it; rejects when a newer version has used it. */
export function openTelemetry({
  clock = systemClock,
  ...settings
}: TelemetrySettings): Promise<TelemetryStore> {
  return openers[settings.engine]({ ...settings, clock })
}

/** Throws when `openTelemetry` would reject because of the version. Changes nothing. */
export function checkTelemetryVersion({
  engine,
  dataDir,
}: Pick<TelemetrySettings, 'engine' | 'dataDir'>): void {
  versionChecks[engine](dataDir)
}

const versionChecks = {
  sqlite: (dataDir: string) => checkVersion(join(dataDir, 'telemetry.sqlite')),
} as const

const openers = { sqlite: openSqliteTelemetry } as const
