import { randomUUID } from 'node:crypto'
import type { TelemetryStore } from '../../port/store.ts'
import { type Check, expectEqual } from './verification.ts'
import { verifiedSpan } from './verified-span.ts'

/*
 * The core of what the store promises, tried with two processes at once (port/store.ts).
 */

const probeRounds = 100

/** What one process has stored, every way of reading in the other one finds with its next read. */
export const checkVisibility: Check = async ({ stores: [writer, reader], projectId }) => {
  const times: number[] = []
  for (let round = 0; round < probeRounds; round += 1) {
    const traceId = `visible-${round}`
    const word = `word${round}x${randomUUID().slice(0, 8)}`
    await record(writer, projectId, [verifiedSpan(traceId, 0, word)])
    const startedAt = performance.now()
    const read = await reader.findTrace(projectId, traceId)
    expectEqual(read?.spanCount, 1, `Round ${round}, spans by id`)
    times.push(performance.now() - startedAt)
    const listed = await reader.listTraces(projectId, { limit: 5, filters: {} })
    const isListed = listed.traces.some((trace) => trace.traceId === traceId)
    expectEqual(isListed, true, `Round ${round}, in the list`)
    const found = await reader.listTraces(projectId, { limit: 1, filters: { search: word } })
    expectEqual(found.traces[0]?.traceId, traceId, `Round ${round}, by search`)
  }
  const median = times.toSorted((a, b) => a - b)[probeRounds / 2] ?? 0
  const longest = Math.max(...times)
  return `${probeRounds} traces, each found at once by id (p50 ${median.toFixed(0)} ms, max ${longest.toFixed(0)} ms), in the list and by search.`
}

const spansOfTrace = 60
const batchesAtOnce = 12

/** Whatever is resent, reordered or stored by several processes at once, a trace is the fold of its spans. */
export const checkConcurrency: Check = async ({ stores, projectId }) => {
  const spans = Array.from({ length: spansOfTrace }, (_, n) => verifiedSpan('concurrent', n))
  const batches = Array.from({ length: batchesAtOnce }, (_, n) =>
    spans.filter((_span, number) => number % (batchesAtOnce / 2) === n % (batchesAtOnce / 2)),
  )
  await Promise.all(
    batches.map((batch, n) => record(stores[n % 2 === 0 ? 0 : 1], projectId, batch)),
  )
  for (const store of stores) {
    const trace = await store.findTrace(projectId, 'concurrent')
    expectEqual(trace?.spanCount, spansOfTrace, 'Spans of a trace')
    expectEqual(trace?.tokensIn, spansOfTrace, 'Tokens of a trace')
  }
  return `${batchesAtOnce} batches of 2 processes at once, each span twice: ${spansOfTrace} spans, and the totals agree.`
}

const sendersOfKey = 10

export const checkIdempotency: Check = async ({ stores, projectId }) => {
  const results = await Promise.all(
    Array.from({ length: sendersOfKey }, async (_, n) => {
      const store = stores[n % 2 === 0 ? 0 : 1]
      const spans = store.encode([verifiedSpan('idempotent', 0)])
      const idempotency = { key: 'verified-key', note: '' }
      return await store.record({ projectId, source: 'json', spans, idempotency })
    }),
  )
  const first = results.filter(({ repeated }) => !repeated)
  expectEqual(first.length, 1, 'Effects of one idempotency key')
  return `${sendersOfKey} batches with one key, one effect.`
}

export const checkRemoval: Check = async ({ stores: [writer, reader], projectId }) => {
  const elsewhere = `${projectId}-elsewhere`
  for (const traceId of ['moved', 'removed', 'kept']) {
    await record(writer, projectId, [verifiedSpan(traceId, 0)])
  }
  expectEqual(await writer.moveTraces(elsewhere, projectId, ['moved']), ['adopted'], 'A move')
  expectEqual(await writer.removeTrace(projectId, 'removed'), true, 'A removal')
  const ids = ['moved', 'removed', 'kept']
  const left = await reader.findTraces(projectId, ids)
  expectEqual(
    left.map(({ traceId }) => traceId),
    ['kept'],
    'Traces after a move and a removal',
  )
  const moved = await reader.findTrace(elsewhere, 'moved')
  expectEqual(moved?.spanCount, 1, 'Spans of the moved trace')
  const spans = await reader.findSpan(projectId, 'removed', 'span-0')
  expectEqual(spans, undefined, 'Spans of the removed trace')
  return 'A moved and a removed trace are gone at the next read, others are not.'
}

async function record(
  store: TelemetryStore,
  projectId: string,
  spans: readonly ReturnType<typeof verifiedSpan>[],
): Promise<void> {
  await store.record({ projectId, source: 'otlp', spans: store.encode(spans) })
}
