import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { evaluateTrace } from '@assay/contract/evaluations.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import {
  noEvaluationChoice,
  rememberChoice,
  resolveChoice,
  toEvaluationBody,
  useEvaluationChoices,
} from '../../api/evaluation-choices.ts'
import { useEvaluate } from '../../api/evaluations.ts'
import { AboutCollection } from '../../parts/AboutCollection.tsx'
import { EvaluationFields } from '../../parts/EvaluationFields.tsx'
import styles from './evaluations.module.css'

interface Props {
  readonly orgId: string
  readonly projectId: string
  readonly traceId: string
}

/** Runs a collection on the trace. */
export function EvaluateForm({ orgId, projectId, traceId }: Props) {
  const choices = useEvaluationChoices(orgId, projectId)
  const form = useMutationForm({
    endpoint: evaluateTrace,
    initialValues: noEvaluationChoice,
    mutation: useEvaluate(projectId, traceId),
    toBody: (values) => toEvaluationBody(resolveChoice(choices, values)),
    onDone: (_, values) => rememberChoice(projectId, resolveChoice(choices, values)),
  })
  const chosen = resolveChoice(choices, form.values)
  return (
    <form noValidate className={styles.form} onSubmit={form.onSubmit}>
      <EvaluationFields choices={choices} form={form} className={styles.choice} />
      <Button
        type="submit"
        disabled={!chosen.isReady}
        loading={form.isPending}
        leftSection={<IconPlayerPlay size={14} />}
      >
        Evaluate
      </Button>
      <p className={styles.about}>
        <AboutCollection orgId={orgId} choices={choices} chosen={chosen} />
      </p>
      <FormError message={form.error ?? choices.error?.message} />
    </form>
  )
}
