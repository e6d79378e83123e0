import { NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../shell/use-project.ts'
import styles from './synthetic.module.css'
import type { ModelChoice } from './use-model-choice.ts'

interface Props {
  readonly choice: ModelChoice
}

/** The model that writes; what to do where the organization has none. */
export function ModelField({ choice: { configs, modelId, setChosen } }: Props) {
  const { organization } = useProject()
  if (configs?.length === 0) {
    return (
      <p className={styles.warning}>
        {organization.name} has no model.{' '}
        <Link to="/o/$orgId/settings/models" params={{ orgId: organization.id }}>
          Add a model
        </Link>{' '}
        and come back: the source stays here. Until then, the model of the operator is used, if
        there is one.
      </p>
    )
  }
  return (
    <NativeSelect
      label="Model"
      data={(configs ?? []).map(({ id, label }) => ({ value: id, label }))}
      value={modelId ?? ''}
      onChange={(event) => setChosen(event.currentTarget.value)}
    />
  )
}
