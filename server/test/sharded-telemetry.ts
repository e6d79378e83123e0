import { systemClock } from '../src/platform/clock.ts'
import type { ClickHouseSettings } from '../src/platform/store-settings.ts'
import { openSharedInstallation } from '../src/storage/shared-installation.ts'
import { openShardedTelemetry } from '../src/storage/telemetry/clickhouse/shards/sharded-store.ts'
import type { TelemetryStore } from '../src/storage/telemetry/port/store.ts'
import { silent, type TestAccounts } from './accounts-database.ts'

/** Opens the store of an installation as a start does. */
export async function startOn(
  clickHouse: readonly ClickHouseSettings[],
  { accounts, location }: TestAccounts,
  log = silent,
): Promise<TelemetryStore> {
  const databaseUrl = String(location.databaseUrl)
  const installation = await openSharedInstallation({ databaseUrl, clickHouse }, log)
  const { idempotencyRecords, notifications, projectShards } = accounts
  return await openShardedTelemetry({
    ...{ installation, idempotencyRecords, notifications, projectShards },
    ...{ clock: systemClock, log },
  })
}
