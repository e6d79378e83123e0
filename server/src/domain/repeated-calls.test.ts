import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plain } from './counted-span.samples.ts'
import { buildSpanTree } from './span-tree.ts'
import { type CountedSpan, computeTotals, findCountedUsage } from './trace-totals.ts'

const call = (spanId: string, sdk: string, rest: Partial<CountedSpan> = {}): CountedSpan => ({
  ...plain,
  ...{ spanId, sdk, kind: 'llm', parentSpanId: 'run', model: 'm', tokensIn: 50, tokensOut: 20 },
  ...rest,
})

const repeatsOf = (...spans: readonly CountedSpan[]) =>
  Object.fromEntries(findCountedUsage(spans, buildSpanTree(spans)).repeats)

const at = (startedAt: bigint, endedAt: bigint) => ({ startedAt, endedAt })

describe('of two spans of different instrumentations, one counts', () => {
  test('with the same response id, wherever they are', () => {
    const first = call('first', 'framework', { ...at(0n, 9n), responseId: 'r', parentSpanId: 'x' })
    const second = call('second', 'client', { ...at(20n, 30n), responseId: 'r', tokensIn: 40 })
    expect(repeatsOf(first, second)).toEqual({ second: 'first' })
  })

  test('as siblings at the same time with the same model and tokens', () => {
    const [first, second] = [call('first', 'framework', at(0n, 9n)), call('second', 'client')]
    expect(repeatsOf(first, { ...second, ...at(1n, 8n) })).toEqual({ first: 'second' })
    expect(repeatsOf(first, { ...second, ...at(10n, 19n) })).toEqual({})
    expect(repeatsOf(first, { ...second, ...at(1n, 8n), tokensOut: 21 })).toEqual({})
    expect(repeatsOf(first, { ...second, ...at(1n, 8n), model: 'n' })).toEqual({})
    expect(repeatsOf(first, { ...second, ...at(1n, 8n), parentSpanId: 'x' })).toEqual({})
  })

  test('and it is the one with more counts', () => {
    const some = call('some', 'a', at(0n, 9n))
    expect(repeatsOf(some, call('more', 'b', { ...at(1n, 8n), tokensCacheRead: 10 }))).toEqual({
      some: 'more',
    })
    expect(repeatsOf(some, call('priced', 'b', { ...at(1n, 8n), costUsd: 1 }))).toEqual({
      some: 'priced',
    })
  })

  test("and it is that of the provider's own SDK", () => {
    const more = call('more', 'a 1', { ...at(0n, 9n), responseId: 'r', tokensOut: 21 })
    const own = call('own', 'com.anthropic.sdk.python 2.12.0', { ...at(1n, 8n), responseId: 'r' })
    expect(repeatsOf(more, own)).toEqual({ more: 'own' })
  })

  test('when the other is a log entry of its usage, just after its end', () => {
    const first = call('first', 'client', { ...at(0n, 8n), parentSpanId: 'framework' })
    const entry = call('entry', 'framework', { ...at(9n, 9n), kind: 'chain', model: 'alias' })
    expect(repeatsOf(entry, first)).toEqual({ entry: 'first' })
    expect(computeTotals([entry, first], null)).toMatchObject({ llmCallCount: 1, tokensIn: 50 })
    const second = call('second', 'framework', { ...at(10n, 10n), kind: 'chain' })
    expect(repeatsOf(first, entry, second)).toEqual({ entry: 'first' })
    expect(repeatsOf(first, { ...entry, tokensOut: 21 })).toEqual({})
    expect(repeatsOf(first, { ...entry, ...at(-1n, -1n) })).toEqual({})
    expect(repeatsOf(first, { ...entry, ...at(60_000_000_000n, 60_000_000_000n) })).toEqual({})
    expect(repeatsOf(first, { ...entry, sdk: 'client' })).toEqual({})
  })

  test('when both failed without usage', () => {
    const failed = { status: 'ERROR' as const, tokensIn: null, tokensOut: null }
    const first = call('first', 'framework', { ...at(0n, 9n), ...failed })
    const second = call('second', 'client', { ...at(1n, 8n), ...failed })
    expect(computeTotals([first, second], null).llmCallCount).toBe(1)
  })
})

