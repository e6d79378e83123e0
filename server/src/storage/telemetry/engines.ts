import { join } from 'node:path'
import { type Clock, systemClock } from '../../platform/clock.ts'
import type { ClickHouseTelemetrySettings } from './clickhouse/engine.ts'
import type { ShardSettings } from './clickhouse/shards/open-shards.ts'
import type { Ingest } from './port/ingest.ts'
import type { TelemetryStore } from './port/store.ts'
import { encodeLogsForSqlite, encodeMetricsForSqlite } from './sqlite/encode-signals.ts'
import { encodeSpansForSqlite } from './sqlite/encode-spans.ts'
import { openSqliteTelemetry, type SqliteTelemetrySettings } from './sqlite/open-store.ts'
import { checkVersion } from './sqlite/telemetry-file.ts'

/*
 * The available telemetry engines. The modules of ClickHouse are loaded on demand: most installations have files.
 */

export type TelemetryEngine = 'sqlite' | 'clickhouse'

/** What an engine needs to be opened, as it declares it itself. */
export type TelemetrySettings = { readonly clock?: Clock } & (
  | ({ readonly engine: 'sqlite' } & Omit<SqliteTelemetrySettings, 'clock'>)
  | ({ readonly engine: 'clickhouse' } & Omit<ClickHouseTelemetrySettings, 'clock'>)
)

export type Encoders = Pick<Ingest, 'encode' | 'encodeMetrics' | 'encodeLogs'>

/** The engine's encoding functions, for a thread without a store. */
export async function loadEncoders(engine: TelemetryEngine): Promise<Encoders> {
  return await encoders[engine]()
}

const encoders = {
  sqlite: async () => sqliteEncoders,
  async clickhouse() {
    const { encodeSpansForClickHouse } = await import('./clickhouse/encode-spans.ts')
    const signals = await import('./clickhouse/encode-signals.ts')
    return {
      encode: encodeSpansForClickHouse,
      encodeMetrics: signals.encodeMetricsForClickHouse,
      encodeLogs: signals.encodeLogsForClickHouse,
    }
  },
} as const

const sqliteEncoders: Encoders = {
  encode: encodeSpansForSqlite,
  encodeMetrics: encodeMetricsForSqlite,
  encodeLogs: encodeLogsForSqlite,
}

/** Opens the store and migrates it; rejects when a newer version has used it. */
export async function openTelemetry(given: TelemetrySettings): Promise<TelemetryStore> {
  const settings = { clock: systemClock, ...given }
  if (settings.engine === 'sqlite') return await openSqliteTelemetry(settings)
  const { openClickHouseTelemetry } = await import('./clickhouse/open-store.ts')
  return await openClickHouseTelemetry(settings)
}

/** Opens the store on several databases of ClickHouse and migrates them; rejects when a newer version has used one. */
export async function openShardedTelemetry(
  settings: Omit<ShardSettings, 'clock'>,
): Promise<TelemetryStore> {
  const sharded = await import('./clickhouse/shards/sharded-store.ts')
  return await sharded.openShardedTelemetry({ ...settings, clock: systemClock })
}

/** Throws when `openTelemetry` would reject because a newer version has used the file. Changes nothing. */
export function checkTelemetryFile(dataDir: string): void {
  checkVersion(join(dataDir, 'telemetry.sqlite'))
}
