import type { EvaluatorAccuracy } from '@assay/contract/evaluators.ts'
import measured from './evaluator-accuracy.json' with { type: 'json' }
import type { EvaluatorFacts } from './evaluator-facts.ts'

/** Of the evaluators that need no model; written by `npm run bench:evaluators`. */
const byKey: Readonly<Record<string, EvaluatorAccuracy>> = measured

const ofJudge: EvaluatorAccuracy = {
  measurements: [],
  note: 'It depends on the model that judges. `npm run bench:judges` measures some judges with yours; compare the others with your own reviews.',
}
const unmeasured: EvaluatorAccuracy = { measurements: [], note: 'It was added recently.' }

export function accuracyOf({
  key,
  instructions,
}: Pick<EvaluatorFacts, 'key' | 'instructions'>): EvaluatorAccuracy {
  return instructions === null ? (byKey[key] ?? unmeasured) : ofJudge
}
