import { randomUUID } from 'node:crypto'
import { limits } from '@assay/contract/limits.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import type { Trace } from '../../../domain/span.ts'
import type { Position } from './position.ts'
import {
  body,
  byStart,
  idAsSpan,
  idsOf,
  labels,
  parseSpans,
  readSpans,
  span,
  start,
  stored,
  storeHelpers,
} from './samples.ts'
import type { TelemetryStore } from './store.ts'
import type { SpanQuery, TraceFilters, TraceQuery } from './traces.ts'

/*
 * The order of traces and spans, and how their pages end.
 */

export function describeTracePages(store: TelemetryStore): void {
  const { record, everySpan, everyTrace } = storeHelpers(() => store)

  /** The ids of the spans of each page. */
  const listPages = async (projectId: string, query: SpanQuery) => {
    const pages: string[][] = []
    let after: Position | undefined
    do {
      const page = await store.readSpansJson(projectId, 'trace', {
        ...query,
        ...(after && { after }),
      })
      pages.push(parseSpans(page!).map(({ span_id }) => span_id))
      after = page?.next
    } while (after !== undefined)
    return pages
  }

  describe('order and pages', () => {
    // Ids whose order differs by UTF-16 units, by case, and by length.
    const ids = ['a', 'B', 'aa', '\uFB01', '\u{1F600}', 'z'.repeat(100), '%', '0', '10', '9']

    test('traces are listed newest first to the nanosecond, then by the bytes of their ids, descending', async () => {
      const projectId = randomUUID()
      const spans = ids.map((traceId, i) =>
        span('a', { traceId, startedAt: start + BigInt(i % 3) }),
      )
      await record(projectId, spans)
      const expected = spans.toSorted((a, b) => -byStart(idAsSpan(a), idAsSpan(b)))
      expect(idsOf(await everyTrace(projectId))).toEqual(expected.map(({ traceId }) => traceId))
    })

    test('spans are listed oldest first to the nanosecond, then by the bytes of their ids', async () => {
      const projectId = randomUUID()
      const spans = ids.map((id, i) => span(id, { startedAt: start + BigInt(i % 3) }))
      await record(projectId, spans)
      expect(await everySpan(projectId, 'trace')).toEqual(spans.toSorted(byStart).map(stored))
    })

    test('paging through traces returns each existing trace once, whatever arrives meanwhile', async () => {
      const times = fc.array(fc.bigInt({ min: 0n, max: 2n }), { minLength: 1, maxLength: 12 })
      const traceOf = (suffix: string) => (time: bigint, i: number) =>
        span('a', { traceId: `${i}${suffix}`, startedAt: start + time })
      const limits = fc.integer({ min: 1, max: 4 })
      await fc.assert(
        fc.asyncProperty(times, times, limits, async (old, fresh, limit) => {
          const projectId = randomUUID()
          await record(projectId, old.map(traceOf('old')))
          const arriving = fresh.map(traceOf('fresh'))
          const seen: string[] = []
          let page = await store.listTraces(projectId, { limit, filters: {} })
          for (;;) {
            expect(page.traces.length).toBeLessThanOrEqual(limit)
            seen.push(...idsOf(page.traces))
            if (page.next === undefined) break
            await record(projectId, arriving.splice(-1))
            page = await store.listTraces(projectId, { limit, filters: {}, after: page.next })
          }
          expect(new Set(seen).size).toBe(seen.length)
          const oldIds = idsOf(await everyTrace(projectId)).filter((id) => id.endsWith('old'))
          expect(seen.filter((id) => id.endsWith('old'))).toEqual(oldIds)
          expect(oldIds.length).toBe(old.length)
        }),
        { numRuns: 15 },
      )
    })

    test('paging through spans returns each once, in order, also with equal start times', async () => {
      const projectId = randomUUID()
      const spans = Array.from({ length: 23 }, (_, i) =>
        span(`${(i * 7) % 23}`, { startedAt: start + BigInt(i % 3) }),
      )
      await record(projectId, spans)
      for (const limit of [1, 4, 22, 23, 24]) {
        const pages = await listPages(projectId, { limit, bodies: true })
        expect(pages).toHaveLength(Math.ceil(spans.length / limit))
        for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit)
        const found = await readSpans(store, projectId, 'trace', limit)
        expect(found).toEqual(spans.toSorted(byStart).map(stored))
      }
    })

    test('a page of spans has at least one, and ends early when the bodies exceed the maximum', async () => {
      const projectId = randomUUID()
      const input = (share: number) =>
        JSON.stringify('x'.repeat(share * limits.pageBytes.value)) as JsonText
      const shares = { a: 0.3, b: 0.3, c: 0.3, d: 0.3, e: 2, f: 0.1 }
      for (const [id, share] of Object.entries(shares))
        await record(projectId, [span(id, { body: { ...body, input: input(share) } })])
      expect(await listPages(projectId, { limit: 10, bodies: true })).toEqual([
        ['a', 'b', 'c'],
        ['d'],
        ['e'],
        ['f'],
      ])
      const ids = Object.keys(shares)
      expect(await listPages(projectId, { limit: 10, bodies: false })).toEqual([ids])
    })

    test('a page of spans without bodies ends early, too', async () => {
      const projectId = randomUUID()
      const statusMessage = 'x'.repeat(limits.pageBytes.value * 0.4)
      await record(
        projectId,
        ['a', 'b', 'c'].map((id) => span(id, { statusMessage })),
      )
      const pages = await listPages(projectId, { limit: 10, bodies: false })
      expect(pages).toEqual([['a', 'b'], ['c']])
    })

    test('a trace moves in the list when an earlier span of it arrives', async () => {
      const projectId = randomUUID()
      const inTrace = (traceId: string, startedAt: bigint, spanId = 'a') =>
        span(spanId, { traceId, startedAt })
      await record(projectId, [inTrace('x', start), inTrace('y', start + 1n)])
      expect(idsOf(await everyTrace(projectId))).toEqual(['y', 'x'])
      await record(projectId, [inTrace('y', start - 1n, 'b')])
      expect(idsOf(await everyTrace(projectId))).toEqual(['x', 'y'])
    })
  })

  describe('the scan limit', () => {
    const count = 6000
    const projectId = randomUUID()
    beforeAll(async () => {
      const spans = Array.from({ length: count }, (_, i) =>
        span('a', {
          traceId: `t${i}`,
          // Many start together.
          startedAt: start + BigInt(Math.floor(i / 100)),
          environment: i % 2000 === 7 ? 'rare' : 'common',
          body: {
            ...body,
            attributes: `{"is":"${i % 2000 === 7 ? 'rare' : 'common'}"}` as JsonText,
          },
          sessionId: 's',
          model: 'm',
          status: 'ERROR',
        }),
      )
      await record(projectId, spans)
      while (store.searchLagMs() > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    })

    /** All pages, whose coverage is compared with `all`. */
    const listPaged = async (query: Omit<TraceQuery, 'after'>, all: readonly Trace[] = []) => {
      const seen: Trace[] = []
      for (let after: Position | undefined; ; ) {
        const page = await store.listTraces(projectId, { ...query, ...(after && { after }) })
        seen.push(...page.traces)
        if (page.coverageStart !== undefined) {
          const covered = all.filter(({ startedAt }) => startedAt >= page.coverageStart!)
          expect(seen).toEqual(expect.arrayContaining(covered))
        }
        after = page.next
        if (after === undefined) return seen
      }
    }

    test.each<[string, TraceFilters]>([
      ['of the newest', {}],
      ['in error', { status: 'ERROR' }],
      ['of a session', { sessionId: 's' }],
      ['of a model', { model: 'm' }],
      ['found by words', { search: 'run' }],
      ['found by words and model', { search: 'run', model: 'm' }],
    ])(
      'may end pages of traces %s early, and paging still returns each once',
      async (_of, more) => {
        const filters = { ...more, environment: 'rare' }
        const all = await everyTrace(projectId, filters)
        expect(idsOf(all)).toEqual(['t4007', 't2007', 't7'])
        expect(await listPaged({ limit: 2, filters, scanLimit: 300 }, all)).toEqual(all)
      },
    )

    test('of compared attributes may end pages early, too, and paging still returns each once', async () => {
      expect(count).toBeGreaterThan(limits.attributeTraces.value)
      const all = await everyTrace(projectId, { environment: 'rare' })
      const filters = { attributes: [{ key: 'is', value: 'rare' }] }
      const first = await store.listTraces(projectId, { limit: 10, filters })
      expect(first.coverageStart).toBeDefined()
      expect(await listPaged({ limit: 10, filters }, all)).toEqual(all)
    })

    test('loses no trace of a page that also exceeds the maximum of bytes', async () => {
      const [sessionId, tags] = ['large', ['x'.repeat(limits.pageBytes.value * 0.4)]]
      const ids = ['large 3', 'large 2', 'large 1']
      for (const [i, traceId] of ids.entries()) {
        const startedAt = start + BigInt(count - i)
        await record(projectId, [span('a', { traceId, sessionId, startedAt })], {
          labels: labels({ tags }),
        })
      }
      const filters = { sessionId, from: start + 60n }
      expect(idsOf(await listPaged({ limit: 10, filters, scanLimit: 3 }))).toEqual(ids)
    })

    test('does not end a page that is full', async () => {
      const query = { limit: 2, filters: { environment: 'common' }, scanLimit: 300 }
      const page = await store.listTraces(projectId, query)
      expect(page.traces).toHaveLength(2)
      expect(page.coverageStart).toBeUndefined()
    })
  })
}
