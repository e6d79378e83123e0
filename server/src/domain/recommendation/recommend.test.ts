import type { Candidate } from '@assay/contract/recommendations.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recommendCandidate } from './recommend.ts'

const times = (count: number, score: number) => Array.from({ length: count }, () => score)
/** So many ones, then zeros. */
const passes = (passed: number, of: number) => [...times(passed, 1), ...times(of - passed, 0)]

const of = (...candidates: Candidate[]) => recommendCandidate({ candidates })

describe('a recommendation', () => {
  test('is of the candidate that is clearly better, with the reasons of the others', () => {
    const good = { label: 'good', cost_usd: 0.02, scores: passes(95, 100), latency_ms: 900 }
    const bad = { label: 'bad', cost_usd: 0.02, scores: passes(50, 100), latency_ms: 1200 }
    expect(of(bad, good)).toMatchObject({
      ...{ verdict: 'recommended', recommended: 'good', neededSamples: null, confidence: 'high' },
      explanation: '"good" has a higher utility than the other candidate (p < 0.001).',
      ranking: [
        { label: 'good', on_pareto_front: true, dominated_by: [], meets_constraints: true },
        {
          ...{ label: 'bad', on_pareto_front: false, dominated_by: ['good'] },
          reasons: [
            'It costs $0.020, the least.',
            'Its score is 0.50 over 100 samples (95% interval 0.40 to 0.60).',
            'Its latency is 1.20 s.',
            '"good" is no worse in cost, score and latency, and better in one.',
            expect.stringMatching(
              /^Its utility is lower than the highest by 0\.\d+ \(p < 0\.001\)\.$/,
            ),
          ],
        },
      ],
    })
  })

  test('prefers half the cost to a few points of quality, but not to many', () => {
    const at = (label: string, cost_usd: number, passed: number) => ({
      ...{ label, cost_usd, scores: passes(passed, 1000) },
    })
    expect(of(at('cheap', 1, 880), at('best', 2, 900)).recommended).toBe('cheap')
    expect(of(at('cheap', 1, 700), at('best', 2, 900)).recommended).toBe('best')
  })

  test.each([3, 4])('is not made on %i samples, whatever the scores', (samples) => {
    const scores = { good: times(samples, 1), bad: times(samples, 0) }
    for (const [good, bad] of [
      [{ scores: scores.good }, { scores: scores.bad }],
      [{ scores: scores.good }, { scores: times(samples + 1, 0) }],
      [
        { score: 1, samples },
        { score: 0, samples },
      ],
      [{ pass_rate: 1, samples }, { pass_rate: 0 }],
    ]) {
      const result = of({ label: 'a', cost_usd: 1, ...good }, { label: 'b', cost_usd: 9, ...bad })
      expect(result).toMatchObject({ verdict: 'insufficient_evidence', recommended: null })
      expect(result.neededSamples).toBeGreaterThanOrEqual(5)
    }
  })

  test('that the samples do not decide has the number that would', () => {
    const a = { label: 'a', cost_usd: 1, scores: passes(17, 20) }
    const b = { label: 'b', cost_usd: 1, scores: passes(15, 20) }
    const { verdict, neededSamples, confidence, explanation } = of(a, b)
    expect([verdict, confidence]).toEqual(['insufficient_evidence', 'low'])
    expect(neededSamples).toBeGreaterThan(50)
    expect(neededSamples).toBeLessThan(300)
    expect(explanation).toContain(`About ${neededSamples} samples of each candidate would.`)
  })

  test('of equal candidates is a tie that the cheaper one breaks, then the faster, then the label', () => {
    const scores = passes(170, 200)
    const one = { label: 'b', cost_usd: 1, scores, latency_ms: 100 }
    expect(of(one, { ...one, label: 'a' })).toMatchObject({ verdict: 'tie', recommended: 'a' })
    const slower = { ...one, label: 'a', latency_ms: 101 }
    expect(of(one, slower)).toMatchObject({ verdict: 'tie', recommended: 'b' })
    const dearer = { ...one, label: 'a', cost_usd: 1.01 }
    expect(of(one, dearer)).toMatchObject({
      ...{ verdict: 'tie', recommended: 'b', confidence: 'medium' },
      explanation: '"b" costs least of those that are equal within five points of quality.',
    })
  })

  test('takes a score without a number of samples as exact, with low confidence', () => {
    const a = { label: 'a', cost_usd: 1, score: 0.9 }
    expect(of(a, { ...a, label: 'b', score: 0.8 })).toMatchObject({
      ...{ verdict: 'recommended', recommended: 'a', confidence: 'low' },
      explanation: expect.stringContaining('are taken as exact'),
    })
    expect(of(a, { ...a, label: 'b' })).toMatchObject({ verdict: 'tie', confidence: 'low' })
  })

  test('without any score is by cost and latency', () => {
    const a = { label: 'a', cost_usd: 1, latency_ms: 10 }
    expect(of(a, { ...a, label: 'b', cost_usd: 2 })).toMatchObject({
      ...{ verdict: 'recommended', recommended: 'a', confidence: 'low' },
      explanation: '"a" has a higher utility than the other candidate, by cost and latency alone.',
    })
  })

  test('of the only candidate that meets the constraints has low confidence: nothing is compared', () => {
    const a = { label: 'a', cost_usd: 1, scores: [1] }
    const candidates = [a, { ...a, label: 'b', scores: [0] }]
    expect(recommendCandidate({ candidates, constraints: { min_score: 0.5 } })).toMatchObject({
      ...{ verdict: 'recommended', recommended: 'a', confidence: 'low' },
      explanation: '"a" is the only candidate with a cost that meets the constraints.',
    })
  })

  test('is not made against a candidate whose score is unknown', () => {
    const a = { label: 'a', cost_usd: 1, scores: passes(90, 100) }
    const { verdict, ranking } = of(a, { label: 'b', cost_usd: 1 })
    expect(verdict).toBe('insufficient_evidence')
    expect(ranking[1]?.reasons).toContain('It has no score.')
  })

  test('T21: lists candidates without a price apart, and ranks the others', () => {
    const a = { label: 'a', cost_usd: 1, score: 0.9 }
    const unknown = { label: 'unknown', cost_usd: null, score: 1 }
    const result = of(unknown, a)
    expect(result).toMatchObject({ recommended: 'a', unpriced: ['unknown'] })
    expect(result.ranking.map(({ label }) => label)).toEqual(['a'])
    expect(result.explanation).toMatch(/1 candidate without a cost is not ranked\.$/)
    expect(of(unknown, { ...unknown, label: 'other' })).toMatchObject({
      ...{ verdict: 'insufficient_evidence', recommended: null, ranking: [] },
      explanation: 'No candidate has a cost. 2 candidates without a cost are not ranked.',
    })
  })

  test('meets the constraints, and ranks those that do not last, with the reasons', () => {
    const candidates = [
      { label: 'dear', cost_usd: 9, score: 1, latency_ms: 1 },
      { label: 'poor', cost_usd: 1, score: 0.2, latency_ms: 1 },
      { label: 'slow', cost_usd: 1, score: 0.9, latency_ms: 9 },
      { label: 'fits', cost_usd: 2, score: 0.6, latency_ms: 2 },
      { label: 'unknown', cost_usd: 1 },
    ]
    const constraints = { max_cost_usd: 2, min_score: 0.5, max_latency_ms: 2 }
    const { recommended, ranking } = recommendCandidate({ candidates, constraints })
    expect(recommended).toBe('fits')
    expect(ranking[0]).toMatchObject({ label: 'fits', meets_constraints: true })
    const reasons = Object.fromEntries(ranking.map((one) => [one.label, one.reasons]))
    expect(reasons['dear']).toContain('It costs more than $2.00.')
    expect(reasons['poor']).toContain('Its score is below 0.50.')
    expect(reasons['slow']).toContain('Its latency is above 2 ms.')
    expect(reasons['unknown']?.slice(0, 2)).toEqual([
      'It has no score; at least 0.50 is required.',
      'It has no latency; at most 2 ms is allowed.',
    ])
    const none = recommendCandidate({ candidates, constraints: { max_cost_usd: 0 } })
    expect(none).toMatchObject({ recommended: null, neededSamples: null })
    expect(none.explanation).toBe('No candidate meets the constraints.')
  })

  test('follows the weights', () => {
    const candidates = [
      { label: 'cheap', cost_usd: 1, score: 0.5, latency_ms: 300 },
      { label: 'good', cost_usd: 5, score: 0.9, latency_ms: 200 },
      { label: 'fast', cost_usd: 9, score: 0.6, latency_ms: 10 },
    ]
    const by = (weights: object) =>
      recommendCandidate({ candidates, weights: { cost: 0, quality: 0, latency: 0, ...weights } })
        .recommended
    expect(by({ cost: 2 })).toBe('cheap')
    expect(by({ quality: 2 })).toBe('good')
    expect(by({ latency: 2 })).toBe('fast')
  })
})

/** Numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Simulated {
  readonly cost: number
  readonly quality: number
}

/** The share of draws in which another candidate than the best is recommended, and in which any is. */
function simulate(candidates: readonly Simulated[], n: number, isGraded: boolean, draws = 250) {
  const random = randomFrom(1)
  const labels = candidates.map((_, at) => `c${at}`)
  let [wrong, any] = [0, 0]
  for (let draw = 0; draw < draws; draw += 1) {
    // Scenarios are of different difficulty, which all candidates share.
    const difficulty = Array.from({ length: n }, () => (random() - 0.5) * 0.3)
    const drawn = candidates.map(({ cost, quality }, at) => ({
      ...{ label: labels[at]!, cost_usd: cost },
      scores: difficulty.map((one) => {
        const mean = Math.min(1, Math.max(0, quality + one))
        if (isGraded) return Math.min(1, Math.max(0, mean + (random() - 0.5) * 0.2))
        return random() < mean ? 1 : 0
      }),
    }))
    const { recommended, verdict } = of(...drawn)
    if (verdict !== 'recommended') continue
    any += 1
    if (recommended !== 'c0') wrong += 1
  }
  return { wrong: wrong / draws, any: any / draws }
}

// The first is the best, by the default weights.
const gaps: readonly (readonly [what: string, candidates: readonly Simulated[]])[] = [
  [
    'ten points',
    [
      { cost: 1, quality: 0.85 },
      { cost: 1, quality: 0.75 },
    ],
  ],
  [
    'two points',
    [
      { cost: 1, quality: 0.82 },
      { cost: 1, quality: 0.8 },
    ],
  ],
  [
    'cheaper and slightly worse',
    [
      { cost: 1, quality: 0.8 },
      { cost: 3, quality: 0.85 },
    ],
  ],
  [
    'better and more expensive',
    [
      { cost: 2, quality: 0.85 },
      { cost: 1, quality: 0.72 },
    ],
  ],
  [
    'five candidates',
    [
      { cost: 1, quality: 0.82 },
      ...[0.8, 0.78, 0.76, 0.74].map((quality) => ({ cost: 1, quality })),
    ],
  ],
]

