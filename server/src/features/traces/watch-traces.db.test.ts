import { buildPath } from '@assay/contract/client.ts'
import { readEvents } from '@assay/contract/event-stream.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { type LiveMessage, watchTraces } from '@assay/contract/traces.ts'
import { afterEach, expect, test } from 'vitest'
import { runningService } from '../../../test/service-suite.ts'
import type { TraceChange } from '../../storage/telemetry/port/change-feed.ts'

/*
 * Live streams over a change feed that also reports what a test passes to `report`.
 */

const listeners = new Set<(change: TraceChange) => void>()
const report = (change: TraceChange) => listeners.forEach((listener) => listener(change))

const service = runningService({
  wrapTelemetry: (telemetry) => ({
    ...telemetry,
    watchChanges(projectId, listener) {
      const only = (change: TraceChange) => change.projectId === projectId && listener(change)
      listeners.add(only)
      const end = telemetry.watchChanges(projectId, listener)
      return () => {
        end()
        listeners.delete(only)
      }
    },
  }),
})

const streams: AbortController[] = []
afterEach(() => streams.forEach((stream) => stream.abort()))

async function watch() {
  const { projectId, members, tracingKey } = await service.addTenant()
  const stream = new AbortController()
  streams.push(stream)
  const url = service.api + buildPath(watchTraces, { projectId })
  const headers = await service.signedIn(members.Viewer)
  const response = await fetch(url, { headers, signal: stream.signal })
  const events = readEvents(response.body!)
  const next = async () => JSON.parse(String((await events.next()).value)) as LiveMessage
  const ingest = (trace_id: string) => {
    const spans = [{ span_id: 'a', name: 'n', started_at: '2026-05-01T08:00:00Z' }]
    return service.call(ingestTrace, { body: { trace_id, spans } }, { 'x-tracing-key': tracingKey })
  }
  return { projectId, next, ingest }
}

test('changes that are unknown have the client read again, and later ones are sent as before', async () => {
  const { projectId, next, ingest } = await watch()
  report({ projectId, traceIds: null })
  expect(await next()).toEqual({ type: 'reload' })
  await ingest('after')
  expect(await next()).toMatchObject({ trace_id: 'after' })
})

test('delivered changes are counted at /metrics, apart from those that are unknown', async () => {
  const { projectId, next, ingest } = await watch()
  const read = async (traces: 'known' | 'unknown') => {
    const text = await (await fetch(`${service.origin}/metrics`)).text()
    const line = new RegExp(`^assay_live_changes_total\\{traces="${traces}"\\} (\\d+)$`, 'm')
    return Number(line.exec(text)?.[1] ?? 0)
  }
  const before = { known: await read('known'), unknown: await read('unknown') }
  report({ projectId, traceIds: null })
  await next()
  await ingest('counted')
  await next()
  expect(await read('unknown')).toBe(before.unknown + 1)
  expect(await read('known')).toBe(before.known + 1)
})

test('more changes than can be sent have the client read again', async () => {
  const { projectId, next } = await watch()
  report({ projectId, traceIds: Array.from({ length: 10_000 }, (_, n) => `${n}`) })
  expect(await next()).toEqual({ type: 'reload' })
})

test('unknown changes in quick succession are one message, and no trace waits for it', async () => {
  const { projectId, next, ingest } = await watch()
  report({ projectId, traceIds: null })
  expect(await next()).toEqual({ type: 'reload' })
  for (let n = 0; n < 50; n += 1) report({ projectId, traceIds: null })
  await ingest('meanwhile')
  expect(await next()).toMatchObject({ trace_id: 'meanwhile' })
  expect(await next()).toEqual({ type: 'reload' })
  await ingest('last')
  expect(await next()).toMatchObject({ trace_id: 'last' })
})
