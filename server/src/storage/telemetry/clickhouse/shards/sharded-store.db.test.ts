import { afterAll, beforeAll, describe } from 'vitest'
import { openTestAccounts, type TestAccounts } from '../../../../../test/accounts-database.ts'
import {
  type ClickHouseEngine,
  hasClickHouseEngine,
  startClickHouse,
} from '../../../../../test/clickhouse/engine.ts'
import { startOn } from '../../../../../test/sharded-telemetry.ts'
import { describeTelemetryStore } from '../../port/store.suite.ts'

describe.runIf(hasClickHouseEngine())(
  'two ClickHouse engines, each with some of the projects (only where chdb is installed)',
  { timeout: 120_000 },
  () => {
    const engines: ClickHouseEngine[] = []
    const opened: TestAccounts[] = []
    beforeAll(async () => {
      engines.push(...(await Promise.all([startClickHouse(), startClickHouse()])))
    })
    afterAll(async () => {
      for (const engine of engines) await engine.stop()
      for (const accounts of opened) await accounts.remove()
    })
    describeTelemetryStore('two ClickHouse engines', async () => {
      const accounts = await openTestAccounts('PostgreSQL')
      const database = `assay_${opened.push(accounts)}`
      const servers = engines.map(({ url }) => ({ url, database, cluster: undefined }))
      return await startOn(servers, accounts)
    })
  },
)
