import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyArrivals, anySpans, plain } from '../../../domain/counted-span.samples.ts'
import { buildSpanTree } from '../../../domain/span-tree.ts'
import { type CountedSpan, computeTotals, findCountedUsage } from '../../../domain/trace-totals.ts'
import { TraceAggregate } from './trace-aggregate.ts'
import { collectFacetSources, toFacets } from './trace-facets.ts'
import {
  type Aggregates,
  addAggregates,
  emptyAggregates,
  isEmpty,
  type RollupDelta,
  toRollupDelta,
  toRollupHead,
  withModels,
} from './trace-rollup.ts'

const sorted = <T>(items: readonly T[]) =>
  items
    .map((item) =>
      JSON.stringify(item, (_, value) => (value instanceof Map ? [...value].sort(byKey) : value)),
    )
    .sort()

function byKey([a]: readonly [unknown, unknown], [b]: readonly [unknown, unknown]): number {
  return Number(a) - Number(b)
}

const comparable = ({ parts, ...head }: RollupDelta) => ({ ...head, parts: sorted(parts) })

/** Compares everything that the aggregate returns with the values computed from all spans. */
function check(aggregate: TraceAggregate, spans: readonly CountedSpan[]): void {
  const totals = aggregate.totals(null)
  expect(totals).toEqual(computeTotals(spans, null))
  const { models } = aggregate
  const { repeats, separate } = findCountedUsage(spans, buildSpanTree(spans))
  expect(aggregate.repeats).toEqual(repeats)
  expect(aggregate.separate).toEqual(separate)
  const marks = {
    isRepeated: ({ spanId }: CountedSpan) => repeats.has(spanId),
    isSeparate: ({ spanId }: CountedSpan) => separate.has(spanId),
  }
  expect(comparable(withModels(toRollupHead(totals), models.current))).toEqual(
    comparable(toRollupDelta(spans, totals, marks)),
  )
  expect(sorted(toFacets(aggregate.facetSources(), totals))).toEqual(
    sorted(toFacets(collectFacetSources(spans), totals)),
  )
}

test('after each span the aggregate equals that of all spans, in any order, with replaced spans and cycles', () => {
  fc.assert(
    fc.property(anyArrivals, fc.nat(3), (arrivals, unread) => {
      const aggregate = new TraceAggregate()
      const spans = new Map<string, CountedSpan>()
      for (const [index, span] of arrivals.entries()) {
        aggregate.set(span.spanId, span)
        spans.set(span.spanId, span)
        if (index % (unread + 1) === 0) check(aggregate, [...spans.values()])
      }
      check(aggregate, [...spans.values()])
    }),
    { numRuns: 400 },
  )
})

test('an update takes steps, before which spans are collected, and after which totals are cheap', () => {
  const aggregate = new TraceAggregate({ isStale: true })
  const spans = Array.from({ length: 10_000 }, (_, i) => ({
    ...plain,
    spanId: String(i),
    parentSpanId: String((i * 7) % 10_000),
    model: `m${i % 3}`,
    tokensIn: i,
  }))
  for (const span of spans) aggregate.set(span.spanId, span)
  const countSteps = () => [...aggregate.update()].length
  expect(countSteps()).toBeGreaterThan(100)
  expect(countSteps()).toBe(0)
  check(aggregate, spans)
  aggregate.set('5', { ...spans[5]!, tokensIn: Number.MAX_SAFE_INTEGER })
  expect(countSteps()).toBeGreaterThan(100)
  expect(countSteps()).toBe(0)
  check(aggregate, spans.with(5, { ...spans[5]!, tokensIn: Number.MAX_SAFE_INTEGER }))
})

test('a trace lists a limited number of models, in any order of arrival, and its sums have all', () => {
  const anyModels = fc.array(fc.nat(400), { minLength: 250, maxLength: 350 })
  fc.assert(
    fc.property(anyModels, fc.boolean(), (models, isInexact) => {
      const aggregate = new TraceAggregate()
      const spans = models.map((model, i) => ({
        ...{ ...plain, spanId: String(i), model: `model ${model}`, tokensIn: 1, costUsd: null },
        tokensOut: isInexact ? Number.MAX_SAFE_INTEGER : 1,
      }))
      for (const [index, span] of spans.entries()) {
        aggregate.set(span.spanId, span)
        if (index % 50 === 0) check(aggregate, spans.slice(0, index + 1))
      }
      check(aggregate, spans)
      const totals = aggregate.totals(null)
      expect(totals.models.length).toBeLessThanOrEqual(100)
      expect(aggregate.models.current.size).toBe(totals.models.length)
      expect(aggregate.models.sums.calls).toBe(spans.length)
    }),
    { numRuns: 20 },
  )
})

