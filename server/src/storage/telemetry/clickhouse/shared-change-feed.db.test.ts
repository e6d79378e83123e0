import { afterAll, beforeAll, describe } from 'vitest'
import { openTestAccounts, silent, type TestAccounts } from '../../../../test/accounts-database.ts'
import {
  type ClickHouseEngine,
  hasClickHouseEngine,
  startClickHouse,
} from '../../../../test/clickhouse/engine.ts'
import { systemClock } from '../../../platform/clock.ts'
import { type Accounts, openAccounts } from '../../accounts/connect.ts'
import { describeSharedChangeFeed } from '../port/change-feed.suite.ts'
import { openClickHouseTelemetry } from './open-store.ts'

describe.runIf(hasClickHouseEngine())(
  'telemetry in ClickHouse of several processes (only where chdb is installed)',
  { timeout: 120_000 },
  () => {
    let engine: ClickHouseEngine
    let database: TestAccounts
    const processes: Accounts[] = []
    beforeAll(async () => {
      engine = await startClickHouse()
      database = await openTestAccounts('PostgreSQL')
    })
    afterAll(async () => {
      await engine.stop()
      await Promise.all(processes.map((one) => one.close()))
      await database.remove()
    })
    describeSharedChangeFeed(async () => {
      const accounts = await openAccounts(database.location, silent)
      processes.push(accounts)
      const { idempotencyRecords, notifications } = accounts
      return openClickHouseTelemetry({
        ...{ url: engine.url, database: 'assay_shared', clock: systemClock },
        ...{ idempotencyRecords, notifications, log: silent },
      })
    })
  },
)