describe('both count', () => {
  test('when one instrumentation reports them, whatever their response ids', () => {
    const first = call('first', 'client', { ...at(0n, 9n), responseId: 'mock' })
    const second = call('second', 'client', { ...at(0n, 9n), responseId: 'mock' })
    expect(repeatsOf(first, second)).toEqual({})
  })

  test('when their response ids differ', () => {
    const first = call('first', 'a', { ...at(0n, 9n), responseId: 'one' })
    const second = call('second', 'b', { ...at(0n, 9n), responseId: 'two' })
    expect(repeatsOf(first, second)).toEqual({})
  })

  test('when one is a tool or an agent', () => {
    const first = call('first', 'a', at(0n, 9n))
    expect(repeatsOf(first, call('second', 'b', { ...at(0n, 9n), kind: 'agent' }))).toEqual({})
  })
})

test('parallel calls with equal tokens count as often as one instrumentation reports them', () => {
  const a = ['a1', 'a2', 'a3'].map((id) => call(id, 'a', at(0n, 9n)))
  const b = ['b1', 'b2'].map((id) => call(id, 'b', { ...at(1n, 8n), tokensCacheRead: 10 }))
  expect(repeatsOf(...a, ...b)).toEqual({ b1: 'a1', b2: 'a2' })
  expect(computeTotals([...a, ...b], null)).toMatchObject({ llmCallCount: 3, tokensIn: 150 })
})

test('a call that a framework encloses and another instrumentation reports beside it counts once', () => {
  const framework = call('framework', 'framework', { ...at(0n, 9n), responseId: 'r' })
  const client = call('client', 'client', { parentSpanId: 'framework', responseId: 'r' })
  const beside = call('beside', 'other', { ...at(1n, 8n), responseId: 'r' })
  const totals = computeTotals([framework, client, beside], null)
  expect(totals).toMatchObject({ llmCallCount: 1, tokensIn: 50, tokensOut: 20 })
})

test('spans that repeat a call have the id of the one that counts, whatever else it repeats', () => {
  const identified = { ...at(0n, 9n), responseId: 'r' }
  const elsewhere = call('elsewhere', 'a', { ...identified, parentSpanId: 'x' })
  const framework = call('framework', 'b', { ...identified, tokensCacheRead: 1 })
  const client = call('client', 'c', { ...at(1n, 8n), tokensCacheRead: 10 })
  expect(repeatsOf(elsewhere, framework, client)).toEqual({
    elsewhere: 'client',
    framework: 'client',
  })
})

const anyCall = fc.record({
  parent: fc.nat(3),
  model: fc.constantFrom('m', 'n'),
  start: fc.bigInt({ min: 0n, max: 20n }),
  length: fc.bigInt({ min: 2n, max: 10n }),
  tokensIn: fc.option(fc.nat(3)),
  tokensOut: fc.nat(2),
  cache: fc.option(fc.nat(2)),
  costUsd: fc.option(fc.nat(3)),
  isReportedAgain: fc.boolean(),
  knowsCache: fc.boolean(),
})

test('adding the spans of a second instrumentation changes no total, in any order', () => {
  const ids = fc.record({ first: fc.boolean(), second: fc.boolean() })
  const shuffled = fc.nat()
  fc.assert(
    fc.property(fc.array(anyCall, { maxLength: 8 }), ids, shuffled, (drawn, hasIds, seed) => {
      const agents = ['0', '1', '2', '3'].map((spanId) => ({ ...plain, spanId }))
      const calls = drawn.map((one, i) => {
        const { parent, model, start, length, tokensIn, tokensOut, cache, costUsd } = one
        return call(`first ${i}`, 'first', {
          ...at(start, start + length),
          ...{ parentSpanId: `${parent}`, model, tokensIn, tokensOut, costUsd },
          tokensCacheRead: cache,
          responseId: hasIds.first ? `response ${i}` : null,
        })
      })
      const again = calls.flatMap((one, i) => {
        const { isReportedAgain, knowsCache } = drawn[i]!
        if (!isReportedAgain) return []
        const repeated = {
          ...{ ...one, spanId: `second ${i}`, sdk: 'second' },
          ...at(one.startedAt + 1n, one.endedAt - 1n),
          tokensCacheRead: knowsCache ? one.tokensCacheRead : null,
          responseId: hasIds.second ? `response ${i}` : null,
        }
        return [repeated]
      })
      const toSums = (spans: readonly CountedSpan[]) => {
        const { llmCallCount, toolCallCount, tokensIn, tokensOut, costUsd } = computeTotals(
          spans.toSorted((a, b) => rank(a, seed) - rank(b, seed)),
          null,
        )
        return { llmCallCount, toolCallCount, tokensIn, tokensOut, costUsd }
      }
      expect(toSums([...agents, ...calls, ...again])).toEqual(toSums([...agents, ...calls]))
    }),
    { numRuns: 1000 },
  )
})

function rank({ spanId }: CountedSpan, seed: number): number {
  let hash = seed | 0
  for (const character of spanId) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193)
  return hash
}
