import type { MutationForm } from '@assay/account/form/use-mutation-form.ts'
import { Select } from '@mantine/core'
import {
  type EvaluationChoice,
  type EvaluationChoices,
  resolveChoice,
} from '../api/evaluation-choices.ts'

interface Props {
  readonly choices: EvaluationChoices
  readonly form: Pick<MutationForm<EvaluationChoice>, 'values' | 'field'>
  readonly className?: string | undefined
}

/** The inputs for a collection, and for a model if the collection has judges. */
export function EvaluationFields({ choices, form, className }: Props) {
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
