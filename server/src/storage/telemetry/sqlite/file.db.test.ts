import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import type { Span } from '../../../domain/span.ts'
import { bucketStart } from '../../../domain/time-buckets.ts'
import { body, labels, span, start } from '../port/samples.ts'
import type { TelemetryStore } from '../port/store.ts'
import { firstVersion, migrations, rollupsByModeVersion } from './migrations.ts'
import { openReadLimits } from './read-limits.ts'
import { dimensionNo } from './statements/rollups.ts'
import { signalNo } from './statements/row-counts.ts'
import { agreementByEvaluator, disagreements } from './statements/score-agreement.ts'
import { scoreCounts, tracesWithVerdict } from './statements/scores.ts'
import { countSettled, examinedTraces, settledTraces } from './statements/settling.ts'
import { scanTraces } from './statements/trace-scans.ts'
import { openToWrite } from './telemetry-file.ts'
import { folderOfTest, openIn, storeOfTest } from './test-store.ts'

const projectId = 'project'

const record = (store: TelemetryStore, spans: readonly Span[]) =>
  store.record({ projectId, source: 'json', spans: store.encode(spans) })

const reading = <T>(folder: string, read: (db: DatabaseSync) => T): T => {
  const db = new DatabaseSync(join(folder, 'telemetry.sqlite'), { readOnly: true })
  try {
    return read(db)
  } finally {
    db.close()
  }
}

