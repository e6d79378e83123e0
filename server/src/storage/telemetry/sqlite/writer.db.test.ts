import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Span } from '../../../domain/span.ts'
import { anySpan, computed, span, start } from '../port/samples.ts'
import { finish } from '../steps.ts'
import { toBatch } from './batch-samples.ts'
import { prepareRows } from './database.ts'
import { openToWrite } from './telemetry-file.ts'
import { folderOfTest } from './test-store.ts'
import { readTraceColumns, type TraceRow, toTrace } from './trace-columns.ts'
import { type Batch, openWriter } from './writer.ts'

function openForTest(smallSpansMax: number) {
  const db = openToWrite(join(folderOfTest(), 'telemetry.sqlite'))
  onTestFinished(() => db.close())
  const writer = openWriter(db, smallSpansMax)
  const traces = prepareRows(db, `select ${readTraceColumns.selection} from traces`)
  return {
    writer,
    store(batch: Batch) {
      const [written] = writer.store([batch], start)
      return written?.outcome === 'large'
        ? finish(writer.storeInSteps(batch, start))
        : written?.outcome
    },
    readTraces: () => (traces.all() as unknown as TraceRow[]).map((row) => toTrace('p', row)),
    count: (table: string) => db.prepare(`select count(*) n from ${table}`).get()?.['n'],
  }
}

const large = (traceId: string) =>
  Array.from({ length: 3000 }, (_, n) => span(`${n}`, { traceId, parentSpanId: `${n >> 1}` }))

test('a group leaves out batches of large traces, which are stored in steps with the same outcome', () => {
  const { writer, store, readTraces, count } = openForTest(2000)
  for (const traceId of ['a', 'b']) store(toBatch(large(traceId)))
  const one = (traceId: string) => span('new', { traceId })
  const idempotency = { key: 'k', note: 'n' }
  const replacing = span('5', { traceId: 'b' })
  const batch = () => toBatch([one('small'), one('a'), one('b'), replacing], { idempotency })
  const other = toBatch([one('other')], { projectId: 'other' })

  const [left, stored] = writer.store([batch(), other], start)
  expect([left?.outcome, stored?.outcome]).toMatchObject(['large', { traces: [{ spanCount: 1 }] }])
  expect(count('spans')).toBe(6001)

  const steps = writer.storeInSteps(batch(), start)
  let stepCount = 0
  for (; steps.next().done !== true; stepCount += 1) {
    const others = [toBatch([span(`${stepCount}`)], { projectId: 'other' })]
    expect(writer.store(others, start)).toMatchObject([{ outcome: { repeated: false } }])
  }
  expect(stepCount).toBeGreaterThan(20)
  const counts = readTraces().map(({ traceId, spanCount }) => [traceId, spanCount])
  expect(Object.fromEntries(counts)).toMatchObject({ small: 1, a: 3001, b: 3001 })
  expect(store(batch())).toMatchObject({ repeated: true, note: 'n' })
})

test('a trace is not moved to a project that is storing one with the same id in steps', () => {
  const { writer, store, count } = openForTest(2000)
  store(toBatch(large('large')))
  store(toBatch([span('a', { traceId: 'same' })], { projectId: 'q' }))
  // Parents that form a cycle take steps before the trace is stored.
  const cycle = ['x', 'y'].map((spanId, n) =>
    span(spanId, { traceId: 'same', parentSpanId: 'yx'[n]! }),
  )
  const batch = toBatch([...large('same'), ...cycle, span('new', { traceId: 'large' })])
  const steps = writer.storeInSteps(batch, start)
  expect(steps.next().done).toBe(false)
  const change = { type: 'adopt', projectId: 'p', fromProjectId: 'q', traceId: 'same' } as const
  const move = writer.change(change, start)
  expect(move.next()).toEqual({ done: false, value: 'waiting' })
  expect(finish(steps)).toMatchObject({ traces: [{ spanCount: 3002 }, { spanCount: 3001 }] })
  expect(finish(move)).toEqual({ traceIds: [], reason: 'exists' })
  expect([count('traces'), count('spans')]).toEqual([3, 6004])
})

test('a batch that replaces a span of a large trace deletes the block of that span', () => {
  const { store, count } = openForTest(2)
  for (let i = 0; i < 5; i += 1) store(toBatch([span(`${i}`)]))
  expect(store(toBatch([span('2', { name: 'again' })]))).toMatchObject({
    traces: [{ spanCount: 5 }],
  })
  expect([count('spans'), count('blocks')]).toEqual([5, 5])
})

test('traces agree with their spans, stored in steps or not, and leave nothing when they are removed', () => {
  const ids = fc.constantFrom('span 0', 'span 1', 'span 2', 'span 3', 'span 4')
  const some = fc.array(
    fc.tuple(anySpan, ids).map(([each, spanId]) => ({ ...each, spanId })),
    { minLength: 1, maxLength: 4 },
  )
  const batches = fc.array(some, { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(batches, fc.nat(4), fc.boolean(), (drawn, smallSpansMax, isMoved) => {
      const { writer, store, readTraces, count } = openForTest(smallSpansMax)
      const spans = new Map<string, Span>()
      for (const batch of drawn) {
        store(toBatch(batch))
        for (const each of batch) spans.set(each.spanId, each)
        expect(readTraces()).toMatchObject([computed([...spans.values()])])
      }
      const ref = { projectId: isMoved ? 'q' : 'p', traceId: 'trace' }
      if (isMoved) finish(writer.change({ type: 'adopt', fromProjectId: 'p', ...ref }, start))
      finish(writer.change({ type: 'remove', ...ref }, start))
      const tables = ['traces', 'spans', 'blocks', 'hourly_rollups', 'trace_groups', 'facet_traces']
      expect(tables.map(count)).toEqual(tables.map(() => 0))
    }),
    { numRuns: 60 },
  )
})
