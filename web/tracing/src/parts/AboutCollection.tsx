import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { type EvaluatorCollection, isJudge } from '@assay/contract/evaluators.ts'
import { countOf } from '@assay/ui/count-of.ts'
import type { ChosenEvaluation, EvaluationChoices } from '../api/evaluation-choices.ts'

interface Props {
  readonly orgId: string
  readonly choices: EvaluationChoices
  readonly chosen: ChosenEvaluation
}

/** Describes the chosen collection. Where its judges have no model, links to the page that adds one. */
export function AboutCollection({ orgId, choices, chosen }: Props) {
  const { collection, needsModel } = chosen
  return (
    <>
      {collection !== undefined && describe(collection)}{' '}
      {needsModel && choices.models.length === 0 && (
        <LinkButton
          to="/o/$orgId/settings/models"
          params={{ orgId }}
          variant="subtle"
          size="compact-xs"
        >
          Add a model first
        </LinkButton>
      )}
    </>
  )
}

function describe({ evaluators, description }: EvaluatorCollection): string {
  const judges = evaluators.filter(isJudge).length
  const total = countOf(evaluators.length, 'evaluator')
  return `${description} ${total}, ${describeCalls(judges, evaluators.length)}.`.trim()
}

function describeCalls(judges: number, total: number): string {
  if (judges === 0) return 'without model calls'
  if (judges < total) return `${judges} with model calls`
  return total === 1 ? 'which calls a model' : 'which all call a model'
}
