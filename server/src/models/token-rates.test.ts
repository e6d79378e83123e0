import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseInstant } from '../domain/instant.ts'
import { type CallTokens, cardAt, costOfCall, type RateCard, toRates } from './token-rates.ts'

const call = (tokens: Partial<CallTokens>): CallTokens => ({
  tokensIn: null,
  tokensOut: null,
  tokensCacheRead: null,
  tokensCacheWrite: null,
  tokensCacheWrite1h: null,
  tokensReasoning: null,
  ...tokens,
})

const single = { factor: 1, isSum: false }
const cost = (card: RateCard, tokens: Partial<CallTokens>) => costOfCall(card, call(tokens), single)

/** Claude Sonnet 4.5, with its prices above 200,000 tokens. */
const sonnet: RateCard = {
  base: toRates({ input: 3, cacheRead: 0.3, cacheWrite: 3.75, cacheWrite1h: 6, output: 15 }),
  long: [
    {
      above: 200_000,
      rates: toRates({ input: 6, cacheRead: 0.6, cacheWrite: 7.5, cacheWrite1h: 12, output: 22.5 }),
    },
  ],
}

describe('a call costs', () => {
  test.each<[string, Partial<CallTokens>, number]>([
    ['its input and output', { tokensIn: 1000, tokensOut: 100 }, 0.0045],
    [
      'reasoning as part of the output',
      { tokensIn: 0, tokensOut: 100, tokensReasoning: 90 },
      0.0015,
    ],
    ['cache reads at their own price', { tokensIn: 1000, tokensCacheRead: 900 }, 0.00057],
    ['cache writes for five minutes', { tokensIn: 1000, tokensCacheWrite: 1000 }, 0.00375],
    [
      'reported cache writes for an hour at their own price',
      { tokensIn: 1000, tokensCacheWrite: 1000, tokensCacheWrite1h: 400 },
      0.00465,
    ],
    [
      'at most all cache writes at the price for an hour',
      { tokensIn: 100, tokensCacheWrite: 100, tokensCacheWrite1h: 400 },
      0.0006,
    ],
    [
      'each token once, also if several counts include it',
      { tokensIn: 130_213, tokensCacheRead: 128_955, tokensCacheWrite: 1253, tokensOut: 0 },
      0.0434_0025,
    ],
    ['the reported cache reads if there is no input count', { tokensCacheRead: 1000 }, 0.0003],
    ['nothing without tokens', { tokensIn: 0, tokensOut: 0 }, 0],
    [
      'the short-call price at exactly the threshold',
      { tokensIn: 200_000, tokensOut: 10 },
      0.60015,
    ],
    [
      'the long-context price for all tokens above the threshold',
      { tokensIn: 200_001, tokensOut: 10 },
      1.200231,
    ],
    [
      'the long-context price for cached tokens, too',
      { tokensIn: 300_000, tokensCacheRead: 300_000 },
      0.18,
    ],
  ])('%s', (_what, tokens, expected) => {
    expect(cost(sonnet, tokens)).toBe(expected)
  })

  test('the short-call price if its counts are sums over calls of unknown length', () => {
    const tokens = call({ tokensIn: 300_000 })
    expect(costOfCall(sonnet, tokens, { factor: 1, isSum: true })).toBe(0.9)
  })

  test('its price multiplied by the service tier', () => {
    const tokens = call({ tokensIn: 1000, tokensOut: 100 })
    expect(costOfCall(sonnet, tokens, { factor: 0.5, isSum: false })).toBe(0.00225)
  })

  test('the plain input price where caching has no price, and its request fee once', () => {
    const plain: RateCard = { base: toRates({ input: 2, request: 0.005 }), long: [] }
    expect(cost(plain, { tokensIn: 100, tokensCacheRead: 40, tokensCacheWrite: 20 })).toBe(0.0052)
  })

  test('an unknown amount if more tokens were cached than sent', () => {
    expect(cost(sonnet, { tokensIn: 5, tokensCacheRead: 6 })).toBeUndefined()
  })
})

const price = fc.double({ min: 0, max: 1000, noNaN: true })
const rates = fc
  .record({
    input: price,
    read: fc.double({ min: 0, max: 1, noNaN: true }),
    cacheWrite: fc.option(price, { nil: undefined }),
    cacheWrite1h: fc.option(price, { nil: undefined }),
    output: fc.option(price, { nil: undefined }),
    request: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  })
  .map(({ read, ...rest }) => toRates({ ...rest, cacheRead: rest.input * read }))

/** Longer calls never cost less per token, as for every listed model. */
const card: fc.Arbitrary<RateCard> = fc
  .record({ base: rates, above: fc.option(fc.integer({ min: 1, max: 2000 })), by: fc.nat(3) })
  .map(({ base, above, by }) => {
    const entries = Object.entries(base).map(([key, rate]) => [key, rate * (by + 1)])
    return { base, long: above === null ? [] : [{ above, rates: Object.fromEntries(entries) }] }
  })

