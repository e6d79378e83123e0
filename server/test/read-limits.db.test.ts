import { buildPath } from '@assay/contract/client.ts'
import { limits } from '@assay/contract/limits.ts'
import { listMetrics } from '@assay/contract/metrics.ts'
import { readStats } from '@assay/contract/stats.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { span } from '../src/storage/telemetry/port/samples.ts'
import { addEndlessMetrics } from '../src/storage/telemetry/sqlite/endless-metrics.ts'
import type { Tenant } from './people.ts'
import { type Credentials, type Service, startService } from './started-app.ts'

/*
 * Many reads at once, over HTTP: nobody else's reads wait for them or are refused.
 */

let service: Service
let attacker: Tenant
let victim: Tenant
let end: AbortController

beforeEach(async () => {
  service = await startService({ readDeadlineMs: 60_000 })
  attacker = await service.addTenant()
  victim = await service.addTenant()
  end = new AbortController()
  for (const { projectId } of [attacker, victim]) {
    const spans = service.telemetry.encode([span('a')])
    await service.telemetry.record({ projectId, source: 'json', spans })
  }
})
afterEach(async () => {
  end.abort()
  await service.stop()
})

/** Sends reads that never end; resolves to the statuses of those that are refused. */
async function flood(headers: Credentials, count: number): Promise<number[]> {
  const path = buildPath(listMetrics, { projectId: attacker.projectId }, {})
  const refused: number[] = []
  const sent = Array.from({ length: count }, async () => {
    const response = await fetch(service.api + path, { headers, signal: end.signal })
    expect(response.headers.get('retry-after')).toBe('1')
    refused.push(response.status)
  })
  for (const each of sent) each.catch(() => undefined)
  return refused
}

const read = async ({ projectId }: Tenant, who: Credentials) => {
  const params = { projectId }
  const dashboard = await service.call(readStats, { params }, who)
  const list = await service.call(listTraces, { params, query: { environment: 'none' } }, who)
  return [dashboard.status, list.status]
}

test('a viewer with too many unfinished reads is refused, and nobody else', async () => {
  const viewer = await service.signedIn(attacker.members.Viewer)
  addEndlessMetrics(service.dataDir, attacker.projectId)
  const most = limits.unfinishedReadsOfUser.value
  const refused = await flood(viewer, most + 5)
  await expect.poll(() => refused).toEqual([503, 503, 503, 503, 503])
  expect(await read(attacker, viewer)).toEqual([503, 503])
  expect(await read(attacker, await service.signedIn(attacker.members.Owner))).toEqual([200, 200])
  expect(await read(victim, await service.signedIn(victim.members.Viewer))).toEqual([200, 200])
  end.abort()
  await expect.poll(() => read(attacker, viewer)).toEqual([200, 200])
}, 60_000)

test('an organization with too many unfinished reads is refused, and no other', async () => {
  addEndlessMetrics(service.dataDir, attacker.projectId)
  const { signal } = end
  const fill = async (person: number) => {
    const requester = [attacker.organizationId, `person ${person}`] as const
    await service.telemetry.listMetrics(attacker.projectId, { limit: 1 }, { requester, signal })
  }
  const most = limits.unfinishedReadsOfOrganization.value
  const unfinished = Array.from({ length: most }, (_, n) => fill(n % 100))
  for (const each of unfinished) each.catch(() => undefined)
  const [owner, viewer] = [attacker.members.Owner, victim.members.Viewer]
  expect(await read(attacker, await service.signedIn(owner))).toEqual([503, 503])
  expect(await read(victim, await service.signedIn(viewer))).toEqual([200, 200])
})
