import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasClickHouseEngine } from '../../../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../../../test/clickhouse/gated-engine.ts'
import { eventually } from '../../../../test/eventually.ts'
import type { JsonText } from '../../../domain/json-text.ts'
import { Unavailable } from '../../../platform/failure.ts'
import type { Position } from '../port/position.ts'
import { ReadTimeout } from '../port/read-options.ts'
import { body, labels, span, start } from '../port/samples.ts'
import { score } from '../port/score-samples.ts'
import { contentLog } from '../port/signal-samples.ts'
import type { TelemetryStore } from '../port/store.ts'
import type { TraceFilters } from '../port/traces.ts'
import { openAttributeComparison } from './attribute-comparison.ts'
import { type Connection, openConnection } from './connection.ts'
import { openSpanReads } from './span-reads.ts'
import { openTraceCount } from './trace-count.ts'

/*
 * Reads in the engine itself: that they are streamed, stopped and bounded.
 */

const endless = 'SELECT count() FROM system.numbers WHERE sipHash64(number) = 1'

describe.runIf(hasClickHouseEngine())('reads in ClickHouse', { timeout: 60_000 }, () => {
  const clickHouse = useGatedEngine('SQLite')
  let store: TelemetryStore
  let connection: Connection
  beforeAll(async () => {
    // Nothing else reads while rows are counted.
    store = await clickHouse.openStore({ repairIntervalMs: 2 ** 31 - 1 })
    connection = openConnection({ url: clickHouse.engine.url, database: 'assay' })
  })
  afterAll(async () => {
    await connection.close()
    await store.close()
  })

  /** How many statements run that have the text. One that was stopped may be listed for a while. */
  const countRunning = async (text: string) => {
    const [row] = await connection.rows(
      "SELECT count() FROM system.processes WHERE is_cancelled = 0 AND position(query, {text:String}) > 0 AND query NOT LIKE '%system.processes%'",
      { text },
    )
    return Number(row?.[0])
  }

  /** By all statements so far. */
  const countRowsRead = async () => {
    const [row] = await connection.rows(
      "SELECT value FROM system.events WHERE event = 'SelectedRows'",
      {},
    )
    return Number(row?.[0])
  }

  /** Traces that start one after the other. */
  const recordTraces = async (projectId: string, name: string, count: number) => {
    const spans = Array.from({ length: count }, (_, i) => {
      const startedAt = start + BigInt(i) * 1_000_000n
      return span('a', { traceId: `${name} ${i}`, startedAt, endedAt: startedAt })
    })
    await store.record({ projectId, source: 'otlp', spans: store.encode(spans) })
  }

  test('rows arrive before the statement is complete, and it ends when no more are read', async () => {
    let count = 0
    for await (const rows of connection.stream('SELECT number FROM system.numbers', {})) {
      count += rows.length
      if (count > 1000) break
    }
    await eventually(async () => expect(await countRunning('number FROM system.numbers')).toBe(0))
  })

  test('a statement that fails after rows were sent rejects after them', async () => {
    const failing = `SELECT number, throwIf(number = 300000, 'no more') FROM numbers(1000000)
      SETTINGS max_block_size = 1000, max_threads = 1`
    let count = 0
    const read = async () => {
      for await (const rows of connection.stream(failing, {})) count += rows.length
    }
    await expect(read()).rejects.toThrow('no more')
    expect(count).toBeGreaterThan(0)
    await expect(connection.rows(failing, {})).rejects.toThrow('no more')
  })

  test('an aborted statement ends in the server', async () => {
    const controller = new AbortController()
    const reason = new Error('no longer needed')
    const reading = connection.rows(endless, {}, { signal: controller.signal })
    await eventually(async () => expect(await countRunning('sipHash64(number) = 1')).toBe(1))
    controller.abort(reason)
    await expect(reading).rejects.toBe(reason)
    await eventually(async () => expect(await countRunning('sipHash64(number) = 1')).toBe(0))
  })

  test('rows that an aborted statement had found are not among those of the next', async () => {
    const aborted = new AbortController()
    // Two SELECTs: the engine for tests does not stream it.
    const first = connection.rows(
      "SELECT 'first', sleepEachRow(0.1) FROM (SELECT number FROM numbers(20)) SETTINGS max_block_size = 1",
      {},
      { signal: aborted.signal },
    )
    await eventually(async () => expect(await countRunning('sleepEachRow(0.1)')).toBe(1))
    await sleep(300)
    aborted.abort(new Error('no longer wanted'))
    await expect(first).rejects.toThrow('no longer wanted')
    await eventually(async () => expect(await countRunning('sleepEachRow(0.1)')).toBe(0))
    await sleep(500)
    // The statements that count have used connections, too.
    const next = await Promise.all(
      Array.from({ length: 8 }, () => connection.rows("SELECT 'next'", {})),
    )
    expect(next).toEqual(Array.from({ length: 8 }, () => [['next']]))
  })

  test('the server stops a statement after its time, and one that needs too much memory', async () => {
    await expect(connection.rows(endless, {}, { timeoutMs: 200 })).rejects.toThrow(ReadTimeout)
    const large = 'SELECT length(groupArray(number)) FROM numbers(1000000000)'
    const error = await connection.rows(large, {}, { timeoutMs: 30_000 }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(Unavailable)
    expect(error).toHaveProperty('message', expect.stringContaining('memory'))
    expect(await connection.rows('SELECT 1', {})).toEqual([[1]])
  })

  test('attributes are compared up to a number of bytes, and of a larger trace not the rest', async () => {
    const projectId = randomUUID()
    const attributes = (size: number, value: string) =>
      JSON.stringify({ filler: 'x'.repeat(size), key: value }) as JsonText
    const traceIds = Array.from({ length: 8 }, (_, i) => `trace ${i}`)
    const spans = traceIds.flatMap((traceId) => [
      span('a', { traceId, body: { ...body, attributes: attributes(1000, 'last') } }),
    ])
    const large = [
      span('a', { traceId: 'large', body: { ...body, attributes: attributes(9000, 'first') } }),
      span('b', { traceId: 'large', body: { ...body, attributes: attributes(10, 'last') } }),
    ]
    await store.record({
      ...{ projectId, source: 'otlp' },
      spans: store.encode([...spans, ...large]),
    })
    const ids = [...traceIds, 'large']
    const found = await store.findTraces(projectId, ids)
    const traces = ids.map((id) => found.find(({ traceId }) => traceId === id)!)
    const compare = async (of: typeof traces, value: string) => {
      const filters = [{ key: 'key', value }]
      const comparison = openAttributeComparison(connection, projectId, filters, 4000)
      const { matches, count } = await comparison.compare(of, {})
      return { count, matches: matches.map(({ traceId }) => traceId) }
    }
    expect(await compare(traces, 'last')).toEqual({ count: 4, matches: ids.slice(0, 4) })
    const [last] = traces.slice(-1)
    expect(await compare([last!, ...traces], 'first')).toEqual({ count: 1, matches: ['large'] })
    expect(await compare([traces[0]!, last!], 'last')).toEqual({ count: 2, matches: ['trace 0'] })
  })

  test('the size of spans is reported with what log records have for them, before it is read', async () => {
    const projectId = randomUUID()
    await store.record({ projectId, source: 'otlp', spans: store.encode([span('a')]) })
    const input = 'x'.repeat(3_000_000)
    await store.recordLogs(projectId, store.encodeLogs([contentLog('a', input, null)]))
    const sizes: number[] = []
    const options = { onLargeRead: (bytes: number) => void sizes.push(bytes) }
    await store.readSpansJson(projectId, 'trace', { limit: 9, bodies: true }, options)
    await store.readSpanJson(projectId, 'trace', 'a', options)
    expect(sizes).toHaveLength(2)
    for (const size of sizes) expect(Math.abs(size / input.length - 1)).toBeLessThan(0.01)
  })

  test('tool calls are read without the inputs of model calls', async () => {
    const projectId = randomUUID()
    const input = JSON.stringify('x'.repeat(100_000)) as JsonText
    const calls = Array.from({ length: 30 }, (_, n) =>
      span(`${n}`, { kind: 'llm', startedAt: start + BigInt(n), body: { ...body, input } }),
    )
    await store.record({ projectId, source: 'otlp', spans: store.encode(calls) })
    let textLength = 0
    const measured: Connection = {
      ...connection,
      async rows(...args) {
        const rows = await connection.rows(...args)
        textLength += JSON.stringify(rows).length
        return rows
      },
    }
    const page = await openSpanReads(measured).toolCalls(projectId, 'trace', { limit: 100 }, {})
    expect(page).toMatchObject({ modelCallId: '29', firstSpanId: '0' })
    expect(textLength).toBeLessThan(input.length)
  })

  test('a trace whose result of the evaluator is removed while it is read is no disagreement', async () => {
    const projectId = randomUUID()
    const evaluatorId = 'e'
    await store.record({ projectId, source: 'otlp', spans: store.encode([span('a')]) })
    await store.recordScores(projectId, [
      score('machine', { evaluatorId }),
      score('person', { evaluatorId, passed: false, source: 'person', authorId: 'ana' }),
    ])
    const range = { from: 0n, to: 2n * start, limit: 9, scanLimit: 9 }
    const list = () =>
      store.listDisagreements(projectId, { ...range, evaluatorId, kind: 'majority' })
    expect((await list()).disagreements).toHaveLength(1)
    const held = clickHouse.gate.hold('BY trace_id, source')
    const listing = list()
    await held.reached
    expect(await store.removeScores(projectId, 'trace', ['machine'])).toBe(1)
    held.release()
    expect((await listing).disagreements).toEqual([])
  })

  test('rules read what has settled since their position, and not all traces of the project', async () => {
    const projectId = randomUUID()
    await recordTraces(projectId, 'old', 4000)
    const query = { ...{ filters: {}, receivedSince: 0n, scanLimit: 5000, countLimit: 5000 } }
    const list = async (after?: Position) => {
      const until = 2n ** 62n
      return await store.listSettledTraces(projectId, { ...query, until, ...(after && { after }) })
    }
    const { traces, end } = await list()
    expect(traces).toHaveLength(4000)
    await recordTraces(projectId, 'new', 1)
    const before = await countRowsRead()
    const page = await list(end!.position)
    expect(page.traces.map(({ trace }) => trace.traceId)).toEqual(['new 0'])
    expect((await countRowsRead()) - before).toBeLessThan(4000)
  })

  test('a search for a word that is everywhere reads the spans of the newest traces only', async () => {
    const projectId = randomUUID()
    await recordTraces(projectId, 'trace', 24_000)
    const before = await countRowsRead()
    const query = { limit: 10, filters: { search: 'run' } }
    expect((await store.listTraces(projectId, query)).traces).toHaveLength(10)
    expect((await countRowsRead()) - before).toBeLessThan(24_000)
  })

  test('traces are counted up to a number, and of more the total is an estimate that says so', async () => {
    const projectId = randomUUID()
    await recordTraces(projectId, 'first', 1000)
    await recordTraces(projectId, 'first', 1000)
    await store.record({
      ...{ projectId, source: 'otlp', labels: labels({ mode: 'simulation' }) },
      spans: store.encode([span('a', { traceId: 'other' })]),
    })
    const count = async (rowsMax: number, filters: TraceFilters = {}) =>
      await openTraceCount(connection, rowsMax)(projectId, { limit: 1, filters }, {})
    const exactly = (total: number | null) => ({ total, isTotalEstimate: false })
    const around = (least: number, most: number) => ({
      ...{ isTotalEstimate: true, total: expect.toSatisfy((n) => n >= least && n <= most) },
    })
    expect(await count(5000)).toEqual(exactly(1001))
    expect(await count(5000, { mode: 'live' })).toEqual(exactly(1000))
    // However many of the earlier states are stored.
    expect(await count(500)).toEqual(around(900, 1100))
    expect(await count(500, { mode: 'live' })).toEqual(around(900, 1100))
    expect(await count(500, { mode: 'simulation' })).toEqual(around(1, 2))
    expect(await count(500, { status: 'OK' })).toEqual(exactly(null))
  })

  test('sixteen searches of one tenant do not keep another from its list', async () => {
    const [hostile, other] = [randomUUID(), randomUUID()]
    const words = (i: number) => Array.from({ length: 200 }, (_, n) => `w${(i * 7 + n) % 5000}`)
    for (let batch = 0; batch < 10; batch += 1) {
      const spans = Array.from({ length: 500 }, (_, i) => {
        const input = JSON.stringify(words(batch * 500 + i).join(' ')) as JsonText
        return span('a', { traceId: `t${batch}-${i}`, body: { ...body, input } })
      })
      await store.record({ projectId: hostile, source: 'otlp', spans: store.encode(spans) })
    }
    await store.record({ projectId: other, source: 'otlp', spans: store.encode([span('a')]) })
    const ended: string[] = []
    const search = async (i: number) => {
      const filters = { search: `${words(i).slice(0, 20).join(' ')} w1*`, from: 0n, to: 2n * start }
      await store
        .listTraces(hostile, { limit: 100, filters }, { deadlineMs: 30_000 })
        .finally(() => ended.push('search'))
    }
    const searches = Array.from({ length: 16 }, (_, i) => search(i))
    const list = await store.listTraces(other, { limit: 10, filters: {} })
    ended.push('list')
    await Promise.all(searches)
    expect(list.traces).toHaveLength(1)
    expect(ended.indexOf('list')).toBeLessThan(10)
  })
})
