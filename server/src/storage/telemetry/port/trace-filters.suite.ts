import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import type { Span, Trace, TraceLabels } from '../../../domain/span.ts'
import { body, labels, span, start, storeHelpers } from './samples.ts'
import type { TelemetryStore } from './store.ts'
import type { AnyOf, TraceFilters } from './traces.ts'

/*
 * The filters of trace lists, compared with filtering all traces in memory.
 */

export function describeTraceFilters(store: TelemetryStore): void {
  const { record, everyTrace } = storeHelpers(() => store)

  describe('filters', () => {
    const traces: readonly (readonly [Span, TraceLabels | null])[] = [
      [span('a', { status: 'ERROR', environment: 'prod', service: 'shop' }), null],
      [span('a', { sessionId: 's1', userId: 'u1', name: '100% sure' }), null],
      [span('a', { sessionId: 's1', environment: 'prod', status: 'ERROR' }), null],
      [span('a', { userId: 'u1', name: '1000 sure' }), labels({ mode: 'simulation' })],
      [span('a', { service: 'shop' }), labels({ rootName: 'Check_Out' })],
      [
        span('a', { name: 'checkXout', userId: 'u1', status: 'ERROR' }),
        labels({ sessionId: 's1' }),
      ],
      [span('a', { name: 'back\\slash' }), labels({ environment: 'prod', userId: 'u2' })],
      [
        span('a', { service: 'shop', environment: '' }),
        labels({ mode: 'simulation', userId: 'u1' }),
      ],
    ]
    const sourceOf = (i: number) => (i % 3 === 0 ? 'otlp' : 'json')
    let projectId: string
    let all: readonly Trace[]

    beforeAll(async () => {
      projectId = randomUUID()
      for (const [i, [only, given]] of traces.entries()) {
        // Pairs with equal start times.
        const startedAt = start + BigInt(i >> 1)
        const spans = [{ ...only, traceId: String(i), startedAt, endedAt: startedAt }]
        await record(projectId, spans, {
          source: sourceOf(i),
          ...(given === null ? {} : { labels: given }),
        })
      }
      all = await everyTrace(projectId)
      expect(all.length).toBe(traces.length)
    })

    const filterOf = {
      status: fc.constantFrom('OK' as const, 'ERROR' as const),
      mode: fc.constantFrom('live' as const, 'simulation' as const),
      environment: fc.constantFrom('prod', '', 'none', ['prod', ''], ['none', 'gone']),
      source: fc.constantFrom('json' as const, 'otlp' as const),
      name: fc.constantFrom('CHECK', 'check_', '0%', '%', '_', 'k\\s', '\\', 'sure', 'n', ''),
      service: fc.constantFrom('shop', 'Shop', ['shop', 'none']),
      sessionId: fc.constantFrom('s1', 's2', ['s1', 's2']),
      userId: fc.constantFrom('u1', 'u2', ['u1', 'u2']),
      excluded: fc.record(
        {
          environment: fc.constantFrom(['prod'], ['prod', ''], ['none']),
          service: fc.constant(['shop']),
          sessionId: fc.constantFrom(['s1'], ['s1', 's2']),
          userId: fc.constantFrom(['u1'], ['u2', 'none']),
          name: fc.constantFrom('CHECK', '0%', 'n', 'none'),
        },
        { requiredKeys: [] },
      ),
      from: fc.bigInt({ min: start - 1n, max: start + 4n }),
      to: fc.bigInt({ min: start - 1n, max: start + 4n }),
    }
    const namesOf = ({ rootName, traceId }: Trace) => [rootName, traces[Number(traceId)]![0].name]
    const hasOne = (trace: Trace, [key, values]: readonly [string, unknown]) =>
      [values].flat().includes(trace[key as keyof Trace])
    const hasPart = (trace: Trace, part: string) =>
      namesOf(trace).some((name) => name.toLowerCase().includes(part.toLowerCase()))
    const matches = (trace: Trace, filters: TraceFilters) => {
      const { name: part, from, to, excluded = {}, ...equal } = filters
      const { name: noPart, ...none } = excluded
      return (
        Object.entries(equal).every((each) => hasOne(trace, each)) &&
        !Object.entries(none).some((each) => hasOne(trace, each)) &&
        (part === undefined || hasPart(trace, part)) &&
        (noPart === undefined || !hasPart(trace, noPart)) &&
        (from === undefined || trace.startedAt >= from) &&
        (to === undefined || trace.startedAt < to)
      )
    }

    test.each(Object.keys(filterOf) as (keyof typeof filterOf)[])('by %s alone', async (key) => {
      await fc.assert(
        fc.asyncProperty(filterOf[key], async (value) => {
          const filters = { [key]: value }
          expect(await everyTrace(projectId, filters)).toEqual(
            all.filter((trace) => matches(trace, filters)),
          )
        }),
        { numRuns: 20 },
      )
    })

    test.each(['\0', 'n\0', 'checkout\0x', 'ä\0'])(
      'by the name %j, which no trace has',
      async (name) => {
        expect(await everyTrace(projectId, { name })).toEqual([])
        expect(await everyTrace(projectId, { excluded: { name } })).toEqual(all)
      },
    )

    test('in any combination, page by page, with a total if at most the mode is given', async () => {
      const combined = fc.record(filterOf, { requiredKeys: [] })
      await fc.assert(
        fc.asyncProperty(combined, fc.integer({ min: 1, max: 3 }), async (filters, limit) => {
          const seen: Trace[] = []
          let page = await store.listTraces(projectId, { limit, filters })
          for (;;) {
            const isCounted = Object.keys(filters).every((key) => key === 'mode')
            const counted = all.filter((trace) => matches(trace, filters)).length
            if (!page.isTotalEstimate) expect(page.total).toBe(isCounted ? counted : null)
            seen.push(...page.traces)
            if (page.next === undefined) break
            page = await store.listTraces(projectId, { limit, filters, after: page.next })
          }
          expect(seen).toEqual(all.filter((trace) => matches(trace, filters)))
        }),
        { numRuns: 60 },
      )
    })

    test.each<[string, TraceFilters, Partial<Span>, TraceLabels | null]>([
      ['status', { status: 'ERROR' }, { status: 'ERROR' }, null],
      ['session', { sessionId: 'new' }, { sessionId: 'new' }, null],
      ['user', { userId: 'new' }, { userId: 'new' }, null],
      ['service', { service: 'new' }, { service: 'new' }, null],
      ['name', { name: 'new' }, { name: 'new' }, null],
      ['mode', { mode: 'simulation' }, {}, labels({ mode: 'simulation' })],
      ['environment', { environment: 'new' }, {}, labels({ environment: 'new' })],
    ])('follow a change of the %s of a trace', async (_what, filters, change, given) => {
      const changing = randomUUID()
      await record(changing, [span('a')])
      expect(await everyTrace(changing, filters)).toEqual([])
      await record(changing, [span('a', change)], given === null ? {} : { labels: given })
      expect((await everyTrace(changing, filters)).length).toBe(1)
      const others = labels({ mode: 'live', environment: 'old' })
      await record(changing, [span('a')], { labels: others })
      expect(await everyTrace(changing, filters)).toEqual([])
    })
  })

  describe('filters by contents', () => {
    const words = fc.record({
      kinds: fc.uniqueArray(fc.constantFrom('llm', 'tool', 'agent'), { minLength: 1 }),
      model: fc.constantFrom(null, 'm1', 'm2', 'm\u0301'),
      tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'A', 'ü')),
      costUsd: fc.constantFrom(null, 0, 1e-9, 0.25, 0.5, 0.5000001, 7),
      tokensIn: fc.constantFrom(null, 0, 1, 3, 4, 1000),
      millis: fc.constantFrom(0n, 1n, 2n, 5n, 1000n),
    })
    const drawn = fc.sample(words, { numRuns: 40, seed: 7 })
    const spansOf = (of: (typeof drawn)[number], traceId: string): Span[] => {
      // Pairs with equal start times.
      const startedAt = start + BigInt(Number(traceId) >> 1)
      const endedAt = startedAt + of.millis * 1_000_000n
      const { model, costUsd, tokensIn } = of
      return of.kinds.map((kind, i) => {
        const usage = i === 0 ? { model, costUsd, tokensIn } : {}
        return span(String(i), {
          traceId,
          kind,
          startedAt,
          endedAt,
          name: `do ${kind}`,
          ...usage,
        })
      })
    }
    let projectId: string
    let all: readonly Trace[]
    const kindsOf = (trace: Trace) => drawn[Number(trace.traceId)]!.kinds

    beforeAll(async () => {
      projectId = randomUUID()
      for (const [i, of] of drawn.entries()) {
        const options = of.tags.length === 0 ? {} : { labels: labels({ tags: of.tags }) }
        await record(projectId, spansOf(of, String(i)), options)
      }
      all = await everyTrace(projectId)
      expect(all.length).toBe(drawn.length)
    })

    const filterOf = {
      tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'A', 'ü', 'none'), { maxLength: 3 }),
      anyTag: fc.constantFrom('ü', ['a', 'b'], ['A', 'none'], ['none']),
      model: fc.constantFrom('m1', 'm2', 'm\u0301', 'M1', '', ['m1', 'm2'], ['m1', 'none']),
      kind: fc.constantFrom('llm', 'tool', 'agent', 'none', ['llm', 'tool'], ['none', 'gone']),
      excluded: fc.record(
        {
          tag: fc.constantFrom(['a'], ['a', 'b'], ['none']),
          model: fc.constantFrom(['m1'], ['m2', 'm\u0301']),
          kind: fc.constantFrom(['llm'], ['llm', 'tool'], ['none']),
          name: fc.constantFrom('do LLM', 'agent', 'none'),
        },
        { requiredKeys: [] },
      ),
      name: fc.constantFrom('do LLM', 'o t', 'agent', 'none', ''),
      minCostUsd: fc.constantFrom(0, 1e-9, 0.25, 0.4999, 0.5, 0.5000001, 8),
      maxCostUsd: fc.constantFrom(0, 1e-9, 0.25, 0.4999, 0.5, 8),
      minTokens: fc.constantFrom(0, 1, 2, 4, 1000, 1001),
      maxTokens: fc.constantFrom(0, 3, 4, 999, 1000),
      minDurationMs: fc.constantFrom(0, 0.5, 1, 1.000001, 2, 999.9999, 1000, 1e300),
      maxDurationMs: fc.constantFrom(0, 0.999999, 1, 4.9999, 5, 1000, 1e300),
      traceIdPrefix: fc.constantFrom('1', '12', '3', '39', '390', '%', '_'),
      from: fc.bigInt({ min: start, max: start + 20n }),
      to: fc.bigInt({ min: start, max: start + 20n }),
    }
    const isInRange = ({ startedAt }: Trace, { from, to }: TraceFilters) =>
      (from === undefined || startedAt >= from) && (to === undefined || startedAt < to)
    const matches = (trace: Trace, filters: TraceFilters) => {
      return (
        isInRange(trace, filters) &&
        hasContents(trace, filters) &&
        !hasExcluded(trace, filters.excluded) &&
        isWithin(trace.costUsd ?? Number.NaN, filters.minCostUsd, filters.maxCostUsd) &&
        isWithin(trace.durationMs, filters.minDurationMs, filters.maxDurationMs) &&
        isWithin(trace.tokensIn + trace.tokensOut, filters.minTokens, filters.maxTokens)
      )
    }
    const hasName = (trace: Trace, part: string) =>
      kindsOf(trace).some((own) => isPart(part, `do ${own}`))
    const hasContents = (trace: Trace, filters: TraceFilters) => {
      const { tags = [], anyTag, model, kind, name: part, traceIdPrefix = '' } = filters
      return (
        tags.every((tag) => trace.tags.includes(tag)) &&
        (anyTag === undefined || hasAny(trace.tags, anyTag)) &&
        (model === undefined || hasAny(trace.models, model)) &&
        (kind === undefined || hasAny(kindsOf(trace), kind)) &&
        (part === undefined || hasName(trace, part)) &&
        trace.traceId.startsWith(traceIdPrefix)
      )
    }
    const hasExcluded = (trace: Trace, excluded: TraceFilters['excluded'] = {}) =>
      hasAny(trace.tags, excluded.tag ?? []) ||
      hasAny(trace.models, excluded.model ?? []) ||
      hasAny(kindsOf(trace), excluded.kind ?? []) ||
      (excluded.name !== undefined && hasName(trace, excluded.name))

    test('in any combination, page by page', async () => {
      const combined = fc.record(filterOf, { requiredKeys: [] })
      await fc.assert(
        fc.asyncProperty(combined, fc.integer({ min: 1, max: 9 }), async (filters, limit) => {
          const seen: Trace[] = []
          let page = await store.listTraces(projectId, { limit, filters })
          for (;;) {
            seen.push(...page.traces)
            if (page.next === undefined) break
            page = await store.listTraces(projectId, { limit, filters, after: page.next })
          }
          expect(seen).toEqual(all.filter((trace) => matches(trace, filters)))
        }),
        { numRuns: 100 },
      )
    })

    test.each<TraceFilters>([{ kind: 'tool', name: 'RUN' }, { traceIdPrefix: 't' }])(
      'page by page when thousands of traces match %j',
      async (filters) => {
        const common = randomUUID()
        const spans = Array.from({ length: 2500 }, (_, i) =>
          span('a', { traceId: `t${i}`, kind: 'tool', startedAt: start + BigInt(i >> 2) }),
        )
        await record(common, spans)
        const seen: string[] = []
        let page = await store.listTraces(common, { limit: 700, filters })
        for (;;) {
          seen.push(...page.traces.map(({ traceId }) => traceId))
          if (page.next === undefined) break
          page = await store.listTraces(common, { limit: 700, filters, after: page.next })
        }
        expect(seen).toEqual(
          (await store.listTraces(common, { limit: 5000, filters: {} })).traces.map(
            ({ traceId }) => traceId,
          ),
        )
      },
    )

    test.each<[string, TraceFilters, Partial<Span>, TraceLabels | null]>([
      ['model', { model: 'new' }, { model: 'new' }, null],
      ['kind', { kind: 'new' }, { kind: 'new' }, null],
      ['name', { name: 'new' }, { name: 'new' }, null],
      ['tag', { tags: ['new'] }, {}, labels({ tags: ['old', 'new'] })],
      ['cost', { minCostUsd: 2 }, { costUsd: 2 }, null],
      ['duration', { minDurationMs: 60_000 }, { endedAt: start + 60_000_000_000n }, null],
      ['tokens', { minTokens: 9 }, { tokensOut: 9 }, null],
    ])('follow a change of the %s or start of a trace', async (_what, filters, change, given) => {
      const changing = randomUUID()
      const options = given === null ? {} : { labels: given }
      await record(changing, [span('a')])
      expect(await everyTrace(changing, filters)).toEqual([])
      await record(changing, [span('a', change)], options)
      expect((await everyTrace(changing, filters)).length).toBe(1)
      await record(changing, [span('b', { startedAt: start - 5n })])
      const [moved] = await everyTrace(changing, filters)
      expect(moved?.startedAt).toBe(start - 5n)
      await record(changing, [span('a')], { labels: labels({}) })
      expect(await everyTrace(changing, filters)).toEqual([])
    })

    test('find a part of a name ignoring the case of any letter', async () => {
      const named = randomUUID()
      const names = ['Größe PRÜFEN', 'ΟΔΟΣ 100%_a', 'отчёт', 'plain']
      await record(
        named,
        names.map((own, i) => span('a', { traceId: `t${i}`, name: own })),
      )
      const found = async (part: string) =>
        (await everyTrace(named, { name: part })).map(({ traceId }) => traceId)
      expect(await found('grösse prüfen')).toEqual(['t0'])
      expect(await found('οδος 100%_A')).toEqual(['t1'])
      expect(await found('οδος 1000')).toEqual([])
      expect(await found('ОТЧЁ')).toEqual(['t2'])
      expect(await found('PLAIN')).toEqual(['t3'])
      expect(await found('ö')).toEqual(['t0'])
    })

    test('find attributes of spans and of their resource, by text, number, boolean and element', async () => {
      const projectId = randomUUID()
      const json = (value: unknown) => JSON.stringify(value) as JsonText
      const long = 'a message that is stored as the input too'
      const attributes = { 'http.route': '/refund', retries: 2, ok: true, tags: ['a', 7] }
      await record(projectId, [
        span('a', { traceId: 'x', body: { ...body, attributes: json(attributes) } }),
        span('b', {
          traceId: 'x',
          body: { ...body, resource: json({ attributes: { 'host.name': 'h1' } }) },
        }),
        span('a', {
          traceId: 'y',
          body: {
            ...body,
            input: long as JsonText,
            attributes: `{"text":${JSON.stringify(long)},"sch\\u00f6n":"5","a/b":{}}` as JsonText,
            resource: json({ 'host.name': 'h1' }),
          },
        }),
        span('a', { traceId: 'z', body: { ...body, output: json(attributes) } }),
      ])
      const found = async (filters: Readonly<Record<string, string>>, more: TraceFilters = {}) => {
        const wanted = Object.entries(filters).map(([key, value]) => ({ key, value }))
        const traces = await everyTrace(projectId, { ...more, attributes: wanted })
        return traces.map(({ traceId }) => traceId)
      }
      expect(await found({ 'http.route': '/refund' })).toEqual(['x'])
      expect(await found({ 'http.route': '/refund', 'host.name': 'h1', retries: '2.0' })).toEqual([
        'x',
      ])
      expect(await found({ ok: 'true', tags: '7' })).toEqual(['x'])
      expect(await found({ 'host.name': 'h1' })).toEqual(['y', 'x'])
      expect(await found({ text: long, schön: '5' })).toEqual(['y'])
      expect(await found({ 'host.name': 'h1' }, { name: 'none' })).toEqual([])
      for (const [key, value] of [
        ['http.route', '/REFUND'],
        ['http.route', ''],
        ['retries', ''],
        ['constructor', 'x'],
        ['a/b', '{}'],
      ] as const) {
        expect(await found({ [key]: value })).toEqual([])
      }
    })

    test('never return traces of another project', async () => {
      const mine = randomUUID()
      await record(mine, [span('a', { kind: 'llm', model: 'm1' })])
      const found = await everyTrace(mine, { kind: 'llm', model: 'm1', name: 'run' })
      expect(found.map((trace) => trace.projectId)).toEqual([mine])
      expect(await everyTrace(randomUUID(), { kind: 'llm' })).toEqual([])
    })
  })
}

function isPart(part: string, whole: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase())
}

function hasAny(own: readonly string[], wanted: AnyOf): boolean {
  return [wanted].flat().some((one) => own.includes(one))
}

function isWithin(size: number, min: number | undefined, max: number | undefined): boolean {
  return (min === undefined || size >= min) && (max === undefined || size <= max)
}
