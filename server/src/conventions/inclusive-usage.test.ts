import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inclusiveUsage } from './inclusive-usage.ts'
import type { ReportedUsage } from './reported-usage.ts'

const nothing: ReportedUsage = {
  input: undefined,
  output: undefined,
  total: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  reasoning: undefined,
}

const toStoredUsage = (reported: Partial<ReportedUsage>) => {
  const usage = inclusiveUsage({ ...nothing, ...reported })
  return usage && [usage.tokensIn, usage.tokensOut]
}

describe('T3, T5: tokens, with cache and reasoning included', () => {
  test.each([
    ['a cache within the input', { input: 1999, output: 5, cacheRead: 1792 }, [1999, 5]],
    ['a cache larger than the input', { input: 10, output: 5, cacheRead: 1000 }, [1010, 5]],
    [
      'a cache counted separately for reads and writes',
      { input: 3, output: 5, cacheRead: 100, cacheWrite: 20 },
      [123, 5],
    ],
    ['a total without the cache', { input: 10, output: 5, total: 15, cacheRead: 1000 }, [1010, 5]],
    ['reasoning within the output', { input: 7, output: 1970, reasoning: 956 }, [7, 1970]],
    ['reasoning larger than the output', { input: 7, output: 10, reasoning: 90 }, [7, 100]],
    [
      'a total that proves the cache apart',
      { input: 100, output: 10, cacheRead: 40, total: 150 },
      [140, 10],
    ],
    [
      'a total that proves it within, whatever the sender’s habit',
      { input: 100, output: 10, cacheRead: 40, total: 110, cacheIsApart: true },
      [100, 10],
    ],
    [
      'a total that proves reasoning apart',
      { input: 100, output: 50, reasoning: 20, total: 170 },
      [100, 70],
    ],
    [
      'a total that proves both apart',
      { input: 100, output: 50, cacheWrite: 30, reasoning: 20, total: 200 },
      [130, 70],
    ],
    [
      'the sender’s habit, where nothing proves anything',
      { input: 100, output: 10, cacheRead: 40, cacheIsApart: true },
      [140, 10],
    ],
    [
      'reasoning that is usually reported apart, beside a cache larger than the input',
      { input: 10, output: 16, reasoning: 4, cacheRead: 1000, reasoningIsApart: true },
      [1010, 20],
    ],
    [
      'a total that two ways of adding give: the usual one',
      { input: 100, output: 50, cacheRead: 20, reasoning: 20, total: 170, cacheIsApart: true },
      [120, 50],
    ],
    ['an output of 0', { input: 80, output: 0 }, [80, 0]],
    ['an input alone', { input: 80 }, [80, null]],
    ['a cache alone', { cacheRead: 80 }, [null, null]],
    ['a total alone', { total: 80 }, undefined],
    ['nothing', {}, undefined],
  ])('%s', (_situation, reported, expected) => {
    expect(toStoredUsage(reported)).toEqual(expected)
  })

  test('are never fewer than reported, nor than their parts', () => {
    const count = fc.option(fc.nat({ max: 5000 }), { nil: undefined })
    const anyUsage = fc.record({
      input: fc.nat({ max: 5000 }),
      output: fc.nat({ max: 5000 }),
      total: count,
      cacheRead: count,
      cacheWrite: count,
      reasoning: count,
      cacheIsApart: fc.boolean(),
    })
    fc.assert(
      fc.property(anyUsage, (reported) => {
        const [tokensIn = 0, tokensOut = 0] = (toStoredUsage(reported) ?? []) as number[]
        const cache = (reported.cacheRead ?? 0) + (reported.cacheWrite ?? 0)
        expect(tokensIn).toBeGreaterThanOrEqual(Math.max(reported.input, cache))
        expect(tokensOut).toBeGreaterThanOrEqual(Math.max(reported.output, reported.reasoning ?? 0))
        expect([reported.input, reported.input + cache]).toContain(tokensIn)
      }),
    )
  })
})
