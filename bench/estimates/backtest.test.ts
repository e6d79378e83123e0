import published from '@assay/contract/estimate-accuracy.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { baselineAccuracy, estimateAccuracy } from './accuracy.ts'
import { backtest, backtestBaseline, backtestTokenizer } from './backtest.ts'

test('without recorded runs, an estimate is within a factor of 2', () => {
  expect(backtest(0).batch.withinTwo).toBe(1)
})

test.each([10, 25])(
  'from %i recorded runs, an estimate is accurate, and so is its interval',
  (k) => {
    const { batch, run } = backtest(k)
    expect(Math.abs(batch.bias)).toBeLessThanOrEqual(0.05)
    expect(batch.meanError).toBeLessThanOrEqual(0.2)
    for (const { coverage } of [batch, run]) {
      expect(coverage).toBeGreaterThanOrEqual(0.75)
      expect(coverage).toBeLessThanOrEqual(0.92)
    }
  },
)

test('the published accuracy is that of these estimates', () => {
  expect(published.estimates.find(({ runs }) => runs === 10)).toEqual(estimateAccuracy(10))
  const simple = 'the recorded number of calls, without growth'
  const stored = published.baselines.find(({ name }) => name === simple)
  expect(stored).toEqual(baselineAccuracy(simple))
})

test('an estimate is better than the mean of the recorded runs, and than calls without growth', () => {
  const { meanError } = backtest(10).batch
  const simple = 'the recorded number of calls, without growth'
  expect(meanError).toBeLessThan(backtestBaseline('the mean of the recorded runs', 10).meanError)
  expect(meanError).toBeLessThan(backtestBaseline(simple, 10).meanError)
})

test('with a learned counter factor, an estimate is as accurate for a model of another tokenizer, and for others', () => {
  const { same, other } = backtestTokenizer(10, { hasFactor: true })
  const without = backtestTokenizer(10, { hasFactor: false })
  for (const { bias, meanError } of [same, other]) {
    expect(Math.abs(bias)).toBeLessThanOrEqual(0.05)
    expect(meanError).toBeLessThanOrEqual(0.2)
  }
  expect(Math.abs(other.bias)).toBeLessThan(Math.abs(without.other.bias) / 2)
})
