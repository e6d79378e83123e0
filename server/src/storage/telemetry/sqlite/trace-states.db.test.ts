import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { plain } from '../../../domain/counted-span.samples.ts'
import { span, start } from '../port/samples.ts'
import { finish } from '../steps.ts'
import { toBatch } from './batch-samples.ts'
import type { StoredSpanState } from './span-columns.ts'
import { openToWrite } from './telemetry-file.ts'
import { folderOfTest } from './test-store.ts'
import { openTraceStates, type TraceState } from './trace-states.ts'
import { openWriter } from './writer.ts'

const some: StoredSpanState = { ...plain, blockNo: 1, repeatsSpanId: null, isSeparateCall: false }

const grown = (trace: TraceState, spans: number, name = some.name): TraceState => {
  for (let i = 0; i < spans; i += 1) {
    trace.spans.set(String(i), { ...some, spanId: String(i), name })
  }
  return trace
}

const openStates = () => {
  const db = openToWrite(join(folderOfTest(), 'telemetry.sqlite'))
  onTestFinished(() => db.close())
  const states = openTraceStates(db)
  const take = (traceId: string) => finish(states.take(1, traceId))
  return { db, states, take }
}

test('the most recently changed traces stay cached, including two of the maximum size', () => {
  const { states, take } = openStates()
  const traces = new Map(['a', 'b', 'c', 'small'].map((traceId) => [traceId, take(traceId)]))
  const cache = (traceId: string, spans: number, name?: string) =>
    states.cache([grown(traces.get(traceId)!, spans, name)])
  const listCached = () =>
    [...traces].flatMap(([traceId, trace]) => {
      const isCached = take(traceId) === trace
      if (isCached) states.cache([trace])
      else states.invalidate([trace])
      return isCached ? [traceId] : []
    })

  for (const traceId of ['a', 'b', 'c']) cache(traceId, 100_000)
  expect(listCached()).toEqual(['b', 'c'])

  // The texts of spans count, not only their number.
  cache('small', 10_000, 'x'.repeat(8000))
  expect(listCached()).toEqual(['small'])

  states.invalidate([traces.get('small')!])
  expect(listCached()).toEqual([])
})

test('a large trace is only taken, and others that would take too much memory wait for it', () => {
  const { db, states, take } = openStates()
  const writer = openWriter(db)
  for (const traceId of ['a', 'b']) writer.store([toBatch([span('s', { traceId })])], start)
  db.exec('update traces set span_count = 150_000')
  expect(states.find(1, 'a')).toBeUndefined()
  const a = take('a')
  const waiting = states.take(1, 'b')
  expect(waiting.next()).toEqual({ done: false, value: 'waiting' })
  expect(states.isTaken({ projectNo: 1, traceId: 'b' })).toBe(true)
  states.cache([a])
  expect(finish(waiting)).toMatchObject({ traceId: 'b' })
})

test('a large trace that cannot be read makes no other wait', () => {
  const { db, states, take } = openStates()
  const writer = openWriter(db)
  for (const traceId of ['a', 'b']) writer.store([toBatch([span('s', { traceId })])], start)
  db.exec('update traces set span_count = 150_000')
  db.exec('alter table spans rename to unreadable_spans')
  expect(() => take('a')).toThrow('no such table')
  db.exec('alter table unreadable_spans rename to spans')
  expect(states.take(1, 'b').next().value).not.toBe('waiting')
})
