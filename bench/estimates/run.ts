import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Row, row, writeSection } from '../page.ts'
import { baselineAccuracy, estimateAccuracy } from './accuracy.ts'
import {
  type Accuracy,
  backtest,
  backtestBaseline,
  backtestTokenizer,
  baselines,
} from './backtest.ts'

/*
 * `npm run bench:estimate`: how well estimates predict recorded runs. Exits with 1 below a target; `--write` stores the
 * figures in docs/benchmarks.md, and in the contract for the page at /docs.
 */

const about =
  'Written by `npm run bench:estimate`. Estimates of 25 tasks with four runs each, from k recorded runs of other tasks of the same agent, over 400 random splits of the tasks. The runs are 200 conversations of a support agent with 14 tools (gpt-4o in the airline domain of [tau-bench](https://github.com/sierra-research/tau-bench), MIT, of which only token counts are stored); their cost follows from the counted tokens of each request, without a cache. The rows of a learned counter factor are of runs whose provider reports 1.3 tokens per counted token. The bias is that of the median; the interval is p10 to p90. The priors come from these runs too: for another kind of agent, expect larger errors at k = 0 to 5.'

const { values: options } = parseArgs({ options: { write: { type: 'boolean' } } })

interface Result {
  readonly row: Row
  readonly isSound: boolean
}

const imported = [0, 1, 3, 5, 10, 25]

function measure(k: number): Result {
  const { batch, run } = backtest(k)
  const isWithin = (value: number) => value >= 0.75 && value <= 0.92
  const isCalibrated = k >= 10
  const isCovered = isWithin(batch.coverage) && isWithin(run.coverage)
  const isSound =
    (k > 0 || batch.withinTwo === 1) &&
    (!isCalibrated || (Math.abs(batch.bias) <= 0.05 && batch.meanError <= 0.2 && isCovered))
  const targets = {
    0: 'within a factor of 2',
    10: 'bias <= 5 %, error <= 20 %, interval 75 to 92 %',
  }
  const target = isCalibrated ? targets[10] : k === 0 ? targets[0] : ''
  const measured = `${format(batch)}; interval ${percent(batch.coverage)} of totals, ${percent(run.coverage)} of single runs`
  const extra = k === 0 ? `; ${percent(batch.withinTwo)} within a factor of 2` : ''
  return { row: row(`Estimate, k = ${k}`, target, measured + extra), isSound }
}

/** Without and with the counter factor of recorded calls. */
function measureTokenizer(): Result[] {
  const without = backtestTokenizer(10, { hasFactor: false })
  const learned = backtestTokenizer(10, { hasFactor: true })
  return (['same', 'other'] as const).map((which) => {
    const models = which === 'same' ? 'the recorded model' : 'another model, of OpenAI'
    const measured = `${format(learned[which])}; without it ${format(without[which])}`
    const [bias, biasWithout] = [learned, without].map((one) => Math.abs(one[which].bias))
    return {
      row: row(
        `Learned counter factor of 1.3, k = 10: ${models}`,
        'bias <= 5 %, and less than without it',
        measured,
      ),
      isSound: bias !== undefined && bias <= 0.05 && bias < (biasWithout ?? 0),
    }
  })
}

function format({ bias, meanError }: Accuracy): string {
  return `bias ${bias < 0 ? '' : '+'}${percent(bias)}, mean error ${percent(meanError)}`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

const results = [...imported.map(measure), ...measureTokenizer()]
const names = Object.keys(baselines) as (keyof typeof baselines)[]
const rows = [
  ...results.map((one) => one.row),
  ...names.map((name) => row(`Baseline, k = 10: ${name}`, '', format(backtestBaseline(name, 10)))),
]
for (const one of rows) console.log(`${one.work}: ${one.measured} (${one.target})`)
if (options.write === true) write()
process.exitCode = results.every(({ isSound }) => isSound) ? 0 : 1

function write(): void {
  writeSection('Accuracy of cost estimates', about, rows)
  const published = {
    measuredOn: new Date().toISOString().slice(0, 10),
    estimates: imported.map(estimateAccuracy),
    baselines: names.map(baselineAccuracy),
  }
  const path = join(import.meta.dirname, '../../contract/src/estimate-accuracy.json')
  writeFileSync(path, `${JSON.stringify(published, null, 2)}\n`)
}
