import { expect, test } from 'vitest'
import { runningService, tenantPerTest } from '../../test/service-suite.ts'
import { Unavailable } from '../platform/failure.ts'
import { openPlatformMeters } from './platform-meters.ts'

const service = runningService()
const tenant = tenantPerTest(service)

test('calls that end while the database is away keep their answers, and count with the next one, once', async () => {
  const { platformSpend } = service.accounts
  let isAway = true
  let time = '2026-05-31T23:59:59Z'
  const clock = { now: () => new Date(time), monotonicMs: () => 0 }
  const add: typeof platformSpend.add = async (...call) => {
    if (isAway) throw new Unavailable('The accounts database cannot be reached.', 1)
    await platformSpend.add(...call)
  }
  const meterOf = openPlatformMeters({
    accounts: { platformSpend: { ...platformSpend, add } },
    clock,
  })
  const meter = () => meterOf(tenant.organizationId, 4)
  await Promise.all([meter().add(1), meter().add(2)])
  expect(await meter().isUsedUp()).toBe(false)
  await meter().add(1)
  expect(await meter().isUsedUp()).toBe(true)
  expect(await meterOf('another', 4).isUsedUp()).toBe(false)

  isAway = false
  time = '2026-06-01T00:00:00Z'
  await Promise.all([meter().add(0.5), meter().add(0.25)])
  expect(await platformSpend.read(tenant.organizationId, '2026-05')).toBe(4)
  expect(await platformSpend.read(tenant.organizationId, '2026-06')).toBe(0.75)
})
