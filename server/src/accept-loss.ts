import type { Config } from './platform/config.ts'
import type { Log } from './platform/log.ts'
import { checkNoProcesses } from './storage/accounts/connected-processes.ts'
import { acceptLostTraces } from './storage/installation.ts'
import { acceptLostTables } from './storage/shared-installation.ts'

/*
 * `npm run assay -- data accept-loss`: starts without telemetry that was lost for good.
 */

/**
 * `lost`: the addresses of databases of ClickHouse, separated by commas. Returns lines about what was given up. The folder
 * is locked, unless ClickHouse replaces it.
 */
export async function acceptLoss(
  config: Config,
  log: Log,
  lost: string | undefined,
): Promise<readonly string[]> {
  const { dataDir, databaseUrl, clickHouse } = config
  if (databaseUrl === undefined || clickHouse === undefined) {
    if (lost !== undefined) {
      throw new Error('Addresses are those of databases of ClickHouse. Set ASSAY_CLICKHOUSE_URL.')
    }
    await acceptLostTraces(config, log)
    return [
      `The traces, metrics and logs of the data folder ${dataDir} are given up. The next start creates an empty telemetry.sqlite.`,
    ]
  }
  // Processes that run would go on storing in the database that is given up.
  await checkNoProcesses(databaseUrl, log)
  const addresses = lost?.split(',') ?? []
  await acceptLostTables({ databaseUrl, clickHouse }, addresses, log)
  return [
    ...addresses.map((address) => `Given up, with its traces, metrics and logs: ${address}`),
    ...(addresses.length === 0
      ? ['No service has used a database of ClickHouse yet. What was moved to one is given up.']
      : []),
    'Start all processes with the same ASSAY_CLICKHOUSE_URL as this command. The next start creates empty tables in ClickHouse.',
  ]
}
