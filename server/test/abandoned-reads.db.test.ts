import { allEndpoints } from '@assay/contract/all.ts'
import { buildPath } from '@assay/contract/client.ts'
import { type AnyEndpoint, endpointName, replyForm } from '@assay/contract/endpoint.ts'
import { expect, test } from 'vitest'
import type { ReadOptions } from '../src/storage/telemetry/port/read-options.ts'
import type { TelemetryStore } from '../src/storage/telemetry/port/store.ts'
import { runningService } from './service-suite.ts'

/*
 * Reads of telemetry end with their request and count for its caller, at every endpoint, including future ones.
 */

let readings: ReadOptions[] = []

/** A store whose reads last until they are aborted. */
function endlessStore(telemetry: TelemetryStore): TelemetryStore {
  const readForever = (...args: unknown[]) => {
    const options = (args.at(-1) ?? {}) as ReadOptions
    readings.push(options)
    return new Promise((_resolve, reject) => {
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error))
    })
  }
  return new Proxy(telemetry, {
    get: (store, name: keyof TelemetryStore) =>
      /^(?:find|list|read|count)[A-Z]/.test(name) ? readForever : store[name],
  })
}

const service = runningService({ wrapTelemetry: endlessStore })

const ofProject = allEndpoints.filter(
  (declared) =>
    declared.method === 'GET' &&
    declared.access.of === 'project' &&
    replyForm(declared) !== 'events',
)

const readingEndpoints: string[] = []

test.each(ofProject.map((one) => [endpointName(one), one] as const))(
  'a read of %s counts for its caller, and ends when the client disconnects',
  async (name, declared: AnyEndpoint) => {
    readings = []
    const { projectId, organizationId, members } = await service.addTenant()
    const headers = await service.signedIn(members.Owner)
    const ids = { ruleId: projectId, runId: projectId, jobId: projectId }
    const params = { projectId, ...ids, traceId: 't', spanId: 's', name: 'n' }
    const client = new AbortController()
    const { signal } = client
    const response = fetch(service.api + buildPath(declared, params, {}), { headers, signal })
    let hasResponse = false
    response.then(
      () => (hasResponse = true),
      () => undefined,
    )
    await expect.poll(() => hasResponse || readings.length > 0).toBe(true)
    if (readings.length === 0) return
    readingEndpoints.push(name)
    expect(readings).toMatchObject([{ requester: [organizationId, members.Owner.id] }])
    client.abort()
    await expect.poll(() => readings[0]?.signal?.aborted).toBe(true)
  },
)

test('most endpoints of a project read telemetry', () => {
  expect(readingEndpoints.length).toBeGreaterThan(ofProject.length / 2)
})
