import { afterAll, beforeAll, describe, inject } from 'vitest'
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

/** Of a real server or cluster. */
const givenUrl = inject('givenClickHouseUrl')
const givenCluster = inject('givenClickHouseCluster') ?? undefined

describe.runIf(givenUrl !== null || hasClickHouseEngine())(
  'the ClickHouse engine (only where chdb is installed, or a server is given)',
  { timeout: 120_000 },
  () => {
    let engine: Pick<ClickHouseEngine, 'url' | 'stop'>
    let accounts: TestAccounts
    let count = 0
    beforeAll(async () => {
      engine = givenUrl === null ? await startClickHouse() : givenServer(givenUrl)
      accounts = await openTestAccounts('PostgreSQL')
    })
    afterAll(async () => {
      await engine.stop()
      await accounts.remove()
    })
    describeTelemetryStore('ClickHouse', () => {
      count += 1
      return openClickHouseTelemetry({
        ...{ url: engine.url, database: `assay_test_${process.pid}_${count}` },
        ...{ cluster: givenCluster, clock: systemClock },
        idempotencyRecords: accounts.accounts.idempotencyRecords,
        notifications: accounts.accounts.notifications,
        log: openLog('error', () => {}),
      })
    })
  },
)

/** Its databases are left to whoever gave it. */
function givenServer(url: string): Pick<ClickHouseEngine, 'url' | 'stop'> {
  return { url, stop: () => Promise.resolve() }
}