test('sums that only a call around another makes inexact are exact', () => {
  const most = Number.MAX_SAFE_INTEGER - 5
  const call = { ...plain, kind: 'llm', sdk: 's', model: 'm' }
  const spans = [
    { ...call, spanId: 'inner', parentSpanId: 'outer', tokensIn: 1, responseId: 'r' },
    { ...call, spanId: 'outer', tokensIn: 9, responseId: 'q' },
    { ...call, spanId: 'other', tokensIn: most },
  ]
  const aggregate = new TraceAggregate()
  for (const span of spans) aggregate.set(span.spanId, span)
  check(aggregate, spans)
  expect(aggregate.totals(null).tokensIn).toBe(Number.MAX_SAFE_INTEGER)
})

test('the parent of many spans is added in steps', () => {
  const aggregate = new TraceAggregate()
  const spans = Array.from({ length: 3000 }, (_, i) => ({
    ...plain,
    ...{ spanId: String(i), parentSpanId: 'parent', service: 's', startedAt: BigInt(i) },
  }))
  for (const span of spans) aggregate.set(span.spanId, span)
  check(aggregate, spans)
  const parent = { ...plain, spanId: 'parent' }
  aggregate.set('parent', parent)
  expect([...aggregate.update()].length).toBeGreaterThan(10)
  check(aggregate, [...spans, parent])
})

test('the aggregate is also correct without replaced spans', () => {
  fc.assert(
    fc.property(anySpans, (spans) => {
      const aggregate = new TraceAggregate()
      for (const [index, span] of spans.entries()) {
        aggregate.set(span.spanId, span)
        check(aggregate, spans.slice(0, index + 1))
      }
    }),
    { numRuns: 300 },
  )
})

test('changes of models add up to the current aggregates, and start from the previous ones', () => {
  const exact = anyArrivals.map((spans) =>
    spans.map((span) => ({ ...span, tokensOut: 1, costUsd: span.costUsd === null ? null : 1 })),
  )
  fc.assert(
    fc.property(exact, (arrivals) => {
      const aggregate = new TraceAggregate()
      const sums = new Map<string, Aggregates>()
      for (const span of arrivals) {
        aggregate.set(span.spanId, span)
        aggregate.totals(null)
        const { earlier, changes } = aggregate.models.take()
        expect(earlier()).toEqual(new Map([...sums].filter(([, each]) => !isEmpty(each))))
        for (const [model, change] of changes) {
          const sum = sums.get(model) ?? emptyAggregates()
          addAggregates(sum, change)
          sums.set(model, sum)
        }
        expect(new Map([...sums].filter(([, each]) => !isEmpty(each)))).toEqual(
          aggregate.models.current,
        )
      }
    }),
  )
})

test('a deep tree of many orphans gives the same result in any order', () => {
  const random = fc.array(fc.tuple(fc.nat(), fc.nat(300), fc.nat(4)), {
    minLength: 300,
    maxLength: 300,
  })
  const kinds = ['llm', 'tool', 'mcp', 'function', 'agent']
  fc.assert(
    fc.property(random, (draws) => {
      const spans = draws.map(([order, name, kind], i) => ({
        order,
        span: {
          ...plain,
          spanId: String(i),
          parentSpanId: i === 0 ? null : String(Math.max(0, i - 1 - (order % 3))),
          name: `name ${name}`,
          kind: kinds[kind]!,
          model: kind === 0 ? `model ${name % 120}` : null,
          tokensIn: name,
          costUsd: name % 2,
          service: name < 3 ? `service ${name}` : null,
        },
      }))
      const arrivals = spans.toSorted((a, b) => a.order - b.order).map(({ span }) => span)
      const aggregate = new TraceAggregate()
      for (const [index, span] of arrivals.entries()) {
        aggregate.set(span.spanId, span)
        if (index % 60 === 0) check(aggregate, arrivals.slice(0, index + 1))
      }
      check(aggregate, arrivals)
    }),
    { numRuns: 20 },
  )
})

test.each([
  ['a chain', (i: number) => (i === 0 ? null : String(i - 1))],
  ['a chain from its end', (i: number) => (i === 99_999 ? null : String(i + 1))],
  ['one cycle', (i: number) => String((i + 1) % 100_000)],
  ['one parent', (i: number) => (i === 0 ? null : '0')],
  ['roots', () => null],
])('100,000 spans as %s are all counted', (_shape, toParent) => {
  const aggregate = new TraceAggregate()
  for (let i = 0; i < 100_000; i += 1) {
    const spanId = String(i)
    aggregate.set(spanId, { ...plain, spanId, parentSpanId: toParent(i) })
  }
  expect(aggregate.totals(null).spanCount).toBe(100_000)
})
