import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { plain } from '../../../domain/counted-span.samples.ts'
import { openToWrite } from './database.ts'
import type { StoredSpanState } from './span-columns.ts'
import { folderOfTest } from './test-store.ts'
import { openTraceStates, type TraceState } from './trace-states.ts'

const some: StoredSpanState = { ...plain, blockNo: 1 }

const grown = (trace: TraceState, spans: number, name = some.name): TraceState => {
  for (let i = 0; i < spans; i += 1) {
    trace.spans.set(String(i), { ...some, spanId: String(i), name })
  }
  return trace
}

test('the most recently changed traces stay cached, including two of the maximum size', () => {
  const db = openToWrite(join(folderOfTest(), 'telemetry.sqlite'))
  onTestFinished(() => db.close())
  const states = openTraceStates(db)
  const [a, b, c, small] = ['a', 'b', 'c', 'small'].map((traceId) => states.find(1, traceId))
  const isCached = (trace: TraceState) => states.find(1, trace.traceId) === trace

  for (const trace of [a!, b!, c!]) states.cache([grown(trace, 100_000)])
  expect([a!, b!, c!].map(isCached)).toEqual([true, true, true])

  // The texts of spans count, not only their number.
  states.cache([grown(small!, 10_000, 'x'.repeat(10_000))])
  expect([a!, b!, c!, small!].map(isCached)).toEqual([false, false, true, true])

  states.invalidate([small!])
  expect(isCached(small!)).toBe(false)
})
