import { afterAll, beforeAll, describe } from 'vitest'
import { lateBound } from '../../../../test/late-bound.ts'
import type { OpenStore } from './samples.ts'
import { describeSpanJson } from './span-json.suite.ts'
import type { TelemetryStore } from './store.ts'
import { describeTraceFilters } from './trace-filters.suite.ts'
import { describeTraceOrder } from './trace-order.suite.ts'
import { describeTracePages } from './trace-pages.suite.ts'

/*
 * What traces.ts promises, as tests. Search is in search.suite.ts.
 */

export function describeTraces(open: OpenStore): void {
  describe('traces', () => {
    let opened: TelemetryStore | undefined
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened?.close())

    const store = lateBound(() => opened)
    describeTracePages(store)
    describeSpanJson(store)
    describeTraceFilters(store)
    describeTraceOrder(store)
  })
}
