import { randomUUID } from 'node:crypto'
import { limits } from '@assay/contract/limits.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import type { Span, Trace } from '../../../domain/span.ts'
import { body, type OpenStore, span, start } from './samples.ts'
import type { TelemetryStore } from './store.ts'
import type { TraceFilters } from './traces.ts'

/*
 * What traces.ts promises of the `search` filter, as tests.
 */

export function describeSearch(open: OpenStore): void {
  describe('search', () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const record = (projectId: string, spans: readonly Span[]) =>
      store.record({ projectId, source: 'json', spans: store.encode(spans) })

    const everyTrace = async (projectId: string, filters: TraceFilters = {}) =>
      (await store.listTraces(projectId, { limit: 1000, filters })).traces

    const saying = (text: string) => ({ ...body, input: JSON.stringify({ text }) as JsonText })
    /** Resolves when everything recorded can be searched. */
    const indexed = async () => {
      while (store.searchLagMs() > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    }
    const found = async (projectId: string, search: string, more: TraceFilters = {}) => {
      await indexed()
      return (await everyTrace(projectId, { ...more, search })).map(({ traceId }) => traceId)
    }

    test('finds words of names, status messages, inputs and outputs, in any script and order', async () => {
      const projectId = randomUUID()
      await record(projectId, [
        span('a', { traceId: 'x', name: 'get_weather', statusMessage: 'Timed out' }),
        span('b', { traceId: 'y', body: saying('今天天气很好 \n"K\u00f6ln"') }),
        span('c', {
          traceId: 'z',
          body: { ...body, output: '"snow in \\u5929\\u6c14"' as JsonText },
        }),
      ])
      expect(await found(projectId, 'WEATHER')).toEqual(['x'])
      expect(await found(projectId, 'out timed get')).toEqual(['x'])
      expect(await found(projectId, 'koln')).toEqual(['y'])
      expect(await found(projectId, '天气')).toEqual(['z', 'y'])
      expect(await found(projectId, '天气 snow')).toEqual(['z'])
      expect(await found(projectId, 'sno*')).toEqual(['z'])
      expect(await found(projectId, 'weather snow')).toEqual([])
      expect(await found(projectId, '天气', { kind: 'agent', to: start })).toEqual([])
      expect(await found(projectId, '...')).toEqual([])
      expect(await found(randomUUID(), 'weather')).toEqual([])
    })

    test('finds a text by all of its words, however many a query has', async () => {
      const projectId = randomUUID()
      const words = Array.from({ length: 170 }, (_, i) => i.toString(36).padStart(2, 'z'))
      const text = words.join(' ')
      expect(text.length).toBeLessThanOrEqual(limits.traceSearchLength.value)
      await record(projectId, [
        span('a', { traceId: 'all', body: saying(text) }),
        span('a', { traceId: 'few', body: saying(words.slice(1).join(' ')) }),
      ])
      expect(await found(projectId, text)).toEqual(['all'])
    })

    test('never returns traces of another project, and follows replaced, moved and removed traces', async () => {
      const [mine, theirs] = [randomUUID(), randomUUID()]
      await record(mine, [
        span('a', { body: saying('apple') }),
        span('b', { body: saying('pear') }),
      ])
      await record(theirs, [span('a', { body: saying('apple') })])
      expect(await found(mine, 'apple')).toEqual(['trace'])
      await record(mine, [span('a', { body: saying('cherry') })])
      expect(await found(mine, 'apple')).toEqual([])
      expect(await found(theirs, 'apple')).toEqual(['trace'])
      const other = randomUUID()
      await store.moveTraces(other, mine, ['trace'])
      expect(await found(mine, 'cherry')).toEqual([])
      expect(await found(other, 'cherry')).toEqual(['trace'])
      expect(await found(other, 'pear')).toEqual(['trace'])
      await store.removeTrace(other, 'trace')
      await record(other, [span('n', { name: 'again' })])
      expect(await found(other, 'cherry')).toEqual([])
      expect(await found(other, 'again')).toEqual(['trace'])
    })

    test('pages newest first through words that thousands of spans have', async () => {
      const projectId = randomUUID()
      const spans = Array.from({ length: 6000 }, (_, i) =>
        span('a', {
          traceId: `t${i}`,
          startedAt: start + BigInt(((i * 7919) % 6000) >> 1),
          name: i % 3 === 0 ? 'other' : 'common',
          status: i % 5 === 0 ? 'ERROR' : 'OK',
        }),
      )
      await record(projectId, [...spans, span('b', { traceId: 't1', name: 'common' })])
      await indexed()
      const expected = (
        await store.listTraces(projectId, {
          limit: 9000,
          filters: { name: 'common', status: 'OK' },
        })
      ).traces
      expect(expected.length).toBe(3200)
      const seen: Trace[] = []
      const query = { limit: 1000, filters: { search: 'COMMON', status: 'OK' as const } }
      let page = await store.listTraces(projectId, query)
      for (;;) {
        seen.push(...page.traces)
        if (page.next === undefined) break
        page = await store.listTraces(projectId, { ...query, after: page.next })
      }
      expect(seen).toEqual(expected)
    })
  })
}
