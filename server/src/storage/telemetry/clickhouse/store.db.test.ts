import { afterAll, beforeAll, describe } from 'vitest'
import { openTestAccounts, type TestAccounts } from '../../../../test/accounts-database.ts'
import {
  type ClickHouseEngine,
  hasClickHouseEngine,
  startClickHouse,
} from '../../../../test/clickhouse/engine.ts'
import { systemClock } from '../../../platform/clock.ts'
import { openLog } from '../../../platform/log.ts'
import { describeTelemetryStore } from '../port/store.suite.ts'
import { openClickHouseTelemetry } from './open-store.ts'

describe.runIf(hasClickHouseEngine())(
  'the ClickHouse engine (only where chdb is installed)',
  { timeout: 120_000 },
  () => {
    let engine: ClickHouseEngine
    let accounts: TestAccounts
    let count = 0
    beforeAll(async () => {
      engine = await startClickHouse()
      accounts = await openTestAccounts('PostgreSQL')
    })
    afterAll(async () => {
      await engine.stop()
      await accounts.remove()
    })
    describeTelemetryStore('ClickHouse', () => {
      count += 1
      return openClickHouseTelemetry({
        ...{ url: engine.url, database: `assay_${count}`, clock: systemClock },
        idempotencyRecords: accounts.accounts.idempotencyRecords,
        notifications: accounts.accounts.notifications,
        log: openLog('error', () => {}),
      })
    })
  },
)
