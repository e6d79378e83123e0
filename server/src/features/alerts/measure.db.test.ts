import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseInstant } from '../../domain/instant.ts'
import type { JsonText } from '../../domain/json-text.ts'
import type { AlertRuleRow } from '../../storage/accounts/alert-tables.ts'
import { span } from '../../storage/telemetry/port/samples.ts'
import { score } from '../../storage/telemetry/port/score-samples.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { makeFolder, openIn } from '../../storage/telemetry/sqlite/test-store.ts'
import { measure } from './measure.ts'

const folder = makeFolder()
const projectId = randomUUID()
const now = new Date('2026-05-02T08:30:30.000Z')
let store: TelemetryStore

/** Traces by id: when each started, how many milliseconds it took, and its cost. */
const traces = {
  yesterday: ['2026-05-01T23:59:59.000Z', 100, 64],
  midnight: ['2026-05-02T00:00:00.000Z', 100, 32],
  early: ['2026-05-02T07:20:00.000Z', 100, 16],
  hour: ['2026-05-02T07:40:00.000Z', 100, 8],
  slow: ['2026-05-02T08:28:00.000Z', 9000, 4],
  recent: ['2026-05-02T08:29:00.000Z', 100, 2],
  last: ['2026-05-02T08:30:10.000Z', 100, 1],
} as const

beforeAll(async () => {
  store = await openIn(folder)
  const spans = Object.entries(traces).map(([traceId, [at, ms, costUsd]]) => {
    const startedAt = parseInstant(at)
    const endedAt = startedAt + BigInt(ms) * 1_000_000n
    const labels = {
      ...{ name: traceId, environment: traceId, service: traceId, model: traceId },
      tags: JSON.stringify([traceId]) as JsonText,
      ...(traceId === 'slow' && { status: 'ERROR' as const }),
    }
    return span(traceId, { traceId, startedAt, endedAt, costUsd, ...labels })
  })
  await store.record({ projectId, source: 'otlp', spans: store.encode(spans) })
  const scores = [
    ['a', 0.25, '2026-05-02T08:00:00.000Z'],
    ['b', 0.75, '2026-05-02T08:30:30.000Z'],
    ['c', 1, '2026-05-02T07:30:00.000Z'],
  ] as const
  await store.recordScores(
    projectId,
    scores.map(([id, value, at]) =>
      score(id, { traceId: 'early', name: 'helpful', value, createdAt: parseInstant(at) }),
    ),
  )
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const rule = {
  ...{ project_id: projectId, metric: 'no_data', window_minutes: 60, filters: '{}' },
  score_name: null,
} as AlertRuleRow

const measured = (more: Partial<AlertRuleRow>) => measure({ ...rule, ...more }, now, store, {})

describe('a measurement', () => {
  test.each([
    [5, 3],
    [15, 3],
    [60, 4],
    // Whole hours.
    [360, 5],
    [1440, 7],
  ])('of the last %d minutes counts %d traces', async (window_minutes, count) => {
    expect(await measured({ window_minutes })).toEqual({ value: count, count })
  })

  test('of the cost is about the day so far, whatever the window', async () => {
    expect(await measured({ metric: 'cost_per_day', window_minutes: 5 })).toMatchObject({
      value: 63,
    })
  })

  test('of the latency is its 90th percentile', async () => {
    const { value } = await measured({ metric: 'latency_p90', window_minutes: 5 })
    expect(value).toBeGreaterThan(8000)
  })

  test('of errors is their share', async () => {
    expect((await measured({ metric: 'error_rate' })).value).toBe(0.25)
  })

  test('of scores is the mean of those given in the window', async () => {
    const scores = { metric: 'score_mean', score_name: 'helpful' } as const
    expect(await measured(scores)).toEqual({ value: 0.5, count: 2 })
    expect(await measured({ ...scores, window_minutes: 5 })).toEqual({ value: 0.75, count: 1 })
    expect(await measured({ ...scores, score_name: 'polite' })).toEqual({ value: null, count: 0 })
  })

  test.each([
    [{ mode: 'live' }, 7],
    [{ mode: 'simulation' }, 0],
    [{ name: 'slow' }, 1],
    [{ environment: 'slow' }, 1],
    [{ service: 'slow' }, 1],
    [{ model: 'slow' }, 1],
    [{ tag: 'slow' }, 1],
    [{ tag: ['slow', 'hour'] }, 0],
    [{ name: 'slow', environment: 'hour' }, 0],
  ])('with the filters %j counts %d traces', async (filters, count) => {
    const day = { window_minutes: 1440, filters: JSON.stringify(filters) } as const
    expect((await measured(day)).count).toBe(count)
  })
})
