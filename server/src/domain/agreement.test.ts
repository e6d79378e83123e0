import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agreementRate, cohensKappa, type VerdictCounts } from './agreement.ts'

type Pair = readonly [evaluator: boolean, people: boolean]

const count = (pairs: readonly Pair[]): VerdictCounts => {
  const of = (evaluator: boolean, people: boolean) =>
    pairs.filter(([one, other]) => one === evaluator && other === people).length
  return {
    ...{ bothPassed: of(true, true), bothFailed: of(false, false) },
    ...{ falsePasses: of(true, false), falseFails: of(false, true) },
  }
}
const share = (values: readonly boolean[], value: boolean) =>
  values.filter((one) => one === value).length / values.length
const pairsOf = fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 60 })

test('agreement and kappa are those of their definitions', () => {
  fc.assert(
    fc.property(pairsOf, (pairs) => {
      const [ours, theirs] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)]
      const rate = share(
        pairs.map(([one, other]) => one === other),
        true,
      )
      const byChance = [true, false].reduce(
        (sum, verdict) => sum + share(ours, verdict) * share(theirs, verdict),
        0,
      )
      expect(agreementRate(count(pairs))).toBeCloseTo(rate, 12)
      const isUniform = new Set([...ours, ...theirs]).size === 1
      const kappa = cohensKappa(count(pairs))
      if (isUniform) expect(kappa).toBeNull()
      else expect(kappa).toBeCloseTo((rate - byChance) / (1 - byChance), 9)
    }),
  )
})

test('kappa is between -1 and 1, is 1 only for full agreement, and the same for swapped raters', () => {
  fc.assert(
    fc.property(pairsOf, (pairs) => {
      const kappa = cohensKappa(count(pairs))
      const swapped = cohensKappa(count(pairs.map(([one, other]) => [other, one] as const)))
      expect(swapped).toBe(kappa)
      if (kappa === null) return
      expect(Math.abs(kappa)).toBeLessThanOrEqual(1)
      expect(kappa === 1).toBe(pairs.every(([one, other]) => one === other))
    }),
  )
})

test.each([
  ['a textbook example', { bothPassed: 20, falsePasses: 5, falseFails: 10, bothFailed: 15 }, 0.4],
  ['independent verdicts', { bothPassed: 1, falsePasses: 1, falseFails: 1, bothFailed: 1 }, 0],
  ['opposite verdicts', { bothPassed: 0, falsePasses: 3, falseFails: 3, bothFailed: 0 }, -1],
  ['only passes', { bothPassed: 9, falsePasses: 0, falseFails: 0, bothFailed: 0 }, null],
  ['no verdicts', { bothPassed: 0, falsePasses: 0, falseFails: 0, bothFailed: 0 }, null],
])('kappa of %s', (_of, counts, expected) => {
  expect(cohensKappa(counts)).toBe(expected)
})
