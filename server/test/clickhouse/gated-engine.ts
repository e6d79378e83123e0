import { afterAll, beforeAll } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import type { ClickHouseTelemetrySettings } from '../../src/storage/telemetry/clickhouse/engine.ts'
import { openClickHouseTelemetry } from '../../src/storage/telemetry/clickhouse/open-store.ts'
import type { TelemetryStore } from '../../src/storage/telemetry/port/store.ts'
import { openTestAccounts, silent, type TestAccounts } from '../accounts-database.ts'
import { type ClickHouseEngine, startClickHouse } from './engine.ts'
import { openStatementGate, type StatementGate } from './statement-gate.ts'

/*
 * The ClickHouse engine for the tests of one `describe`, behind a gate that can hold and lose statements.
 */

/** There from the first `beforeAll` of the caller on. */
export interface GatedEngine {
  readonly engine: ClickHouseEngine
  readonly gate: StatementGate
  readonly accounts: TestAccounts
  /** Whose statements pass the gate, unless another address is given. The caller closes it. */
  openStore(settings?: Partial<ClickHouseTelemetrySettings>): Promise<TelemetryStore>
}

/** Starts it before the tests, and ends it after them and the caller's hooks. */
export function useGatedEngine(kind: 'SQLite' | 'PostgreSQL'): GatedEngine {
  let engine: ClickHouseEngine
  let gate: StatementGate
  let accounts: TestAccounts
  beforeAll(async () => {
    engine = await startClickHouse()
    accounts = await openTestAccounts(kind)
    gate = await openStatementGate(engine.url)
  })
  afterAll(async () => {
    await gate.close()
    await engine.stop()
    await accounts.remove()
  })
  return {
    get engine() {
      return engine
    },
    get gate() {
      return gate
    },
    get accounts() {
      return accounts
    },
    openStore(settings) {
      const { idempotencyRecords, notifications } = accounts.accounts
      return openClickHouseTelemetry({
        ...{ url: gate.url, database: 'assay', clock: systemClock, log: silent },
        ...{ idempotencyRecords, notifications },
        ...settings,
      })
    },
  }
}
