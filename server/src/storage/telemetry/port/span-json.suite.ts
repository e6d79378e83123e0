import { randomUUID } from 'node:crypto'
import { limits } from '@assay/contract/limits.ts'
import { describe, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import { serializeSpan } from '../../../domain/serialize-span.ts'
import type { Position } from './position.ts'
import type { ReadOptions } from './read-options.ts'
import { body, span, start, storeHelpers } from './samples.ts'
import type { TelemetryStore } from './store.ts'

/*
 * Spans and tool calls as the JSON of the API.
 */

export function describeSpanJson(store: TelemetryStore): void {
  const { record } = storeHelpers(() => store)

  describe('span JSON', () => {
    test.each([true, false])(
      'spans as JSON are in the form of the API, with bodies: %s',
      async (bodies) => {
        const projectId = randomUUID()
        const input = JSON.stringify('ü\u{1F600}'.repeat(10_000)) as JsonText
        const two = [span('a'), span('b', { body: { ...body, input } })]
        await record(projectId, [...two, span('c')])
        const page = await store.readSpansJson(projectId, 'trace', { limit: 2, bodies })
        const texts = two.map((each) => serializeSpan(each, bodies ? each.body : undefined))
        expect(Buffer.from(page!.json).toString()).toBe(`[${texts.join(',')}]`)
        const trace = await store.findTrace(projectId, 'trace')
        expect(page).toMatchObject({ trace, count: 2, next: expect.any(String) })
        const spanJson = await store.readSpanJson(projectId, 'trace', 'b')
        expect(Buffer.from(spanJson!).toString()).toBe(serializeSpan(two[1]!, two[1]!.body))
      },
    )

    test('a page has as many spans as it may, with bodies, also with the longest ids', async () => {
      const projectId = randomUUID()
      const count = limits.spansPage.value
      const ids = Array.from({ length: count }, (_, i) =>
        `${i}`.padStart(limits.spanIdLength.value, 'ü'),
      )
      const input = '"said"' as JsonText
      await record(
        projectId,
        ids.map((id) => span(id, { body: { ...body, input } })),
      )
      const page = await store.readSpansJson(projectId, 'trace', { limit: count, bodies: true })
      const spans = JSON.parse(Buffer.from(page!.json).toString()) as { input: unknown }[]
      expect(spans).toHaveLength(count)
      expect(spans.filter((each) => each.input !== 'said')).toEqual([])
    })

    test('a large JSON result is announced with its size before it is read, and may be refused', async () => {
      const projectId = randomUUID()
      const input = JSON.stringify('x'.repeat(3_000_000)) as JsonText
      await record(projectId, [span('large', { body: { ...body, input } })])
      await record(projectId, [span('small', { traceId: 'small' })])
      const sizes: number[] = []
      const announced = { onLargeRead: (bytes: number) => void sizes.push(bytes) }
      const refusal = new Error('too large')
      const refused = {
        onLargeRead() {
          throw refusal
        },
      }
      const query = { limit: 10, bodies: true }
      const reads = (traceId: string, options: ReadOptions) => [
        store.readSpanJson(projectId, traceId, traceId === 'small' ? 'small' : 'large', options),
        store.readSpansJson(projectId, traceId, query, options),
      ]
      await Promise.all(reads('small', refused))
      const rejected = { status: 'rejected', reason: refusal }
      expect(await Promise.allSettled(reads('trace', refused))).toEqual([rejected, rejected])
      for (const read of await Promise.all(reads('trace', announced))) expect(read).toBeDefined()
      expect(sizes).toHaveLength(2)
      for (const size of sizes) expect(Math.abs(size / input.length - 1)).toBeLessThan(0.01)
    })

    test('tool calls are read in order, in pages of the examined spans', async () => {
      const projectId = randomUUID()
      const kinds = ['agent', 'tool', 'llm', 'llm', 'mcp', 'agent', 'agent', 'tool']
      const spans = kinds.map((kind, n) => {
        // The model call 3 has no input.
        const input = (n === 3 ? 'null' : `{\n"n":${n}}`) as JsonText
        return span(`${n}`, { kind, startedAt: start + BigInt(n), body: { ...body, input } })
      })
      await record(projectId, spans)
      const pages: unknown[] = []
      let after: Position | undefined
      do {
        const query = { limit: 3, ...(after && { after }) }
        const page = await store.readToolCalls(projectId, 'trace', query)
        const text = Buffer.from(page.json).toString()
        expect(text).not.toContain('\n')
        const calls = JSON.parse(text) as { span_id: string; input: unknown }[]
        expect(calls).toHaveLength(page.count)
        for (const { span_id, input } of calls) expect(input).toEqual({ n: Number(span_id) })
        const ids = calls.map(({ span_id }) => span_id)
        pages.push([page.firstSpanId, page.modelCallId, ...ids])
        after = page.next
      } while (after !== undefined)
      expect(pages).toEqual([
        ['0', '2', '1'],
        ['3', undefined, '4'],
        ['6', undefined, '7'],
      ])
    })

    test('the last model call with an input is found before many without one', async () => {
      const projectId = randomUUID()
      const calls = Array.from({ length: 150 }, (_, n) => {
        const input = (n < 30 ? `"${n}"` : 'null') as JsonText
        const startedAt = start + BigInt(n)
        return span(`${n}`, { kind: 'llm', startedAt, body: { ...body, input } })
      })
      await record(projectId, calls)
      const page = await store.readToolCalls(projectId, 'trace', { limit: 200 })
      expect(page).toMatchObject({ count: 0, modelCallId: '29', firstSpanId: '0' })
    })

    test('a page of tool calls ends early when they exceed the maximum', async () => {
      const projectId = randomUUID()
      const input = JSON.stringify('x'.repeat(limits.pageBytes.value * 0.4)) as JsonText
      const large = (id: string, kind: string) => span(id, { kind, body: { ...body, input } })
      for (const [id, kind] of Object.entries({ a: 'tool', b: 'llm', c: 'tool', d: 'tool' }))
        await record(projectId, [large(id, kind)])
      const first = await store.readToolCalls(projectId, 'trace', { limit: 10 })
      expect(first).toMatchObject({ count: 2, modelCallId: 'b' })
      const rest = { limit: 10, after: first.next! }
      const second = await store.readToolCalls(projectId, 'trace', rest)
      expect(second).toMatchObject({ count: 1, firstSpanId: 'd', next: undefined })
    })
  })
}
