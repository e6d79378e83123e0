import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { listOrganizations } from '@assay/contract/organizations.ts'
import { discoverSso } from '@assay/contract/sso.ts'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Tenant } from '../../test/people.ts'
import { runningService } from '../../test/service-suite.ts'
import { unfinishedBodies } from '../../test/unfinished-bodies.ts'

/*
 * Bodies that are never finished hold memory until they time out. Nobody else's requests are refused for them.
 */

const service = runningService({ trustProxy: 1 })
let attacker: Tenant
let victim: Tenant
const bodies = unfinishedBodies(() => service)

beforeAll(async () => {
  attacker = await service.addTenant()
  victim = await service.addTenant()
})
afterEach(() => bodies.abandon())

/** Large bodies take a while to arrive. */
const patient = { timeout: 15_000 }

const attackerNetwork = { 'x-forwarded-for': '192.0.2.1' }
const victimNetwork = { 'x-forwarded-for': '198.51.100.1' }

const batch = (traceId: string) => ({
  trace_id: traceId,
  spans: [{ span_id: 'a', name: 'call', kind: 'llm', started_at: '2026-11-20T10:00:00.000Z' }],
})

test('unfinished anonymous bodies use up the share of their network, and nothing else', async () => {
  const bodyBytes = limits.anonymousBodyBytes.value
  const count = limits.anonymousBodiesOfNetwork.value / bodyBytes
  // Longer than what whole bodies leave of the share.
  const discover = { body: { email: `${'a'.repeat(200)}@example.org` } }
  const attack = async () => {
    const attacks = Array.from({ length: count }, () =>
      bodies.start(discoverSso.path, bodyBytes, attackerNetwork),
    )
    await Promise.all(attacks)
    return (await service.call(discoverSso, discover, attackerNetwork)).status
  }
  await expect.poll(attack, patient).toBe(503)
  expect((await service.call(discoverSso, discover, victimNetwork)).status).toBe(200)
  const signedIn = await service.signedIn(victim.members.Viewer)
  expect((await service.call(listOrganizations, {}, signedIn)).status).toBe(200)
  const key = { 'x-tracing-key': victim.tracingKey, ...attackerNetwork }
  expect((await service.call(ingestTrace, { body: batch('t1') }, key)).status).toBe(202)
})

test('unfinished bodies with one tracing key use up the share of its project, and nothing else', async () => {
  const key = attacker.keyHeader
  let attempts = 0
  const attack = async () => {
    await bodies.start(ingestTrace.path, limits.ingestBodyBytes.value, key)
    attempts += 1
    return (await service.call(ingestTrace, { body: batch(`attempt ${attempts}`) }, key)).status
  }
  await expect.poll(attack, patient).toBe(503)
  const refused = await service.telemetry.findTrace(attacker.projectId, `attempt ${attempts}`)
  expect(refused).toBeUndefined()
  const victimKey = victim.keyHeader
  expect((await service.call(ingestTrace, { body: batch('t2') }, victimKey)).status).toBe(202)
})

test('a share is available again when its bodies end', async () => {
  const key = attacker.keyHeader
  const send = async () => (await service.call(ingestTrace, { body: batch('after') }, key)).status
  const attack = async () => {
    await bodies.start(ingestTrace.path, limits.ingestBodyBytes.value, key)
    return await send()
  }
  await expect.poll(attack, patient).toBe(503)
  bodies.abandon()
  await expect.poll(send, patient).toBe(202)
})

test('an anonymous body larger than its limit is refused', async () => {
  const email = `${'a'.repeat(limits.anonymousBodyBytes.value)}@example.org`
  const { status, error } = await service.call(discoverSso, { body: { email } }, victimNetwork)
  expect([status, error.message]).toEqual([413, 'The body is larger than 16384 bytes.'])
})
