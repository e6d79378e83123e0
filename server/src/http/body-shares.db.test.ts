import { type ClientRequest, request } from 'node:http'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { listOrganizations } from '@assay/contract/organizations.ts'
import { discoverSso } from '@assay/contract/sso.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Tenant } from '../../test/people.ts'
import { type Credentials, type Service, startService } from '../../test/started-app.ts'

/*
 * Bodies that are never finished hold memory until they time out. Nobody else's requests are refused for them.
 */

let service: Service
let attacker: Tenant
let victim: Tenant
const unfinished: ClientRequest[] = []

beforeAll(async () => {
  service = await startService({ trustProxy: 1 })
  attacker = await service.addTenant()
  victim = await service.addTenant()
})
afterEach(() => {
  for (const one of unfinished.splice(0)) one.destroy()
})
afterAll(() => service.stop())

/** Large bodies take a while to arrive. */
const patient = { timeout: 15_000 }

const attackerNetwork = { 'x-forwarded-for': '192.0.2.1' }
const victimNetwork = { 'x-forwarded-for': '198.51.100.1' }

/** Sends all but the last byte of a body, and resolves when the service has received it or has responded. */
async function startBody(path: string, sizeBytes: number, headers: Credentials): Promise<void> {
  const sent = request(`${service.api}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': sizeBytes, ...headers },
  })
  unfinished.push(sent)
  sent.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    sent.on('response', () => resolve())
    sent.write(Buffer.alloc(sizeBytes - 1, 32), () => resolve())
  })
}

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
    const bodies = Array.from({ length: count }, () =>
      startBody(discoverSso.path, bodyBytes, attackerNetwork),
    )
    await Promise.all(bodies)
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
  const key = { 'x-tracing-key': attacker.tracingKey }
  let attempts = 0
  const attack = async () => {
    await startBody(ingestTrace.path, limits.ingestBodyBytes.value, key)
    attempts += 1
    return (await service.call(ingestTrace, { body: batch(`attempt ${attempts}`) }, key)).status
  }
  await expect.poll(attack, patient).toBe(503)
  const refused = await service.telemetry.findTrace(attacker.projectId, `attempt ${attempts}`)
  expect(refused).toBeUndefined()
  const victimKey = { 'x-tracing-key': victim.tracingKey }
  expect((await service.call(ingestTrace, { body: batch('t2') }, victimKey)).status).toBe(202)
})

test('a share is available again when its bodies end', async () => {
  const key = { 'x-tracing-key': attacker.tracingKey }
  await expect
    .poll(async () => (await service.call(ingestTrace, { body: batch('t3') }, key)).status, patient)
    .toBe(202)
})

test('an anonymous body larger than its limit is refused', async () => {
  const email = `${'a'.repeat(limits.anonymousBodyBytes.value)}@example.org`
  const { status, error } = await service.call(discoverSso, { body: { email } }, victimNetwork)
  expect([status, error.message]).toEqual([413, 'The body is larger than 16384 bytes.'])
})
