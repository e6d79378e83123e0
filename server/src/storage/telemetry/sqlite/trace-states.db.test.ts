import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openToWrite } from './database.ts'
import type { StoredSpanState } from './span-columns.ts'
import { folderOfTest } from './test-store.ts'
import { openTraceStates, type TraceState } from './trace-states.ts'

const some = {} as StoredSpanState

const grown = (trace: TraceState, spans: number): TraceState => {
  for (let i = 0; i < spans; i += 1) trace.spans.set(String(i), some)
  return trace
}

test('traces lately touched are held, as many spans as the limit allows, a larger trace alone', () => {
  const db = openToWrite(join(folderOfTest(), 'telemetry.sqlite'))
  onTestFinished(() => db.close())
  const states = openTraceStates(db)
  const [a, b, c, large] = ['a', 'b', 'c', 'large'].map((traceId) => states.find(1, traceId))
  const isHeld = (trace: TraceState) => states.find(1, trace.traceId) === trace

  for (const trace of [a!, b!, c!]) states.keep([grown(trace, 20_000)])
  expect([a!, b!, c!].map(isHeld)).toEqual([false, true, true])

  // Growing counts, and so does being touched.
  states.keep([grown(b!, 29_000)])
  expect([b!, c!].map(isHeld)).toEqual([true, true])
  states.keep([grown(b!, 31_000)])
  expect([b!, c!].map(isHeld)).toEqual([true, false])

  states.keep([grown(large!, 60_000)])
  expect([b!, large!].map(isHeld)).toEqual([false, true])

  states.invalidate([large!])
  expect(isHeld(large!)).toBe(false)
})
