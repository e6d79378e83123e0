import { randomUUID } from 'node:crypto'
import { limits } from '@assay/contract/limits.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import type { LogRecord } from '../../../domain/log-record.ts'
import type { LogFilters } from './logs.ts'
import type { Position } from './position.ts'
import { body, type OpenStore, readSpans, span, start } from './samples.ts'
import { contentLog, log } from './signal-samples.ts'
import type { TelemetryStore } from './store.ts'

/*
 * What ingest.ts and logs.ts promise of log records, as tests.
 */

export function describeLogs(open: OpenStore): void {
  describe('log records', () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const recordLogs = (projectId: string, records: readonly LogRecord[]) =>
      store.recordLogs(projectId, store.encodeLogs(records))
    const everyLog = async (projectId: string, filters: LogFilters = {}) =>
      (await store.listLogs(projectId, { limit: 1000, scanLimit: 10_000, filters })).logs
    const bodiesOf = async (projectId: string, filters: LogFilters = {}) =>
      (await everyLog(projectId, filters)).map((each): unknown => JSON.parse(each.body))

    test('are returned completely, and once however often they are sent', async () => {
      const projectId = randomUUID()
      const { content: _, ...whole } = log('a "quoted" \\ word', {
        eventName: 'e',
        traceId: 'ab',
        spanId: 'cd',
        attributes: '{"n":9007199254740993,"o":{"x":[]}}' as JsonText,
        scope: '{"name":"scope"}' as JsonText,
      })
      const record = { ...whole, content: null }
      await recordLogs(projectId, [
        record,
        record,
        log('other', { observedAt: null, service: null }),
      ])
      await recordLogs(projectId, [record])
      const [first, second_, ...others] = await everyLog(projectId)
      expect(others).toEqual([])
      const found = [first, second_].find((each) => each?.eventName === 'e')
      expect(found).toEqual({ ...whole, id: found?.id })
      expect(found?.id).toMatch(/^[0-9a-f]{32}$/)
    })

    test('a page has at least one, and ends early when they exceed the maximum', async () => {
      const projectId = randomUUID()
      const shares = [0.4, 0.4, 0.4, 2, 0.1]
      const textOf = (share: number) => 'x'.repeat(share * limits.pageBytes.value)
      for (const [n, share] of shares.entries())
        await recordLogs(projectId, [log(textOf(share), { at: start - BigInt(n) })])
      const counts: number[] = []
      let after: Position | undefined
      do {
        const query = { limit: 10, scanLimit: 100, filters: {}, ...(after && { after }) }
        const page = await store.listLogs(projectId, query)
        counts.push(page.logs.length)
        after = page.next
      } while (after !== undefined)
      expect(counts).toEqual([2, 1, 1, 1])
    })

    test('are stored with as many others as one request may have', async () => {
      const projectId = randomUUID()
      const count = limits.otlpRecords.value
      const records = Array.from({ length: count }, (_, n) =>
        log(`record ${n}`, { at: start + BigInt(n) }),
      )
      await recordLogs(projectId, records)
      const last = start + BigInt(count) - 1n
      expect(await bodiesOf(projectId, { from: last })).toEqual([`record ${count - 1}`])
      expect(await bodiesOf(projectId, { to: start + 1n })).toEqual(['record 0'])
    })

    test('match every filter', async () => {
      const projectId = randomUUID()
      await recordLogs(projectId, [
        log('Payment refused', { severity: 17, eventName: 'pay', traceId: 'ab', spanId: 'cd' }),
        log('50% of it_', { at: start + 1n, service: 'other', traceId: 'ab' }),
        log('東京の天気', {
          at: start + 2n,
          severity: 0,
          attributes: '{"who":"Ana"}' as JsonText,
        }),
      ])
      const cases: readonly (readonly [LogFilters, unknown[]])[] = [
        [{ severity: 10 }, ['Payment refused']],
        [{ severity: 1, service: 'other' }, ['50% of it_']],
        [{ eventName: 'pay' }, ['Payment refused']],
        [{ traceId: 'ab' }, ['50% of it_', 'Payment refused']],
        [{ traceId: 'ab', spanId: 'cd' }, ['Payment refused']],
        [{ traceId: 'ab', words: ['of'] }, ['50% of it_']],
        [{ words: ['refused', 'PAY'] }, ['Payment refused']],
        [{ words: ['0%'] }, ['50% of it_']],
        [{ words: ['_y'] }, []],
        [{ words: ['天気'] }, ['東京の天気']],
        [{ words: ['ana'] }, ['東京の天気']],
        [{ from: start + 2n }, ['東京の天気']],
        [{ to: start + 1n }, ['Payment refused']],
        [{ from: start + 1n, to: start + 2n }, ['50% of it_']],
      ]
      for (const [filters, expected] of cases) {
        expect([filters, await bodiesOf(projectId, filters)]).toEqual([filters, expected])
      }
    })

    test('of another project are not returned', async () => {
      const [mine, theirs] = [randomUUID(), randomUUID()]
      await recordLogs(mine, [log('mine', { traceId: 'ab' })])
      await recordLogs(theirs, [log('theirs', { traceId: 'ab' })])
      expect(await bodiesOf(mine)).toEqual(['mine'])
      expect(await bodiesOf(mine, { traceId: 'ab' })).toEqual(['mine'])
      expect(await bodiesOf('nobody')).toEqual([])
    })

    test('paging returns every record once, newest first, for any scan limit and while others arrive', async () => {
      const projectId = randomUUID()
      const isEarly = (each: { body: string }) => !each.body.includes('late')
      const records = Array.from({ length: 23 }, (_, n) =>
        log(`${n}`, { at: start + BigInt(n % 4), severity: n % 3 === 0 ? 17 : 9 }),
      )
      await recordLogs(projectId, records)
      for (const filters of [{}, { severity: 17 }, { words: ['1'] }, { words: ['none'] }]) {
        const whole = await everyLog(projectId, filters)
        for (const [limit, scanLimit] of [
          [1, 1],
          [3, 5],
          [4, 23],
          [50, 7],
        ] as const) {
          const seen = []
          for (let after: Position | undefined; ; ) {
            const page = await store.listLogs(projectId, {
              ...{ limit, scanLimit, filters },
              ...(after && { after }),
            })
            expect(page.logs.length).toBeLessThanOrEqual(limit)
            seen.push(...page.logs)
            after = page.next
            if (after === undefined) break
            await recordLogs(projectId, [log(`late ${seen.length}`, { at: start + 100n })])
          }
          expect(seen.filter(isEarly)).toEqual(whole.filter(isEarly))
        }
      }
      const all = await everyLog(projectId, { to: start + 50n })
      const key = (each: { at: bigint; id: string }) => `${each.at} ${each.id}`
      expect(all.map(key)).toEqual(all.map(key).toSorted().toReversed())
      expect(all).toHaveLength(23)
    })

    describe('contents of spans from log records', () => {
      const records = [
        contentLog('a', 'first', null, { at: start + 1n }),
        contentLog('a', 'second', null, { at: start + 2n }),
        contentLog('a', null, 'answer', { at: start + 3n }),
        contentLog('b', 'of another span', null),
      ]
      const texts = async (projectId: string, spanId = 'a') => {
        const one = await store.findSpan(projectId, 'trace', spanId)
        const listed = await readSpans(store, projectId, 'trace')
        expect(listed.find((each) => each.spanId === spanId)).toEqual(one)
        return [one?.body.input, one?.body.output]
      }

      test('fill input and output, in any order of arrival, split and repeated', async () => {
        const steps = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 })
        await fc.assert(
          fc.asyncProperty(steps, fc.boolean(), async (order, twice) => {
            const projectId = randomUUID()
            for (const step of twice ? [...order, ...order.toReversed()] : order) {
              if (step === 4)
                await store.record({ projectId, source: 'otlp', spans: store.encode([span('a')]) })
              else await recordLogs(projectId, [records[step]!])
            }
            expect(await texts(projectId)).toEqual(['["first","second"]', '["answer"]'])
          }),
          { numRuns: 12 },
        )
      })

      test('keep the order of one request when the times are equal', async () => {
        const projectId = randomUUID()
        const words = ['one', 'two', 'three', 'four', 'five']
        await recordLogs(
          projectId,
          words.map((word) => contentLog('a', word, null)),
        )
        await store.record({ projectId, source: 'otlp', spans: store.encode([span('a')]) })
        expect(await texts(projectId)).toEqual([JSON.stringify(words), 'null'])
      })

      test('end a page of spans or tool calls early when they exceed the maximum', async () => {
        const projectId = randomUUID()
        const ids = ['a', 'b', 'c', 'd']
        const spans = ids.map((id) => span(id, { kind: 'tool' }))
        await store.record({ projectId, source: 'otlp', spans: store.encode(spans) })
        const input = 'x'.repeat(0.3 * limits.pageBytes.value)
        for (const id of ids) await recordLogs(projectId, [contentLog(id, input, null)])
        const pages = {
          spans: (query: { after?: Position }) =>
            store.readSpansJson(projectId, 'trace', { limit: 10, bodies: true, ...query }),
          calls: (query: { after?: Position }) =>
            store.readToolCalls(projectId, 'trace', { limit: 10, ...query }),
        }
        for (const read of [pages.spans, pages.calls]) {
          const first = (await read({}))!
          expect(first.count).toBe(3)
          const second = (await read({ after: first.next! }))!
          expect(second).toMatchObject({ count: 1, next: undefined })
          expect(Buffer.from(second.json).toString()).toContain(input)
        }
      })

      test('are inputs of model calls', async () => {
        const projectId = randomUUID()
        const calls = ['a', 'b', 'c'].map((id) => span(id, { kind: 'llm' }))
        await store.record({ projectId, source: 'otlp', spans: store.encode(calls) })
        const readLast = async () =>
          (await store.readToolCalls(projectId, 'trace', { limit: 9 })).modelCallId
        expect(await readLast()).toBeUndefined()
        await recordLogs(projectId, [
          contentLog('a', 'first', null),
          contentLog('b', 'second', null),
          contentLog('c', null, 'answer'),
        ])
        expect(await readLast()).toBe('b')
      })

      test('never replace contents of the span itself, or change other spans', async () => {
        const projectId = randomUUID()
        const own = { ...body, input: '"own"' as JsonText, output: '[]' as JsonText }
        await store.record({
          ...{ projectId, source: 'otlp' },
          spans: store.encode([span('a', { body: own }), span('c')]),
        })
        await recordLogs(projectId, records)
        expect(await texts(projectId)).toEqual(['"own"', '["answer"]'])
        expect(await texts(projectId, 'c')).toEqual(['null', 'null'])
        const theirs = randomUUID()
        await store.record({ projectId: theirs, source: 'otlp', spans: store.encode([span('a')]) })
        expect(await texts(theirs)).toEqual(['null', 'null'])
      })
    })
  })
}
