import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plain } from '../../../domain/counted-span.samples.ts'
import { estimateQuantile, toLatencyBucket } from '../../../domain/latency-sketch.ts'
import { type CountedSpan, computeTotals } from '../../../domain/trace-totals.ts'
import { modelRollupKey, rollupKey } from './rollup-dimensions.ts'
import { addAggregates, emptyAggregates, type RollupDelta, toRollupDelta } from './trace-rollup.ts'

const base: CountedSpan = {
  ...{ ...plain, name: 'n', kind: 'llm' },
  ...{ startedAt: 7_200_000_000_000n, endedAt: 7_200_250_000_000n },
}
const of = (...spans: readonly Partial<CountedSpan>[]) => {
  const all = spans.map((one, i) => ({ ...base, spanId: String(i), ...one }))
  const marks = { isRepeated: () => false, isSeparate: () => false }
  return toRollupDelta(all, computeTotals(all, null), marks)
}
const listModels = ({ parts }: RollupDelta) =>
  parts.filter(({ dimension }) => dimension === 'model')

describe('the rollup delta of a trace', () => {
  test('has parts by hour, name, environment, model and dimensions', () => {
    const added = of(
      { name: 'run', environment: 'prod', status: 'ERROR' },
      { parentSpanId: '0', model: 'm', tokensIn: 3, tokensOut: 4, costUsd: 0.1 },
      { parentSpanId: '0', model: 'm', tokensIn: 1 },
    )
    expect(added.hour).toBe(2)
    const parts = added.parts.map(({ dimension, value, aggregates }) => {
      const { latencies: _, ...sums } = aggregates
      return [dimension, value, Object.values(sums)]
    })
    const cell = rollupKey({
      ...{ name: 'run', environment: 'prod', service: null, tags: [], models: ['m'] },
    })
    expect(parts).toEqual([
      ['all', '', [1, 1, 2, 1, 4, 4, 1e8]],
      ['name', 'run', [1, 1, 2, 1, 4, 4, 1e8]],
      ['environment', 'prod', [1, 1, 2, 1, 4, 4, 1e8]],
      ['cell', cell, [1, 1, 2, 1, 4, 4, 1e8]],
      ['model', 'm', [2, 0, 2, 1, 4, 4, 1e8]],
      ['call', modelRollupKey(cell, 'm'), [2, 0, 2, 1, 4, 4, 1e8]],
    ])
  })

  test.each([
    ['a parent that repeats its child', [null, '0'], { count: 1, tokensIn: 5, costNanos: 1e9 }],
    ['a span that is its own parent', ['0', null], { count: 2, tokensIn: 10, costNanos: 2e9 }],
    ['a cycle', ['1', '0'], { count: 1, tokensIn: 5, costNanos: 1e9 }],
  ])('usage is counted once by model: %s', (_situation, parents, expected) => {
    const usage = { model: 'm', tokensIn: 5, costUsd: 1 }
    const [model] = listModels(of(...parents.map((parentSpanId) => ({ ...usage, parentSpanId }))))
    expect(model?.aggregates).toMatchObject(expected)
  })

  test('a parent with the cost of calls that report only tokens adds it to its own model', () => {
    const spans = [
      { model: 'outer', tokensIn: 9, costUsd: 1 },
      { model: 'inner', tokensIn: 5, parentSpanId: '0' },
    ]
    expect(
      listModels(of(...spans)).map(({ value, aggregates }) => ({ value, ...aggregates })),
    ).toMatchObject([
      { value: 'outer', count: 0, tokensIn: 0, costNanos: 1e9 },
      { value: 'inner', count: 1, tokensIn: 5, costNanos: 0 },
    ])
  })

  test('the sums by model equal those of the trace, however spans are linked', () => {
    const usage = fc.record({
      model: fc.constantFrom('m', 'n'),
      parentSpanId: fc.option(fc.nat(7).map(String)),
      startedAt: fc.bigInt({ min: 0n, max: 3n }),
      tokensIn: fc.option(fc.nat(9)),
      tokensOut: fc.option(fc.nat(9)),
      costUsd: fc.option(fc.nat(9)),
    })
    fc.assert(
      fc.property(fc.array(usage, { minLength: 1, maxLength: 8 }), (spans) => {
        const rollup = of(...spans)
        const sum = emptyAggregates()
        for (const { aggregates } of listModels(rollup)) addAggregates(sum, aggregates)
        const { tokensIn, tokensOut, costNanos, calls, unpriced } = rollup.whole
        expect(sum).toMatchObject({ tokensIn, tokensOut, costNanos, calls, unpriced })
      }),
    )
  })

  test('subtracting deltas in any order leaves nothing', () => {
    const cost = fc.option(fc.double({ min: 0, max: 1000, noNaN: true }))
    const trace = fc.record({
      costUsd: cost,
      tokensIn: fc.nat(),
      endedAt: fc.bigInt({ min: base.startedAt, max: 10n ** 18n }),
    })
    fc.assert(
      fc.property(fc.array(trace), (traces) => {
        const sum = emptyAggregates()
        const all = traces.map((one) => of({ ...one, model: 'm' }).whole)
        for (const aggregates of all) addAggregates(sum, aggregates)
        expect(estimateQuantile(sum.latencies, 0.5) === null).toBe(all.length === 0)
        for (const aggregates of all.toReversed()) addAggregates(sum, aggregates, -1)
        expect(sum).toEqual(emptyAggregates())
      }),
    )
  })
})

test('a quantile is within five percent of the exact one', () => {
  const millis = fc.double({ min: 0.001, max: 1e9, noNaN: true })
  fc.assert(
    fc.property(
      fc.array(millis, { minLength: 1 }),
      fc.constantFrom(0.5, 0.9, 0.99),
      (all, part) => {
        const counts = new Map<number, number>()
        for (const each of all)
          counts.set(toLatencyBucket(each), (counts.get(toLatencyBucket(each)) ?? 0) + 1)
        const exact = all.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(part * all.length)) - 1]!
        expect(Math.abs(estimateQuantile(counts, part)! / exact - 1)).toBeLessThanOrEqual(0.0501)
      },
    ),
  )
})
