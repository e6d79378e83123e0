import { afterEach, beforeEach, expect, test } from 'vitest'
import { addTenant, type Tenant } from '../../test/people.ts'
import type { TraceLabels } from '../domain/span.ts'
import { openLog } from '../platform/log.ts'
import type { Accounts } from '../storage/accounts/connect.ts'
import { span } from '../storage/telemetry/port/samples.ts'
import type { TelemetryStore } from '../storage/telemetry/port/store.ts'
import { openServiceTraces, type ServiceTraceLimits } from './service-traces.ts'

/*
 * Traces of the service itself while the store is unavailable, on either engine.
 */

export interface InterruptedStores {
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  /** The store does not write until the returned function is called, at least once, and has resolved. */
  interrupt(): () => Promise<void>
}

/** Declares the tests; the stores are there from the first one on. */
export function serviceTraceSuite(stores: () => InterruptedStores): void {
  const hourMs = 3_600_000
  const labels: TraceLabels = {
    ...{ rootName: 'chat', environment: null, mode: 'live', tags: [] },
    ...{ sessionId: null, userId: null },
  }
  let tenant: Tenant
  let lines: string[]
  let restore: () => Promise<void>

  beforeEach(async () => {
    lines = []
    tenant = await addTenant(stores().accounts)
    restore = stores().interrupt()
  })
  afterEach(() => restore())

  function open(limits: Partial<ServiceTraceLimits>) {
    const log = openLog('error', (line) => lines.push(line))
    return openServiceTraces({ ...stores(), log }, { lastAttemptMs: 10_000, ...limits })
  }

  function trace(traceId: string) {
    const { organizationId, projectId } = tenant
    const spans = stores().telemetry.encode([span('a', { traceId })])
    const requester = [organizationId, 'ana'] as const
    return { subject: 'a call', organizationId, projectId, requester, labels, spans }
  }

  const find = (traceId: string) => stores().telemetry.findTrace(tenant.projectId, traceId)

  test('a trace waits, and is stored when the store is available again', async () => {
    const traces = open({ pausesMs: Array.from({ length: 100 }, () => 100) })
    expect(await traces.record(trace('kept'))).toBe(true)
    await restore()
    await expect.poll(() => find('kept')).toMatchObject({ rootName: 'chat', spanCount: 1 })
    await traces.stop()
    expect(lines).toEqual([])
  })

  test('a trace is given up after the last attempt, with one line in the log', async () => {
    const traces = open({ pausesMs: [1] })
    await traces.record(trace('given-up'))
    await expect.poll(() => lines.length, { timeout: 30_000 }).toBe(1)
    expect(lines[0]).toContain('a call could not be recorded')
    expect(lines[0]).toContain(tenant.projectId)
    await restore()
    await traces.stop()
    expect(await find('given-up')).toBeUndefined()
  })

  test('a stop attempts to store a waiting trace at once', async () => {
    const traces = open({ pausesMs: [hourMs, hourMs] })
    await traces.record(trace('last-attempt'))
    await restore()
    await traces.stop()
    expect(await find('last-attempt')).toMatchObject({ rootName: 'chat', spanCount: 1 })
    expect(lines).toEqual([])
  })

  test('a stop logs what its last attempt could not store', async () => {
    const traces = open({ pausesMs: [hourMs, hourMs] })
    await traces.record(trace('stopped'))
    await traces.stop()
    expect(lines.length).toBe(1)
  })

  test('no more traces wait than fit: others are lost, with a line in the log', async () => {
    const traces = open({ pausesMs: [hourMs], waitingBytes: 20_000 })
    expect(await traces.record(trace('fits'))).toBe(true)
    expect(await traces.record(trace('too-much'))).toBe(false)
    expect(lines.length).toBe(1)
    await restore()
    await traces.stop()
    expect([(await find('fits'))?.spanCount, await find('too-much')]).toEqual([1, undefined])
  })

  test('nothing is stored of a project that is removed meanwhile', async () => {
    const { accounts } = stores()
    const traces = open({ pausesMs: [hourMs] })
    await traces.record(trace('removed'))
    const project = await accounts.projects.find(tenant.organizationId, tenant.projectId)
    await accounts.projects.remove(tenant.projectId, project?.slug ?? '')
    await restore()
    await traces.stop()
    expect(await find('removed')).toBeUndefined()
    expect(lines).toEqual([])
  })
}
