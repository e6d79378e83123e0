import { afterAll, beforeAll, describe, vi } from 'vitest'
import { hasClickHouseEngine } from '../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../test/clickhouse/gated-engine.ts'
import type { TelemetryStore } from '../storage/telemetry/port/store.ts'
import { serviceTraceSuite } from './service-traces.suite.ts'

describe.runIf(hasClickHouseEngine())(
  'while ClickHouse cannot be reached (only where chdb is installed)',
  () => {
    const gated = useGatedEngine('PostgreSQL')
    let telemetry: TelemetryStore
    beforeAll(async () => {
      telemetry = await gated.openStore()
    })
    afterAll(() => telemetry.close())
    serviceTraceSuite(() => ({
      accounts: gated.accounts.accounts,
      telemetry,
      interrupt() {
        gated.gate.cut('')
        return async () => {
          gated.gate.cut(undefined)
          await vi.waitUntil(() => telemetry.probe(), { timeout: 15_000 })
        }
      },
    }))
  },
)
