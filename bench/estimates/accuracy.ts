import { backtest, backtestBaseline, type baselines } from './backtest.ts'

/*
 * The accuracy of estimates as it is published: rounded, and as shares.
 */

export function estimateAccuracy(runs: number) {
  const { batch, run } = backtest(runs)
  return {
    runs,
    bias: rounded(batch.bias),
    meanError: rounded(batch.meanError),
    totalsInInterval: rounded(batch.coverage),
    runsInInterval: rounded(run.coverage),
  }
}

export function baselineAccuracy(name: keyof typeof baselines) {
  const { bias, meanError } = backtestBaseline(name, 10)
  return { name, bias: rounded(bias), meanError: rounded(meanError) }
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000
}
