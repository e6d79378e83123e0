import {
  type ClickHouseEngine,
  hasClickHouseEngine,
  startClickHouse,
} from '../server/test/clickhouse/engine.ts'
import { type PostgresServer, startPostgres } from '../server/test/postgres-server.ts'
import { newDataDir, type RunningService, runService } from './running-service.ts'

/*
 * PostgreSQL and ClickHouse for services that share them, each a process of its own as behind one address.
 */

export interface ScaledStores {
  readonly postgres: PostgresServer
  readonly clickHouse: ClickHouseEngine
  /** The settings of every process. */
  readonly env: Readonly<Record<string, string>>
  /** Starts one more process. */
  runService(env?: Readonly<Record<string, string>>): Promise<RunningService>
  stop(): Promise<void>
}

/** Whether this machine has what the stores need. */
export const hasScaledStores = hasClickHouseEngine

export async function startScaledStores(): Promise<ScaledStores> {
  const [postgres, clickHouse] = await Promise.all([startPostgres(), startClickHouse()])
  const services: RunningService[] = []
  const env = {
    ASSAY_DATABASE_URL: postgres.url,
    ASSAY_CLICKHOUSE_URL: clickHouse.url,
    ASSAY_SECRET: 'a master secret that all processes share',
  }
  return {
    ...{ postgres, clickHouse, env },
    async runService(more = {}) {
      const service = await runService({ dataDir: newDataDir(), env: { ...env, ...more } })
      services.push(service)
      return service
    },
    async stop() {
      await Promise.all(services.map((service) => service.stop()))
      await Promise.all([postgres.stop(), clickHouse.stop()])
    },
  }
}
