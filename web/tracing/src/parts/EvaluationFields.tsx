import type { EvaluatorCollection } from '@assay/contract/evaluators.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { Select } from '@mantine/core'
import {
  type ChosenEvaluation,
  type EvaluationChoice,
  type EvaluationChoices,
  resolveChoice,
} from '../api/evaluation-choices.ts'
import type { MutationForm } from '../form/use-mutation-form.ts'
import { LinkButton } from './LinkButton.tsx'

interface FieldProps {
  readonly choices: EvaluationChoices
  readonly form: Pick<MutationForm<EvaluationChoice>, 'values' | 'field'>
  readonly className?: string | undefined
}

/** The inputs for a collection, and for a model if the collection has judges. */
export function EvaluationFields({ choices, form, className }: FieldProps) {
  const { collections, models } = choices
  const { collection, needsModel, model } = resolveChoice(choices, form.values)
  const input = { allowDeselect: false, className } as const
  return (
    <>
      <Select
        label="Collection"
        searchable
        {...input}
        {...form.field('collection_id')}
        data={collections.map(({ id, name }) => ({ value: id, label: name }))}
        value={collection?.id ?? null}
      />
      {needsModel && models.length > 0 && (
        <Select
          label="Model of the judges"
          {...input}
          {...form.field('model_config_id')}
          data={models.map(({ id, label }) => ({ value: id, label }))}
          value={model?.id ?? null}
        />
      )}
    </>
  )
}

interface AboutProps {
  readonly orgId: string
  readonly choices: EvaluationChoices
  readonly chosen: ChosenEvaluation
}

/** Describes the chosen collection. Where its judges have no model, links to the page that adds one. */
export function AboutCollection({ orgId, choices, chosen }: AboutProps) {
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
  const judges = evaluators.filter((one) => one.eval_type === 'model_judge').length
  const total = countOf(evaluators.length, 'evaluator')
  const calling = judges === 0 ? 'without model calls' : `${judges} with model calls`
  return `${description} ${total}, ${calling}.`.trim()
}
