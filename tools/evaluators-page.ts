import {
  type AccuracyMeasurement,
  type EvaluatorCategory,
  evaluatorCategories,
} from '@assay/contract/evaluators.ts'
import { builtInEvaluators } from '../server/src/evaluators/catalogue.ts'
import { accuracyOf } from '../server/src/evaluators/evaluator-accuracy.ts'
import type { EvaluatorFacts } from '../server/src/evaluators/evaluator-facts.ts'
import { table } from './markdown-table.ts'

/*
 * The page of built-in evaluators, and the facts about them that the service lists without loading them.
 */

export function evaluatorsPage(): string {
  const own = builtInEvaluators.map(toFacts)
  const judgeCount = own.filter(({ instructions }) => instructions !== null).length
  return [
    `These ${own.length} evaluators are built in. ${own.length - judgeCount} need no model and give the same result for the same trace; ${judgeCount} ask a model of the organization. Scores are from 0 to 1, where 1 is always good. A result passes from the threshold on. \`gate\` evaluators are precise enough to block a release; \`warn\` evaluators have limited precision or recall.`,
    'A trace can carry what is expected of it: in attributes `eval.*` of its root span, else in `eval` of the input of the root span, else in tags `eval:key=value`.',
    ...evaluatorCategories.map((category) => section(category, own)),
    accuracySection(own),
  ].join('\n\n')
}

function section(category: EvaluatorCategory, all: readonly EvaluatorFacts[]): string {
  const rows = all
    .filter(({ key }) => key.startsWith(`${category}.`))
    .map(({ key, name, instructions, reads, threshold, use, description }) => [
      `\`${key}\``,
      name,
      instructions === null ? 'no' : 'yes',
      reads.filter((one) => !one.startsWith('eval.')).join(', '),
      reads
        .filter((one) => one.startsWith('eval.'))
        .map((one) => `\`${one}\``)
        .join(', '),
      String(threshold),
      use,
      description,
    ])
  const headings = ['Key', 'Name', 'Model', 'Reads', 'Expectations', 'Threshold', 'Use']
  return `## ${category}\n\n${table([...headings, 'Description'], rows)}`
}

function accuracySection(all: readonly EvaluatorFacts[]): string {
  const offline = all.filter(({ instructions }) => instructions === null)
  const measured = offline.flatMap(({ key, ...one }) =>
    accuracyOf({ key, ...one }).measurements.map((measurement) => [
      `\`${key}\``,
      linked(measurement.data),
      measurement.data.license,
      `${measurement.cases} (${measurement.faulty})`,
      ...[measurement.precision, measurement.recall, measurement.kappa].map(
        (value) => value?.toFixed(2).replace(/^-(?=0\.00$)/, '') ?? '–',
      ),
      [measurement.method, measurement.caveat].filter((text) => text !== null).join(' '),
      measurement.measured_at,
    ]),
  )
  const reasons = Map.groupBy(
    offline.filter((one) => accuracyOf(one).measurements.length === 0),
    (one) => accuracyOf(one).note ?? '',
  )
  const headings = ['Key', 'Data', 'License', 'Cases (faulty)', 'Precision', 'Recall', 'Kappa']
  return [
    '## Accuracy',
    'Measured by `npm run bench:evaluators` on labeled traces; a trace is found when its result does not pass. Precision is the share of real faults among those found, recall the share of the faults that are found, and kappa the agreement beyond chance: 1 is perfect, 0 is chance. Cases made for the measurement are easier than real traces. The accuracy of judges depends on the model; see [Models](../guides/models.md#measure-judges-with-your-model).',
    table([...headings, 'Cases and errors', 'Date'], measured),
    'Not measured:',
    [...reasons]
      .map(([reason, group]) => `- ${group.map(({ key }) => `\`${key}\``).join(', ')}: ${reason}`)
      .join('\n'),
  ].join('\n\n')
}

function linked({ name, url }: AccuracyMeasurement['data']): string {
  return url === null ? name : `[${name}](${url})`
}

/** One evaluator a line. */
export function evaluatorFactsJson(): string {
  const lines = builtInEvaluators.map((one) => JSON.stringify(toFacts(one)))
  return `[\n${lines.join(',\n')}\n]\n`
}

function toFacts(one: (typeof builtInEvaluators)[number]): EvaluatorFacts {
  const { key, name, description, threshold, use, reads } = one
  const instructions = 'prepare' in one ? one.instructions : null
  return { key, name, description, threshold, use, reads, instructions }
}