describe('the telemetry file', () => {
  test.each([
    ['a newer version', firstVersion + migrations.length],
    ['a build from before the first release', 1],
  ])('of %s is refused and left unchanged', async (_build, version) => {
    const folder = folderOfTest()
    const store = await openIn(folder)
    await record(store, [span('a')])
    await store.close()
    const file = join(folder, 'telemetry.sqlite')
    const db = new DatabaseSync(file)
    db.exec(`PRAGMA user_version = ${version}`)
    db.close()
    const before = readFileSync(file)
    await expect(openIn(folder)).rejects.toThrow(/newer version of Assay/)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('of the first version is migrated to the last', async () => {
    const folder = folderOfTest()
    const db = new DatabaseSync(join(folder, 'telemetry.sqlite'))
    db.exec(`${migrations[0]}; PRAGMA user_version = ${firstVersion}`)
    db.close()
    const store = await storeOfTest(folder)
    await record(store, [span('a', { traceName: 'report' })])
    const version = reading(folder, (file) => file.prepare('PRAGMA user_version').get())
    expect(version).toEqual({ user_version: firstVersion + migrations.length - 1 })
    const names = reading(folder, (file) => file.prepare('SELECT root_name FROM traces').all())
    expect(names).toEqual([{ root_name: 'report' }])
  })

  test('of a version that counted simulations as live traces counts them apart', async () => {
    const folder = folderOfTest()
    const before = await openIn(folder)
    for (const [traceId, mode] of [['a', 'live'] as const, ['b', 'simulation'] as const]) {
      const spans = before.encode([span('root', { traceId, model: 'm', costUsd: 0.5 })])
      await before.record({ projectId, source: 'json', spans, labels: labels({ mode }) })
    }
    await before.close()
    const db = new DatabaseSync(join(folder, 'telemetry.sqlite'))
    const rollups = 'SELECT * FROM hourly_rollups ORDER BY project_no, dimension, hour, value'
    const expected = db.prepare(rollups).all()
    // As that version: every trace was recorded as a live one.
    db.exec(`
      DELETE FROM hourly_rollups WHERE dimension > 10;
      UPDATE hourly_rollups
      SET count = count * 2, errors = errors * 2, calls = calls * 2, unpriced = unpriced * 2,
        tokens_in = tokens_in * 2, tokens_out = tokens_out * 2, cost_nanos = cost_nanos * 2,
        latencies = json_array(json_array(latencies ->> '$[0][0]', 2));
      DELETE FROM row_counts WHERE signal = ${signalNo.simulations};
      DROP INDEX traces_by_mode;
      ALTER TABLE traces DROP COLUMN unfinished; -- of a later version
      PRAGMA user_version = ${rollupsByModeVersion - 1};
    `)
    db.close()
    const store = await storeOfTest(folder)
    expect(reading(folder, (file) => file.prepare(rollups).all())).toEqual(expected)
    const { total } = await store.listTraces(projectId, { limit: 1, filters: { mode: 'live' } })
    expect(total).toBe(1)
  })

  test('is refused when it is not a database of ours', async () => {
    const folder = folderOfTest()
    writeFileSync(
      join(folder, 'telemetry.sqlite'),
      'not a database, but long enough to be read as one',
    )
    await expect(openIn(folder)).rejects.toThrow(/not a database/)
  })

  test('can be read by its owner only', async () => {
    const folder = folderOfTest()
    const store = await storeOfTest(folder)
    await record(store, [span('a')])
    for (const name of ['telemetry.sqlite', 'telemetry.sqlite-wal']) {
      expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
    }
  })
})

describe('blocks of bodies', () => {
  const noise = () => JSON.stringify(randomBytes(900).toString('base64')) as JsonText
  const noisy = (spanId: string, traceId = 'trace') =>
    span(spanId, { traceId, body: { ...body, input: noise() } })
  const blocksIn = (folder: string) =>
    reading(folder, (db) => db.prepare('SELECT count(*) AS n FROM blocks').get()?.['n'])

  test('are deleted with their last span, not earlier', async () => {
    const folder = folderOfTest()
    const store = await storeOfTest(folder)
    const first = [noisy('a'), noisy('b')]
    await record(store, first)
    await record(store, [noisy('a', 'other')])
    expect(blocksIn(folder)).toBe(2)
    const newA = noisy('a')
    await record(store, [newA])
    expect(blocksIn(folder)).toBe(3)
    expect((await store.findSpan(projectId, 'trace', 'b'))?.body).toEqual(first[1]?.body)
    await record(store, [noisy('b'), noisy('c')])
    expect(blocksIn(folder)).toBe(3)
    expect((await store.findSpan(projectId, 'trace', 'a'))?.body).toEqual(newA.body)
  })

  test('do not accumulate when spans are recorded repeatedly', async () => {
    const folder = folderOfTest()
    const store = await storeOfTest(folder)
    const ids = Array.from({ length: 200 }, (_, i) => String(i))
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(ids.map((id) => record(store, [noisy(id)])))
      await record(
        store,
        ids.map((id) => noisy(id)),
      )
    }
    // 200 bodies of 1200 bytes, at most 64 KiB per block.
    expect(blocksIn(folder)).toBe(4)
  })

  test('make the read fail when they are damaged, instead of returning wrong data', async () => {
    const folder = folderOfTest()
    const store = await storeOfTest(folder)
    await record(store, [noisy('a'), noisy('b')])
    const db = new DatabaseSync(join(folder, 'telemetry.sqlite'))
    db.exec('DELETE FROM blocks')
    db.close()
    await expect(store.findSpan(projectId, 'trace', 'a')).rejects.toThrow()
    expect(await store.findTrace(projectId, 'trace')).toMatchObject({ spanCount: 2 })
  })
})

test('the write-ahead log is checkpointed while spans are recorded and read', async () => {
  const folder = folderOfTest()
  const store = await storeOfTest(folder)
  const large = () => JSON.stringify(randomBytes(750_000).toString('base64')) as JsonText
  let isDone = false
  const reads = Promise.all(
    [1, 2].map(async () => {
      while (!isDone) await store.listTraces(projectId, { limit: 50, filters: { name: 'run' } })
    }),
  )
  for (let i = 0; i < 80; i += 1) {
    await record(store, [span('a', { traceId: String(i), body: { ...body, input: large() } })])
  }
  isDone = true
  await reads
  // Of about 80 MB.
  expect(statSync(join(folder, 'telemetry.sqlite-wal')).size).toBeLessThan(60_000_000)
})

test('a batch that is passed twice is rejected at once', async () => {
  const store = await openIn(folderOfTest())
  const spans = store.encode([span('a')])
  await store.record({ projectId, source: 'json', spans })
  await expect(store.record({ projectId, source: 'json', spans })).rejects.toThrow()
  await store.close()
})

test.each([
  ['newest', scanTraces('newest'), 'traces_by_start (project_no=?'],
  ['in error', scanTraces('inError'), 'error_traces_by_start (project_no=?'],
  ['of a session', scanTraces('ofSession'), 'traces_by_session (project_no=? AND session_id=?'],
  ['of a user', scanTraces('ofUser'), 'traces_by_user (project_no=? AND user_id=?'],
])('the list of traces, %s, is read in the order of its index', (_which, sql, index) => {
  const plan = planOf(sql)
  expect(plan).toContain(`${index} AND started_at>? AND (started_at,trace_id)<(?,?))`)
  expect(plan).not.toContain('TEMP B-TREE')
})

test.each([
  ['the agreement of evaluators', agreementByEvaluator, 'created_at>? AND created_at<?'],
  ['disagreements', disagreements, 'created_at>? AND (created_at,trace_no)<(?,?)'],
])(
  '%s are found by the scores of people in one project, in indexes alone',
  (_what, sql, bounds) => {
    const plan = planOf(sql)
    expect(plan).toContain(`COVERING INDEX compared_scores (project_no=? AND ${bounds})`)
    expect(plan).toContain('COVERING INDEX verdicts (trace_no=? AND evaluator_id=? AND source=?')
    expect(plan).not.toMatch(/SCAN (?!compared|judged)/)
  },
)

function planOf(sql: string): string {
  const db = openToWrite(join(folderOfTest(), 'telemetry.sqlite'))
  openReadLimits(db, () => false)
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
  db.close()
  return steps.map(({ detail }) => String(detail)).join('\n')
}

test('settled traces are read in the order of their index, and so are the scores of a page of traces', () => {
  const index = 'traces_by_settling (project_no=? AND settles_at>? AND settles_at<?)'
  for (const sql of [examinedTraces, countSettled, settledTraces]) {
    expect(planOf(sql)).toContain(index)
    expect(planOf(sql)).not.toMatch(/TEMP B-TREE|SCAN traces/)
  }
  expect(planOf(scoreCounts)).toMatch(/latest_scores_by_trace \(trace_no=\?\)/)
  expect(planOf(scoreCounts)).not.toMatch(/SCAN (traces|scores)/)
})

test('the traces whose score passed or failed are found in an index alone', () => {
  expect(planOf(tracesWithVerdict)).toContain(
    'COVERING INDEX latest_scores_by_verdict (project_no=? AND name=? AND passed=? AND value>? AND value<?)',
  )
})

test('traces of one mode are listed in the order of an index', () => {
  const plan = planOf(scanTraces('ofMode'))
  expect(plan).toContain('INDEX traces_by_mode (project_no=? AND mode=? AND started_at>?')
  expect(plan).not.toMatch(/TEMP B-TREE|SCAN traces/)
})

test('rollups never go below zero when traces are removed that were stored before rollups existed', async () => {
  const folder = folderOfTest()
  const before = await openIn(folder)
  await record(before, [span('a', { traceId: 'old' }), span('a', { traceId: 'older' })])
  await before.close()
  const db = openToWrite(join(folder, 'telemetry.sqlite'))
  const { cell, call } = dimensionNo
  db.exec(`DELETE FROM hourly_rollups WHERE dimension IN (${cell}, ${call})`)
  db.close()
  const store = await storeOfTest(folder)
  const counted = async () => {
    const from = bucketStart(start, hour)
    const filters = { name: 'run' }
    const range = { from, to: from + hour, bucketNanos: hour, scanLimit: 10 }
    const { buckets } = await store.readStats(projectId, { ...range, filters })
    return buckets.map(({ aggregates }) => aggregates.count)
  }
  await record(store, [span('a', { traceId: 'new' })])
  expect(await counted()).toEqual([1])
  for (const traceId of ['old', 'older']) await store.removeTrace(projectId, traceId)
  expect(await counted()).toEqual([])
  await record(store, [span('a', { traceId: 'newer' })])
  expect(await counted()).toEqual([1])
})

const hour = 3_600_000_000_000n