const tokens = fc
  .record({
    uncached: fc.nat(1e9),
    read: fc.nat(1e6),
    written: fc.nat(1e6),
    hour: fc.nat(1e6),
    out: fc.nat(1e6),
  })
  .map(({ uncached, read, written, hour, out }) =>
    call({
      tokensIn: uncached + read + written,
      tokensCacheRead: read,
      tokensCacheWrite: written,
      tokensCacheWrite1h: hour,
      tokensOut: out,
    }),
  )

describe('for any rates and tokens', () => {
  const total = (of: RateCard, counts: CallTokens) => costOfCall(of, counts, single) ?? Number.NaN

  test('a cost is a non-negative number', () => {
    const any = fc.record({
      tokensIn: fc.option(fc.maxSafeNat()),
      tokensOut: fc.option(fc.maxSafeNat()),
      tokensCacheRead: fc.option(fc.maxSafeNat()),
      tokensCacheWrite: fc.option(fc.maxSafeNat()),
      tokensCacheWrite1h: fc.option(fc.maxSafeNat()),
    })
    fc.assert(
      fc.property(card, any, (of, counts) => {
        const is = costOfCall(of, call(counts), single)
        if (is !== undefined) expect(Number.isFinite(is) && is >= 0).toBe(true)
      }),
    )
  })

  test('more tokens never cost less', () => {
    fc.assert(
      fc.property(card, tokens, fc.nat(5000), fc.nat(5000), (of, counts, moreIn, moreOut) => {
        const more = {
          ...counts,
          tokensIn: (counts.tokensIn ?? 0) + moreIn,
          tokensOut: (counts.tokensOut ?? 0) + moreOut,
        }
        expect(total(of, more)).toBeGreaterThanOrEqual(total(of, counts))
      }),
    )
  })

  test('cache reads never cost more than uncached input', () => {
    fc.assert(
      fc.property(card, tokens, fc.nat(1e9), (of, counts, share) => {
        const uncached =
          (counts.tokensIn ?? 0) - (counts.tokensCacheRead ?? 0) - (counts.tokensCacheWrite ?? 0)
        const read = (counts.tokensCacheRead ?? 0) + Math.min(share, uncached)
        const cached = { ...counts, tokensCacheRead: read }
        // Above nine thousand dollars a double cannot represent every digit of a cost.
        expect(total(of, cached)).toBeLessThanOrEqual(total(of, counts) * (1 + 1e-12))
      }),
    )
  })

  test('ten calls cost ten times one, exactly', () => {
    const small = fc.record({ tokensIn: fc.nat(1e5), tokensOut: fc.nat(1e5) }).map(call)
    const exact = (dollars: number) => Math.round(dollars * 1e12)
    fc.assert(
      fc.property(rates, small, (base, counts) => {
        const of = { base: { ...base, request: 0 }, long: [] }
        const tenfold = call({
          tokensIn: (counts.tokensIn ?? 0) * 10,
          tokensOut: (counts.tokensOut ?? 0) * 10,
        })
        expect(exact(total(of, tenfold))).toBe(exact(total(of, counts)) * 10)
      }),
    )
  })
})

describe('the price in force', () => {
  const at = (date: string) => ({ card: null, date })
  const byDay = [
    at('first'),
    { ...at('second'), condition: { fromMs: Date.parse('2026-03-13') } },
    { ...at('third'), condition: { fromMs: Date.parse('2026-06-01') } },
  ]
  const byHour = [
    at('day'),
    { ...at('noon'), condition: { fromSecond: 11 * 3600, toSecond: 13 * 3600 } },
    { ...at('night'), condition: { fromSecond: 22 * 3600, toSecond: 1.5 * 3600 } },
  ]

  test.each([
    [byDay, '2026-03-12T23:59:59.999999999Z', 'first'],
    [byDay, '2026-03-13T00:00:00Z', 'second'],
    [byDay, '2026-12-01T00:00:00Z', 'third'],
    [byHour, '2026-12-01T10:59:59.999Z', 'day'],
    [byHour, '2026-12-01T11:00:00Z', 'noon'],
    [byHour, '2026-12-01T13:00:00Z', 'day'],
    [byHour, '2026-12-01T22:00:00Z', 'night'],
    [byHour, '2026-12-02T01:29:59Z', 'night'],
    [byHour, '2026-12-02T01:30:00Z', 'day'],
    [byHour, '1969-12-31T23:00:00Z', 'night'],
  ])('of %# at %s is the %s', (schedule, instant, expected) => {
    expect(cardAt(schedule, parseInstant(instant))?.date).toBe(expected)
  })
})
