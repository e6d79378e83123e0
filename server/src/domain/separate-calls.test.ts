import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plain } from './counted-span.samples.ts'
import { type CountedSpan, computeTotals } from './trace-totals.ts'

const call = (spanId: string, rest: Partial<CountedSpan> = {}): CountedSpan => ({
  ...plain,
  ...{ spanId, sdk: 'a', kind: 'llm', model: 'm', tokensIn: 50, tokensOut: 20, responseId: spanId },
  ...rest,
})
const outer = call('outer', { tokensIn: 80, tokensOut: 12, costUsd: 2 })
const inner = call('inner', { parentSpanId: 'outer', costUsd: 1 })

const sums = (...spans: readonly CountedSpan[]) => {
  const { tokensIn, tokensOut, costUsd, llmCallCount, modelCallCount } = computeTotals(spans, null)
  return [tokensIn, tokensOut, costUsd, llmCallCount, modelCallCount]
}
const both = [130, 32, 3, 2, 2]
const innerOnly = [50, 20, 1, 1, 1]

describe('a call and one within it both count', () => {
  test('when one instrumentation reports them with different response ids', () => {
    expect(sums(outer, inner)).toEqual(both)
  })

  test('when spans without usage are between them', () => {
    const chain = { ...plain, spanId: 'chain', kind: 'chain', parentSpanId: 'outer' }
    expect(sums(outer, chain, { ...inner, parentSpanId: 'chain' })).toEqual(both)
  })

  test('when another instrumentation reports either of them again', () => {
    const other = { sdk: 'b', costUsd: null }
    for (const responseId of [null, 'inner']) {
      const again = { ...inner, ...other, spanId: 'again', responseId }
      expect(sums(outer, inner, again)).toEqual(both)
      expect(sums(outer, inner, { ...again, parentSpanId: 'inner', costUsd: 1 })).toEqual(both)
    }
    for (const responseId of [null, 'outer']) {
      const again = { ...outer, ...other, spanId: 'again', responseId }
      expect(sums(outer, inner, again)).toEqual(both)
      expect(sums(outer, inner, { ...again, parentSpanId: 'outer', costUsd: 2 })).toEqual(both)
    }
  })
})

describe('only the inner call counts', () => {
  test.each<[string, CountedSpan[]]>([
    ['when the response is the same', [outer, { ...inner, responseId: 'outer' }]],
    ['when one has no response id', [outer, { ...inner, responseId: null }]],
    ['when another instrumentation reports it', [outer, { ...inner, sdk: 'b' }]],
    ['when the tokens are the same', [{ ...outer, tokensIn: 50, tokensOut: 20 }, inner]],
    ['when the outer span is an agent', [{ ...outer, kind: 'agent' }, inner]],
  ])('%s', (_situation, spans) => {
    expect(sums(...spans)).toEqual(innerOnly)
  })

  test('when the outer one has the sum of several', () => {
    const second = call('second', { parentSpanId: 'outer', tokensIn: 30, tokensOut: 5 })
    const sum = { ...outer, tokensIn: 80, tokensOut: 25 }
    expect(sums(sum, { ...inner, costUsd: null }, second)).toEqual([80, 25, 2, 2, 2])
  })
})

const anyCall = fc.record({
  /** Among the earlier calls; beyond them, the root. */
  parent: fc.nat(8),
  again: fc.constantFrom('not', 'beside', 'within', 'around'),
})

test('adding the spans of a second instrumentation beside, within or around calls changes no total', () => {
  const ids = fc.boolean()
  fc.assert(
    fc.property(fc.array(anyCall, { maxLength: 6 }), ids, fc.nat(), (drawn, hasIds, seed) => {
      // Powers of two, so that no call has the sum of others.
      const calls = drawn.map(({ parent }, i) =>
        call(`${i}`, {
          parentSpanId: parent < i ? `${parent}` : 'root',
          ...{ tokensIn: 2 ** i, tokensOut: 2 ** i, costUsd: 2 ** i },
        }),
      )
      const all = [{ ...plain, spanId: 'root' }, ...calls]
      const expected = sums(...all)
      for (const [i, { again }] of drawn.entries()) {
        const at = all.findIndex(({ spanId }) => spanId === `${i}`)
        const first = all[at]!
        const second = {
          ...{ ...first, spanId: `second ${i}`, sdk: 'second' },
          responseId: hasIds ? first.responseId : null,
        }
        if (again === 'beside') all.push(second)
        if (again === 'within') all.push({ ...second, parentSpanId: first.spanId })
        if (again === 'around') {
          all.push(second)
          all[at] = { ...first, parentSpanId: second.spanId }
        }
      }
      const shuffled = all.toSorted((a, b) => rank(a, seed) - rank(b, seed))
      expect(sums(...shuffled)).toEqual(expected)
    }),
    { numRuns: 1000 },
  )
})

function rank({ spanId }: CountedSpan, seed: number): number {
  let hash = seed | 0
  for (const character of spanId) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193)
  return hash
}
