import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { computed, idsOf, span, start, stored, storeHelpers, watchIds } from '../port/samples.ts'
import { score } from '../port/score-samples.ts'
import { log, measurement } from '../port/signal-samples.ts'
import type { TelemetryStore } from '../port/store.ts'
import { folderOfTest, storeOfTest } from './test-store.ts'

/*
 * What this engine guarantees beyond the port: transactions, removals that take effect at once, immediate
 * notification and exact counts.
 */

let store: TelemetryStore
let projectId: string
const { record, everySpan, everyTrace } = storeHelpers(() => store)

beforeEach(async () => {
  store = await storeOfTest(folderOfTest())
  projectId = randomUUID()
})

describe('a write that fails leaves nothing', () => {
  const impossible = 2n ** 80n

  test('of a batch of spans', async () => {
    const spans = [
      span('a'),
      span('a', { traceId: 'other' }),
      span('b', { startedAt: impossible, endedAt: impossible }),
    ]
    await Promise.all([
      expect(record(projectId, spans)).rejects.toThrow(),
      record(projectId, [span('kept')]),
    ])
    expect(idsOf(await everyTrace(projectId))).toEqual(['trace'])
    expect((await everySpan(projectId, 'trace')).map(({ spanId }) => spanId)).toEqual(['kept'])
  })

  test('of a batch of log records or metrics', async () => {
    const logs = store.encodeLogs([log('lost'), log('impossible', { at: impossible })])
    const metrics = store.encodeMetrics([measurement(), measurement({ at: impossible })])
    await expect(store.recordLogs(projectId, logs)).rejects.toThrow()
    await expect(store.recordMetrics(projectId, metrics)).rejects.toThrow()
    const query = { limit: 9, scanLimit: 9, filters: {} }
    expect((await store.listLogs(projectId, query)).logs).toEqual([])
    expect((await store.listMetrics(projectId, { limit: 9 })).metrics).toEqual([])
  })

  test('of a re-pricing, and later changes are correct', async () => {
    const call = (spanId: string) => span(spanId, { model: 'm', tokensIn: 3 })
    await record(projectId, [call('a'), call('b')])
    const range = { from: start, to: start + 1n }
    const { spans } = await store.listPriceable(projectId, { range, limit: 9 })
    const prices = spans.map(({ traceId, spanId, version }, i) => ({
      ...{ traceId, spanId, version },
      price: {
        ...{ computedCostUsd: 1, priceSource: null, unpricedReason: null },
        priceDate: i === 0 ? '2026-02-03' : (impossible as unknown as string),
      },
    }))
    await expect(store.reprice(projectId, prices)).rejects.toThrow()
    expect(await everySpan(projectId, 'trace')).toEqual([stored(call('a')), stored(call('b'))])
    await record(projectId, [span('c')])
    const now = [call('a'), call('b'), span('c')]
    expect(await store.findTrace(projectId, 'trace')).toMatchObject(computed(now))
  })
})

test('while batches are recorded, pages agree with the trace', async () => {
  let isDone = false
  const recording = (async () => {
    for (let i = 0; i < 60; i += 1) await record(projectId, [span(`${i} a`), span(`${i} b`)])
    isDone = true
  })()
  const counts = new Set<boolean>()
  while (!isDone) {
    const page = await store.readSpansJson(projectId, 'trace', { limit: 1000, bodies: false })
    if (page !== undefined) counts.add(page.trace.spanCount === page.count)
  }
  await recording
  expect([...counts]).toEqual([true])
})

describe('removal', () => {
  const large = Array.from({ length: 12_000 }, (_, i) => span(`s${i}`, { traceId: 'large' }))

  test('of a large trace takes steps, between which others record', async () => {
    await record(projectId, large)
    const order: string[] = []
    const removal = store.removeTrace(projectId, 'large').then(() => order.push('removed'))
    await record(randomUUID(), [span('a')])
    order.push('recorded')
    await removal
    expect(order).toEqual(['recorded', 'removed'])
    expect(await store.findTrace(projectId, 'large')).toBeUndefined()
    expect(await everyTrace(projectId)).toEqual([])
  })

  test('of old traces, old signals and projects takes several steps', async () => {
    await record(projectId, [...large, span('a', { startedAt: start + 1n })])
    const first = await store.removeOldTraces(projectId, start + 2n)
    expect(first).toEqual({ traceCount: 1, isDone: false })
    expect(idsOf(await everyTrace(projectId))).toEqual(['trace'])
    const logs = Array.from({ length: 4500 }, (_, i) => log(`${i}`, { at: start + BigInt(i) }))
    await store.recordLogs(projectId, store.encodeLogs(logs))
    expect(await store.removeOldSignals(projectId, start + 4500n)).toBeDefined()
    expect(await store.removeProject(projectId)).toBe('more')
  })
})

test('changes are delivered once, before the operation resolves, and only of what changed', async () => {
  const { reported, end } = watchIds(store, projectId)
  const taken = () => reported.splice(0)
  await record(projectId, [span('a'), span('a', { traceId: 'other' })])
  expect(taken().toSorted()).toEqual(['other', 'trace'])
  await record(projectId, [span('c', { startedAt: 2n ** 80n })]).catch(() => undefined)
  expect(taken()).toEqual([])
  await store.recordScores(projectId, [score('a')])
  expect(taken()).toEqual(['trace'])
  await store.removeScores(projectId, 'trace', ['none'])
  expect(taken()).toEqual([])
  await store.removeScores(projectId, 'trace', ['a'])
  expect(taken()).toEqual(['trace'])
  end()
})

test('counts are exact', async () => {
  await record(projectId, [span('a'), span('b'), span('a', { traceId: 'other' })])
  const list = await store.listTraces(projectId, { limit: 1, filters: {} })
  expect(list).toMatchObject({ total: 2, isTotalEstimate: false })
  const used = await store.readStorage(projectId)
  expect(used).toMatchObject({ isEstimate: false, traces: { count: 2 }, spans: { count: 3 } })
})
