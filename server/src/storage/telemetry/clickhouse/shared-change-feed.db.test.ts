import { afterAll, describe } from 'vitest'
import { silent } from '../../../../test/accounts-database.ts'
import { hasClickHouseEngine } from '../../../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../../../test/clickhouse/gated-engine.ts'
import { type Accounts, openAccounts } from '../../accounts/connect.ts'
import { describeSharedChangeFeed } from '../port/change-feed.suite.ts'

describe.runIf(hasClickHouseEngine())(
  'telemetry in ClickHouse of several processes (only where chdb is installed)',
  { timeout: 120_000 },
  () => {
    const clickHouse = useGatedEngine('PostgreSQL')
    const processes: Accounts[] = []
    afterAll(async () => {
      await Promise.all(processes.map((one) => one.close()))
    })
    describeSharedChangeFeed(async () => {
      const accounts = await openAccounts(clickHouse.accounts.location, silent)
      processes.push(accounts)
      const { idempotencyRecords, notifications } = accounts
      return await clickHouse.openStore({ idempotencyRecords, notifications })
    })
  },
)
