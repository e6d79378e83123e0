import type { Config } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import type { Accounts } from './accounts/connect.ts'
import { openFolderHealth, refusingLostFiles } from './folder-health.ts'
import { accountsPart, openInstallation } from './installation.ts'
import { openSharedInstallation, type SharedSettings } from './shared-installation.ts'
import {
  checkTelemetryFile,
  openShardedTelemetry,
  openTelemetry,
  type TelemetryEngine,
} from './telemetry/engines.ts'
import type { TelemetryStore } from './telemetry/port/store.ts'

/*
 * Where the stores of a service are: in a data folder (the accounts perhaps in PostgreSQL), which one process uses, or in
 * PostgreSQL and ClickHouse, which several processes share.
 */

export interface StorePlace {
  readonly engine: TelemetryEngine
  /** Whether other processes may use it. */
  readonly isShared: boolean
  /** Also claims the place for the installation. */
  openTelemetry(accounts: Accounts): Promise<OpenedTelemetry>
}

export interface OpenedTelemetry {
  readonly telemetry: TelemetryStore
  /** Why the stores cannot be relied on, without paths. */
  findProblem(): Promise<string | undefined>
}

/**
 * Checks that what is stored belongs together, before anything is opened or migrated. Throws a one-line error otherwise.
 * A data folder must be locked. `onFatal` is called when the telemetry store fails later.
 */
export function openStorePlace(
  config: Config,
  log: Log,
  onFatal: (error: unknown) => void,
): Promise<StorePlace> {
  const { databaseUrl, clickHouse } = config
  return databaseUrl === undefined || clickHouse === undefined
    ? inFolder(config, log, onFatal)
    : shared({ databaseUrl, clickHouse }, log)
}

async function inFolder(
  config: Config,
  log: Log,
  onFatal: (error: unknown) => void,
): Promise<StorePlace> {
  const { dataDir } = config
  const installation = await openInstallation(config, log)
  // Before the accounts are migrated, which an earlier version could then no longer open.
  checkTelemetryFile(dataDir)
  return {
    engine: 'sqlite',
    isShared: false,
    async openTelemetry(accounts) {
      const telemetry = await openTelemetry({ engine: 'sqlite', dataDir, log, onFatal })
      const accountsName = accountsPart(config)
      await installation.claim([accountsName, 'telemetry.sqlite'])
      const databases = ['telemetry.sqlite', accountsName].filter((name) => name !== 'PostgreSQL')
      const damagedFile = () => telemetry.damagedFile() ?? accounts.damagedFile()
      const isStoreResponding = () => telemetry.probe()
      const folder = openFolderHealth({ dataDir, databases, damagedFile, isStoreResponding, log })
      return {
        telemetry: refusingLostFiles(telemetry, folder),
        findProblem: folder.findProblem,
      }
    },
  }
}

async function shared(settings: SharedSettings, log: Log): Promise<StorePlace> {
  const installation = await openSharedInstallation(settings, log)
  return {
    engine: 'clickhouse',
    isShared: true,
    async openTelemetry({ idempotencyRecords, notifications, projectShards }) {
      const ports = { idempotencyRecords, notifications, projectShards, log }
      const telemetry = await openShardedTelemetry({ ...ports, installation })
      const findProblem = async () =>
        (await telemetry.probe())
          ? undefined
          : 'ClickHouse cannot be reached, or refuses the service.'
      return { telemetry, findProblem }
    },
  }
}