describe.each([
  ['pass or fail', false],
  ['graded scores', true],
])('simulated candidates with %s', (_what, isGraded) => {
  test.each(gaps)(
    'with a gap of %s: 20 samples recommend a wrong one in 5% at most',
    (_gap, all) => {
      expect(simulate(all, 20, isGraded).wrong).toBeLessThanOrEqual(0.05)
    },
  )

  test.each(gaps)('with a gap of %s: 3 samples recommend none', (_gap, all) => {
    expect(simulate(all, 3, isGraded, 50).any).toBe(0)
  })
})

test('a large gap is found: 30 points with 20 samples in most draws', () => {
  const candidates = [
    { cost: 1, quality: 0.9 },
    { cost: 1, quality: 0.5 },
  ]
  expect(simulate(candidates, 20, false).any).toBeGreaterThan(0.7)
  expect(simulate(candidates, 20, true).any).toBeGreaterThan(0.95)
})

const share = fc.double({ min: 0, max: 1, noNaN: true })
const amount = fc.double({ min: 0, max: 1e9, noNaN: true })
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })
const candidate = fc.record(
  {
    label: fc.string({ minLength: 1 }),
    cost_usd: fc.oneof(amount, fc.constant(null), fc.constant(0)),
    score: maybe(share),
    pass_rate: maybe(share),
    samples: maybe(fc.integer({ min: 1, max: 1000 })),
    scores: maybe(
      fc.array(fc.oneof(share, fc.constantFrom(0, 1)), { minLength: 1, maxLength: 14 }),
    ),
    latency_ms: maybe(amount),
  },
  { requiredKeys: ['label', 'cost_usd'] },
)
const candidates = fc.uniqueArray(candidate, {
  ...{ minLength: 2, maxLength: 6, selector: ({ label }) => label },
}) as fc.Arbitrary<Candidate[]>
const weights = maybe(fc.record({ cost: share, quality: share, latency: share }))

describe('for any candidates', () => {
  test('their order does not matter, and all numbers are finite', () => {
    const cases = candidates.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }), weights),
    )
    fc.assert(
      fc.property(cases, ([all, shuffled, given]) => {
        const result = recommendCandidate({ candidates: all, weights: given })
        expect(recommendCandidate({ candidates: shuffled, weights: given })).toEqual(result)
        for (const { utility } of result.ranking) {
          expect(utility).toBeGreaterThanOrEqual(0)
          expect(utility).toBeLessThanOrEqual(1 + 1e-9)
        }
        expect(JSON.stringify(result)).not.toMatch(/NaN|Infinity|∞/)
      }),
      { numRuns: 300 },
    )
  })

  test('the front is not empty, and nothing on it is dominated', () => {
    fc.assert(
      fc.property(candidates, (all) => {
        const { ranking } = recommendCandidate({ candidates: all })
        const front = ranking.filter((one) => one.on_pareto_front)
        expect(front.length > 0).toBe(ranking.length > 0)
        for (const one of ranking) expect(one.on_pareto_front).toBe(one.dominated_by.length === 0)
      }),
    )
  })

  test('a recommended one has the highest utility of those that meet the constraints', () => {
    fc.assert(
      fc.property(candidates, share, (all, least) => {
        const constraints = { min_score: least }
        const { verdict, recommended, ranking } = recommendCandidate({
          candidates: all,
          constraints,
        })
        if (verdict !== 'recommended') return
        const [first] = ranking.filter((one) => one.meets_constraints)
        expect(recommended).toBe(first?.label)
      }),
    )
  })
})
