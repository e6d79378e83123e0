import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import {
  createEvaluationRule,
  type EvaluationRule,
  updateEvaluationRule,
} from '@assay/contract/evaluation-rules.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { resolveChoice, useEvaluationChoices } from '../../api/evaluation-choices.ts'
import { useSaveEvaluationRule } from '../../api/evaluation-rules.ts'
import { EditDialog, type EditTarget } from '../../page/EditDialog.tsx'
import page from '../../page/page.module.css'
import { AboutCollection } from '../../parts/AboutCollection.tsx'
import { EvaluationFields } from '../../parts/EvaluationFields.tsx'
import { FilterLabels } from '../../parts/FilterLabels.tsx'
import { listFilterLabels, toTraceSearch } from '../../parts/filter-labels.ts'
import { ModeInput } from '../../parts/ModeInput.tsx'
import styles from './evaluators.module.css'
import { MatchesPerDay } from './MatchesPerDay.tsx'
import {
  otherFilters,
  toRuleBody,
  toRuleFilters,
  toRuleValues,
  toSampleRate,
} from './rule-values.ts'

interface Props {
  readonly orgId: string
  readonly projectId: string
  readonly dialog: DialogState<EditTarget<EvaluationRule>>
}

/** Creates or edits an evaluation rule. */
export function RuleDialog({ dialog, ...props }: Props) {
  return (
    <EditDialog dialog={dialog} titles={{ create: 'New rule', edit: 'Edit rule' }} size="xl">
      {(rule, close) => <RuleForm {...props} rule={rule} onClose={close} />}
    </EditDialog>
  )
}

interface FormProps extends Omit<Props, 'dialog'> {
  readonly rule: EvaluationRule | null
  readonly onClose: () => void
}

function RuleForm({ orgId, projectId, rule, onClose }: FormProps) {
  const choices = useEvaluationChoices(orgId, projectId)
  const form = useMutationForm({
    endpoint: rule === null ? createEvaluationRule : updateEvaluationRule,
    initialValues: toRuleValues(rule),
    mutation: useSaveEvaluationRule(projectId, rule?.id),
    toBody: (values) => toRuleBody(values, resolveChoice(choices, values), rule),
    onDone: onClose,
  })
  const { field } = form
  const { error: sampleError } = field('sample_rate') as { readonly error?: string }
  const chosen = resolveChoice(choices, form.values)
  const input = { autoComplete: 'off' } as const
  return (
    <Form
      form={{ ...form, error: form.error ?? choices.error?.message }}
      submitLabel={rule === null ? 'Create rule' : 'Save'}
      onCancel={onClose}
      isDisabled={!chosen.isReady}
    >
      <p className={page.note}>
        New traces that match all filters are evaluated once, when no more spans arrive. Leave
        filters empty to match any trace.
      </p>
      <TextInput label="Name" required data-autofocus {...input} {...field('name')} />
      <div className={styles.columns}>
        <NativeSelect
          label="Status"
          {...field('status')}
          data={[
            { value: '', label: 'Any' },
            { value: 'OK', label: 'OK' },
            { value: 'ERROR', label: 'Error' },
          ]}
        />
        <ModeInput {...field('mode')} />
        <TextInput label="Trace or span name contains" {...input} {...field('trace_name')} />
        <TextInput label="Model" {...input} {...field('model')} />
        <TextInput label="Environment" {...input} {...field('environment')} />
        <TextInput label="Service" {...input} {...field('service')} />
        <TextInput label="User" {...input} {...field('user_id')} />
        <TextInput label="Session" {...input} {...field('session_id')} />
        <TextInput label="Tags (all of them)" placeholder="a, b" {...input} {...field('tags')} />
        <TextInput
          label="Sample in % (0.1 to 100)"
          inputMode="decimal"
          required
          {...input}
          {...field('sample_rate')}
          error={sampleError !== undefined && 'Must be a number from 0.1 to 100'}
        />
      </div>
      <FilterLabels labels={listFilterLabels(toTraceSearch(otherFilters(rule)), 0)} />
      <MatchesPerDay
        projectId={projectId}
        filters={toRuleFilters(form.values, rule)}
        sampleRate={toSampleRate(form.values, rule)}
      />
      <div className={styles.columns}>
        <EvaluationFields choices={choices} form={form} />
        {chosen.needsModel && (
          <TextInput
            label="Cost limit per day in USD"
            inputMode="decimal"
            required
            {...input}
            {...field('max_cost_usd_per_day')}
          />
        )}
      </div>
      <p className={page.note}>
        <AboutCollection orgId={orgId} choices={choices} chosen={chosen} />
        {chosen.needsModel &&
          ' Beyond the cost limit, traces are skipped until the next day (UTC).'}
      </p>
    </Form>
  )
}
