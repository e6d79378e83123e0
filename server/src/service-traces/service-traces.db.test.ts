import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { openTestAccounts, silent, type TestAccounts } from '../../test/accounts-database.ts'
import { lockTelemetry } from '../../test/locked-telemetry.ts'
import { openTelemetry } from '../storage/telemetry/engines.ts'
import type { TelemetryStore } from '../storage/telemetry/port/store.ts'
import { serviceTraceSuite } from './service-traces.suite.ts'

describe('while another program locks the file of the store', () => {
  let accounts: TestAccounts
  let telemetry: TelemetryStore
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-service-traces-'))
  beforeAll(async () => {
    accounts = await openTestAccounts('SQLite')
    const onFatal = (error: unknown) => {
      throw error
    }
    telemetry = await openTelemetry({ engine: 'sqlite', dataDir, log: silent, onFatal })
  })
  afterAll(async () => {
    await telemetry.close()
    await accounts.remove()
    rmSync(dataDir, { recursive: true, force: true })
  })
  serviceTraceSuite(() => ({
    ...{ accounts: accounts.accounts, telemetry },
    interrupt() {
      const unlock = lockTelemetry(dataDir)
      return async () => unlock()
    },
  }))
})
