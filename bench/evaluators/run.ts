import type { DeterministicEvaluator } from '../../server/src/evaluators/evaluator.ts'
import { quotesExact } from '../../server/src/evaluators/faithfulness/quotes-exact.ts'
import { numbersSupported } from '../../server/src/evaluators/hallucination/numbers-supported.ts'
import { toolsExist } from '../../server/src/evaluators/hallucination/tools-exist.ts'
import { languageMatch } from '../../server/src/evaluators/relevance/language-match.ts'
import { dangerousActions } from '../../server/src/evaluators/safety/dangerous-actions.ts'
import { injectionSignals } from '../../server/src/evaluators/safety/injection-signals.ts'
import { type Row, row, writeSection } from '../page.ts'
import { commandCases } from './command-cases.ts'
import { injectionCases } from './injection-cases.ts'
import type { LabelledCase } from './labelled-case.ts'
import { languageCases } from './language-cases.ts'
import { numberCases } from './number-cases.ts'
import { quotationCases } from './quotation-cases.ts'
import { toolCases } from './tool-cases.ts'

/*
 * `npm run bench:evaluators`: precision and recall of built-in evaluators on labelled traces. A trace is found when its
 * result does not pass. `-- --errors` prints the cases on which an evaluator is wrong. Exits with 1 below a target.
 */

interface Measurement {
  readonly evaluator: DeterministicEvaluator
  readonly cases: readonly LabelledCase[]
  readonly precision: number
  readonly recall: number
}

const measurements: readonly Measurement[] = [
  { evaluator: injectionSignals, cases: injectionCases(), precision: 0.95, recall: 0.7 },
  { evaluator: dangerousActions, cases: commandCases(), precision: 0.95, recall: 0.9 },
  { evaluator: numbersSupported, cases: numberCases(), precision: 0.95, recall: 0.7 },
  { evaluator: toolsExist, cases: toolCases(), precision: 0.99, recall: 0.99 },
  { evaluator: quotesExact, cases: quotationCases(), precision: 0.95, recall: 0.9 },
  { evaluator: languageMatch, cases: languageCases(), precision: 0.95, recall: 0.9 },
]

const about =
  'Written by `npm run bench:evaluators`. Labelled traces that were written or generated for this measurement, most of them in English; a trace is found when its result does not pass. The reference is a simple method on the same traces: a list of keywords, or exact comparison of text. Generated cases are easier than real ones, and the attacks include some worded as ordinary tasks, which no pattern can find.'

function run(): boolean {
  let isSound = true
  const rows = measurements.map(({ evaluator, cases, ...target }): Row => {
    const found = cases.map(({ trace }) => {
      const verdict = evaluator.evaluate(trace, { siblings: [] })
      return verdict.status === 'scored' && verdict.score < evaluator.threshold
    })
    if (process.argv.includes('--errors')) printErrors(evaluator.key, cases, found)
    const own = accuracy(cases, found)
    const simple = accuracy(
      cases,
      cases.map(({ isFoundSimply }) => isFoundSimply),
    )
    isSound &&= own.precision >= target.precision && own.recall >= target.recall
    const faulty = cases.filter(({ isFaulty }) => isFaulty).length
    const work = `\`${evaluator.key}\`, n = ${cases.length}, ${faulty} of them with a fault`
    return row(work, `at least ${formatted(target)}`, formatted(own), formatted(simple))
  })
  console.log(writeSection('Accuracy of evaluators', about, rows))
  return isSound
}

interface Accuracy {
  readonly precision: number
  readonly recall: number
}

function accuracy(cases: readonly LabelledCase[], found: readonly boolean[]): Accuracy {
  const faulty = cases.filter(({ isFaulty }) => isFaulty).length
  const hits = cases.filter(({ isFaulty }, index) => isFaulty && found[index]).length
  const all = found.filter(Boolean).length
  return { precision: all === 0 ? 0 : hits / all, recall: hits / faulty }
}

function formatted({ precision, recall }: Accuracy): string {
  return `precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}`
}

function printErrors(key: string, cases: readonly LabelledCase[], found: readonly boolean[]): void {
  for (const [index, { text, isFaulty }] of cases.entries()) {
    if (found[index] !== isFaulty) console.log(`${key}: ${isFaulty ? 'missed' : 'wrong'}: ${text}`)
  }
}

process.exit(run() ? 0 : 1)
