import { randomUUID } from 'node:crypto'
import { limits } from '@assay/contract/limits.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { compareIds } from '../../../domain/id-order.ts'
import type { JsonText } from '../../../domain/json-text.ts'
import type { LogRecord } from '../../../domain/log-record.ts'
import type { Measurement } from '../../../domain/metric.ts'
import { serializeSpan } from '../../../domain/serialize-span.ts'
import {
  anyBody,
  anySpan,
  body,
  computed,
  idsOf,
  labels,
  type OpenStore,
  span,
  start,
  stored,
  storedTrace,
  storeHelpers,
} from './samples.ts'
import { log, measurement } from './signal-samples.ts'
import type { TelemetryStore } from './store.ts'

/*
 * What ingest.ts promises, as tests.
 */

export function describeIngest(open: OpenStore): void {
  describe('ingest', () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const { record, everySpan, everyTrace, wholeList } = storeHelpers(() => store)

    describe('a recorded batch', () => {
      test('is returned completely by the next read of every kind', async () => {
        const projectId = randomUUID()
        const spans = [
          span('a', { kind: 'llm', model: 'm', tokensIn: 3, tokensOut: 4, costUsd: 0.5 }),
          span('b', { parentSpanId: 'a', status: 'ERROR', endedAt: start + 9n, name: 'second' }),
        ]
        const recorded = await record(projectId, spans)
        expect(recorded).toEqual({
          traces: [{ traceId: 'trace', spanCount: 2, status: 'ERROR' }],
          repeated: false,
          note: '',
          refusedSpans: 0,
        })
        const trace = await store.findTrace(projectId, 'trace')
        expect(trace).toMatchObject({ ...computed(spans), traceId: 'trace', projectId })
        expect(await store.findTraces(projectId, ['trace', 'none'])).toEqual([trace])
        expect(await wholeList(projectId)).toEqual({ traces: [trace], next: undefined })
        expect(await everySpan(projectId, 'trace')).toEqual(spans.map(stored))
        const page = await store.readSpansJson(projectId, 'trace', { limit: 5, bodies: true })
        expect(page).toMatchObject({ trace, count: 2, next: undefined })
        expect(await store.findSpan(projectId, 'trace', 'b')).toEqual(stored(spans[1]!))
      })

      test('may hold many traces, and returns the outcome of each', async () => {
        const projectId = randomUUID()
        const spans = ['x', 'y', 'x', 'z'].map((traceId, i) => span(String(i), { traceId }))
        const { traces } = await record(projectId, spans)
        expect(traces.toSorted((a, b) => compareIds(a.traceId, b.traceId))).toEqual([
          { traceId: 'x', spanCount: 2, status: 'OK' },
          { traceId: 'y', spanCount: 1, status: 'OK' },
          { traceId: 'z', spanCount: 1, status: 'OK' },
        ])
        expect((await everyTrace(projectId)).length).toBe(3)
      })

      test('may hold a trace for each of its spans, with ids of any length', async () => {
        const projectId = randomUUID()
        const spans = Array.from({ length: 4000 }, (_, i) =>
          span('a', { traceId: String(i).padStart(i % 2 === 0 ? 128 : 1, '0') }),
        )
        const { traces } = await record(projectId, spans)
        expect(traces).toHaveLength(4000)
        expect((await store.listTraces(projectId, { limit: 1, filters: {} })).total).toBe(4000)
      })

      test('that cannot be stored has no outcome, and does not affect concurrent batches', async () => {
        const projectId = randomUUID()
        const idempotency = { key: 'key', note: '' }
        const impossible = span('b', { startedAt: 2n ** 80n, endedAt: 2n ** 80n })
        const outcomes = await Promise.allSettled([
          record(projectId, [span('a'), span('a', { traceId: 'other' }), impossible], {
            idempotency,
          }),
          record(projectId, [span('before')]),
          record(projectId, [impossible]),
          record(projectId, [span('after')]),
        ])
        const accepted = outcomes.map(({ status }) => status === 'fulfilled')
        expect(accepted).toEqual([false, true, false, true])
        const spanIds = async () =>
          (await everySpan(projectId, 'trace')).map(({ spanId }) => spanId)
        expect(await spanIds()).toEqual(expect.arrayContaining(['after', 'before']))
        expect((await record(projectId, [span('c')], { idempotency })).repeated).toBe(false)
        expect(await spanIds()).toContain('c')
      })

      test('stores every member of every span, whatever its value', async () => {
        const projectId = randomUUID()
        let count = 0
        await fc.assert(
          fc.asyncProperty(fc.array(anySpan, { minLength: 1, maxLength: 5 }), async (spans) => {
            const traceId = `trace ${count++}`
            const distinct = spans.map((each, i) => ({ ...each, traceId, spanId: `span ${i}` }))
            await record(projectId, distinct)
            expect(await everySpan(projectId, traceId)).toEqual(storedTrace(distinct))
            expect(await store.findTrace(projectId, traceId)).toMatchObject(computed(distinct))
          }),
          { numRuns: 25 },
        )
      })
    })

    describe('identity', () => {
      test('a span recorded again replaces itself, body and totals included', async () => {
        const projectId = randomUUID()
        const first = span('a', { tokensIn: 5, status: 'ERROR', costUsd: 1, model: 'old' })
        const second = span('a', {
          tokensIn: 7,
          startedAt: start - 5n,
          name: 'again',
          body: { ...body, input: '"new"' as JsonText },
        })
        await record(projectId, [first, span('b')])
        await record(projectId, [second])
        expect(await everySpan(projectId, 'trace')).toEqual([stored(second), stored(span('b'))])
        expect(await store.findTrace(projectId, 'trace')).toMatchObject(
          computed([second, span('b')]),
        )
      })

      test('of two spans with one id in a batch the later is stored', async () => {
        const projectId = randomUUID()
        const later = span('a', { name: 'later', body: { ...body, output: '2' as JsonText } })
        const { traces } = await record(projectId, [
          span('a', { name: 'earlier' }),
          span('b'),
          later,
        ])
        expect(traces).toEqual([{ traceId: 'trace', spanCount: 2, status: 'OK' }])
        expect(await store.findSpan(projectId, 'trace', 'a')).toEqual(stored(later))
      })

      test.each([
        ['quotes', `'"\`;--`],
        ['patterns', '%_\\*?[a]'],
        ['spaces at the ends', ' a\t\n'],
        ['case', 'A'],
        ['emoji', '\u{1F9EA}\u200d\u{1F525}'],
        ['128 characters', '\u{1F600}'.repeat(64)],
        ['digits only', '007'],
      ])('ids with %s are ordinary ids', async (_what, id) => {
        const projectId = randomUUID()
        await record(projectId, [span(id, { traceId: id }), span('a', { traceId: 'a' })])
        await record(projectId, [span(id, { traceId: id, name: 'again' })])
        expect(await everySpan(projectId, id)).toEqual([stored(span(id, { name: 'again' }))])
        expect(idsOf(await store.findTraces(projectId, [id]))).toEqual([id])
        expect((await store.findSpan(projectId, id, id))?.name).toBe('again')
        expect(await store.findTrace(projectId, id)).toMatchObject({ traceId: id, spanCount: 1 })
      })

      test('batches split, shuffled and repeated in any way produce the same traces', async () => {
        const parts = fc.record({
          spans: fc.uniqueArray(fc.tuple(fc.constantFrom('t', 'u'), fc.nat(9), anySpan), {
            minLength: 1,
            maxLength: 12,
            selector: ([traceId, spanId]) => `${traceId} ${spanId}`,
          }),
          cuts: fc.array(fc.nat(11), { maxLength: 3 }),
          order: fc.array(fc.nat(100), { minLength: 2, maxLength: 6 }),
          together: fc.boolean(),
        })
        await fc.assert(
          fc.asyncProperty(parts, async ({ spans: drawn, cuts, order, together }) => {
            const projectId = randomUUID()
            const spans = drawn.map(([traceId, id, each]) => {
              const parent = each.parentSpanId === null ? null : String(each.name.length % 10)
              return { ...each, traceId, spanId: String(id), parentSpanId: parent }
            })
            const edges = [0, ...cuts.toSorted((a, b) => a - b), spans.length]
            const pieces = edges
              .map((edge, i) => spans.slice(edge, edges[i + 1]))
              .filter(({ length }) => length > 0)
            const repeats = order.map((at) => pieces[at % pieces.length]!)
            const sending = [...repeats, ...pieces]
            if (together) await Promise.all(sending.map((piece) => record(projectId, piece)))
            else for (const piece of sending) await record(projectId, piece)

            for (const traceId of ['t', 'u']) {
              const own = spans.filter((each) => each.traceId === traceId)
              expect(await everySpan(projectId, traceId)).toEqual(storedTrace(own))
              const trace = await store.findTrace(projectId, traceId)
              if (own.length === 0) expect(trace).toBeUndefined()
              else expect(trace).toMatchObject(computed(own))
            }
          }),
          { numRuns: 20 },
        )
      })
    })

    describe('labels', () => {
      test('a batch sets name and tags, and keeps other labels that it does not have', async () => {
        const projectId = randomUUID()
        await record(projectId, [span('a', { environment: 'of span' })], {
          labels: labels({ rootName: 'first', environment: 'one', tags: ['x'], userId: 'u' }),
        })
        await record(projectId, [span('b')], {
          labels: labels({ mode: 'simulation', tags: ['y', 'z'], sessionId: 's' }),
        })
        expect(await store.findTrace(projectId, 'trace')).toMatchObject({
          rootName: 'run',
          environment: 'one',
          mode: 'simulation',
          tags: ['y', 'z'],
          sessionId: 's',
          userId: 'u',
        })
      })

      test('a trace says what it waits for, until its root has ended', async () => {
        const projectId = randomUUID()
        const unfinished = async (added: ReturnType<typeof span>) => {
          await record(projectId, [added])
          return (await store.findTrace(projectId, 'trace'))!.unfinished
        }
        const open = { startedAt: start, endedAt: start }
        const later = { startedAt: start + 1n, endedAt: start + 2n }
        expect(await unfinished(span('child', { parentSpanId: 'root', ...later }))).toBe(
          'root_missing',
        )
        expect(await unfinished(span('root', open))).toBe('root_open')
        expect(await unfinished(span('root', { ...open, endedAt: start + 1n }))).toBeNull()
      })

      test('a batch without labels leaves them unchanged', async () => {
        const projectId = randomUUID()
        const first = labels({ rootName: 'first', mode: 'simulation', tags: ['"\u{1F600}"'] })
        await record(projectId, [span('a')], { labels: first })
        await record(projectId, [span('b', { startedAt: start - 9n })], { source: 'otlp' })
        expect(await store.findTrace(projectId, 'trace')).toMatchObject({
          ...computed([span('a'), span('b', { startedAt: start - 9n })], first),
          source: 'otlp',
        })
      })
    })

    describe('idempotency records', () => {
      test('a repeated key returns the first outcome and stores nothing of the second batch', async () => {
        const projectId = randomUUID()
        const first = await record(projectId, [span('a', { status: 'ERROR' })], {
          idempotency: { key: 'key', note: 'first' },
        })
        await record(projectId, [span('b')])
        const again = await record(projectId, [span('c'), span('d', { traceId: 'other' })], {
          idempotency: { key: 'key', note: 'second' },
          labels: labels({ rootName: 'ignored' }),
        })
        expect(again).toEqual({ ...first, repeated: true })
        expect(again.traces).toEqual([{ traceId: 'trace', spanCount: 1, status: 'ERROR' }])
        expect((await everySpan(projectId, 'trace')).map(({ spanId }) => spanId)).toEqual([
          'a',
          'b',
        ])
        expect(await store.findTrace(projectId, 'other')).toBeUndefined()
        expect(await store.findTrace(projectId, 'trace')).toMatchObject({ rootName: 'run' })
      })

      test('of fifty concurrent batches one is stored, and all return the same outcome', async () => {
        const projectId = randomUUID()
        const outcomes = await Promise.all(
          Array.from({ length: 50 }, (_, i) =>
            record(projectId, [span(`span ${i}`)], {
              idempotency: { key: 'key', note: `note ${i}` },
            }),
          ),
        )
        const accepted = outcomes.filter(({ repeated }) => !repeated)
        expect(accepted.length).toBe(1)
        for (const outcome of outcomes) {
          expect({ ...outcome, repeated: false }).toEqual(accepted[0])
        }
        const [only, ...others] = await everySpan(projectId, 'trace')
        expect(others).toEqual([])
        expect(accepted[0]?.note).toBe(only?.spanId.replace('span', 'note'))
      })
    })

    describe('bodies', () => {
      test('are returned byte for byte', async () => {
        const projectId = randomUUID()
        let count = 0
        await fc.assert(
          fc.asyncProperty(fc.array(anyBody, { minLength: 1, maxLength: 6 }), async (bodies) => {
            const traceId = `trace ${count++}`
            const spans = bodies.map((each, i) => span(String(i), { traceId, body: each }))
            await record(projectId, spans)
            const found = await everySpan(projectId, traceId)
            expect(found.map((each) => each.body)).toEqual(bodies)
            const one = await store.findSpan(projectId, traceId, '0')
            expect(one?.body).toEqual(bodies[0])
          }),
          { numRuns: 25 },
        )
      })

      test('of any size are stored', async () => {
        const projectId = randomUUID()
        const text = (length: number) =>
          JSON.stringify('\u00e9\u{1F600}x'.repeat(length)) as JsonText
        const spans = [10, 5_000, 20_000, 40_000, 3, 200_000, 1_000].map((length, i) =>
          span(String(i), { body: { ...body, input: text(length) } }),
        )
        await record(projectId, spans)
        const found = await everySpan(projectId, 'trace')
        expect(
          found.map((each) => each.body?.input === spans[Number(each.spanId)]?.body.input),
        ).toEqual(spans.map(() => true))
      })

      test('are left out with `bodies: false`', async () => {
        const projectId = randomUUID()
        await record(projectId, [span('a')])
        const page = await store.readSpansJson(projectId, 'trace', { limit: 1, bodies: false })
        expect(Buffer.from(page!.json).toString()).toBe(`[${serializeSpan(span('a'), undefined)}]`)
      })
    })

    // The routes cover it with the embedded engine.
    test.runIf(inject('isLong'))(
      'a full trace takes replacements only: of JSON batches that exceed it nothing, of OTLP batches what fits (only with npm run test:long)',
      async () => {
        const projectId = randomUUID()
        const most = limits.spansPerTrace.value
        await record(
          projectId,
          Array.from({ length: most - 1 }, (_, i) => span(`s${i}`)),
        )
        const full = { traceId: 'trace', spanCount: most, status: 'OK' }
        const otlp = [span('s0', { name: 'replaced' }), span('last'), span('beyond')]
        expect(await record(projectId, otlp, { source: 'otlp' })).toMatchObject({
          ...{ refusedSpans: 1, traces: [full] },
        })
        const idempotency = { key: 'key', note: '' }
        const json = [span('s1', { name: 'refused' }), span('beyond')]
        const refused = await record(projectId, json, { idempotency })
        expect(refused).toMatchObject({ refusedSpans: 1, traces: [], repeated: false })
        const named = async (spanId: string) =>
          (await store.findSpan(projectId, 'trace', spanId))?.name
        expect([await named('s0'), await named('s1'), await named('beyond')]).toEqual([
          'replaced',
          'run',
          undefined,
        ])
        const replacing = [span('s1', { name: 'replaced' })]
        const replaced = await record(projectId, replacing, { idempotency })
        expect(replaced).toMatchObject({ refusedSpans: 0, repeated: false })
        expect(await named('s1')).toBe('replaced')
        expect(await store.findTrace(projectId, 'trace')).toMatchObject({ spanCount: most })
      },
      60_000,
    )

    test('a batch that cannot be stored does not affect others, of any signal', async () => {
      const projectId = randomUUID()
      const recordLogs = (records: readonly LogRecord[]) =>
        store.recordLogs(projectId, store.encodeLogs(records))
      const recordMetrics = (measurements: readonly Measurement[]) =>
        store.recordMetrics(projectId, store.encodeMetrics(measurements))
      const metricNames = async () =>
        (await store.listMetrics(projectId, { limit: 5 })).metrics.map(({ name }) => name)
      const outcomes = await Promise.allSettled([
        recordLogs([log('lost'), log('impossible', { at: 2n ** 80n })]),
        recordLogs([log('kept')]),
        recordMetrics([measurement(), measurement({ at: 2n ** 80n })]),
        recordMetrics([measurement({}, { name: 'kept' })]),
        record(projectId, [span('kept')]),
      ])
      expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
        ...[false, true, false, true, true],
      ])
      const query = { limit: 9, scanLimit: 9, filters: {} }
      const { logs } = await store.listLogs(projectId, query)
      expect(logs.map((each) => each.body)).toContain('"kept"')
      expect(await metricNames()).toContain('kept')
      expect(await store.findSpan(projectId, 'trace', 'kept')).toBeDefined()
      await recordMetrics([measurement()])
      expect(await metricNames()).toEqual(['kept', 'requests'])
    })
  })
}
