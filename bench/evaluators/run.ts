import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deterministicEvaluators } from '../../server/src/evaluators/catalogue.ts'
import { type Row, row, writeSection } from '../page.ts'
import { accuracyJson, type Measured } from './accuracy-json.ts'
import { formatAgreement, measureAgreement } from './agreement.ts'
import type { LabeledCase } from './labeled-case.ts'
import { findFaults, type LabeledSet, type PublicSource, readCases } from './labeled-set.ts'
import { ownSets } from './own-sets.ts'
import { publicSets } from './public-sets.ts'

/*
 * `npm run bench:evaluators`: how well the evaluators that need no model find the faults of labeled traces. Exits with
 * 1 below a target.
 *
 *   --data FOLDER   also measures on public data, from copies of its repositories: FOLDER/owner/name
 *   --only KEY      measures one evaluator
 *   --errors        prints the cases on which an evaluator is wrong
 *   --write         stores the figures for the catalogue and docs/benchmarks.md; needs all data
 */

const about =
  'Written by `npm run bench:evaluators`. A trace is found when its result does not pass. Cases are from public data, or were made for this measurement; the latter are easier than real ones. Kappa is the agreement beyond chance. The reference is a simple method on the same traces: a list of keywords, or exact comparison of text. [Built-in evaluators](reference/evaluators.md) describes the cases and names the data.'

const { values: options } = parseArgs({
  options: {
    ...{ data: { type: 'string' }, only: { type: 'string' } },
    ...{ errors: { type: 'boolean' }, write: { type: 'boolean' } },
  },
})

interface Result extends Measured {
  readonly row: Row
  readonly isSound: boolean
}

function run(): boolean {
  const sets = [...publicSets, ...ownSets]
  const chosen = sets.filter(({ evaluator }) => (options.only ?? evaluator.key) === evaluator.key)
  const results = chosen.flatMap((set) => measure(set) ?? [])
  for (const one of results) {
    console.log(`${one.row.work}: ${one.row.measured} (${one.row.target})`)
  }
  if (options.write === true) write(results, sets.length)
  return results.every(({ isSound }) => isSound)
}

function measure(set: LabeledSet): Result | undefined {
  const { evaluator, floor, source } = set
  const cases = readCases(set, options.data)
  if (cases === undefined) {
    console.log(`${evaluator.key} was not measured on ${source!.name}: ${howToGet(source!)}`)
    return undefined
  }
  const labels = cases.map(({ isFaulty }) => isFaulty)
  const found = findFaults(evaluator, cases)
  if (options.errors === true) printErrors(evaluator.key, cases, found)
  const agreement = measureAgreement(labels, found)
  const { faulty, precision, recall } = agreement
  const simple = cases.flatMap(({ isFoundSimply }) => isFoundSimply ?? [])
  return {
    ...{ set, agreement },
    row: row(
      `\`${evaluator.key}\` on ${source?.name ?? 'own cases'}, n = ${cases.length}, ${faulty} of them with a fault`,
      `at least precision ${floor.precision.toFixed(2)}, recall ${floor.recall.toFixed(2)}`,
      formatAgreement(agreement),
      simple.length === cases.length ? formatAgreement(measureAgreement(labels, simple)) : '',
    ),
    isSound: (precision ?? 0) >= floor.precision && recall >= floor.recall,
  }
}

function howToGet({ repository, commit }: PublicSource): string {
  return `clone https://github.com/${repository} at ${commit} as FOLDER/${repository}, and pass --data FOLDER.`
}

function printErrors(key: string, cases: readonly LabeledCase[], found: readonly boolean[]): void {
  for (const [index, { text, isFaulty }] of cases.entries()) {
    if (found[index] !== isFaulty) console.log(`${key}: ${isFaulty ? 'missed' : 'wrong'}: ${text}`)
  }
}

function write(results: readonly Result[], count: number): void {
  if (results.length < count) throw new Error('Writing needs all data and no --only.')
  const rows = results.map((one) => one.row)
  writeSection('Accuracy of evaluators', about, rows)
  const keys = deterministicEvaluators.map(({ key }) => key)
  const path = join(import.meta.dirname, '../../server/src/evaluators/evaluator-accuracy.json')
  writeFileSync(path, accuracyJson(keys, results, new Date().toISOString().slice(0, 10)))
}

process.exit(run() ? 0 : 1)
