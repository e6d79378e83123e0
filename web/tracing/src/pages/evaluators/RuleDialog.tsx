import {
  createEvaluationRule,
  type EvaluationRule,
  updateEvaluationRule,
} from '@assay/contract/evaluation-rules.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { resolveChoice, useEvaluationChoices } from '../../api/evaluation-choices.ts'
import { useSaveEvaluationRule } from '../../api/evaluation-rules.ts'
import { Form } from '../../form/Form.tsx'
import { useMutationForm } from '../../form/use-mutation-form.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import page from '../../page/page.module.css'
import { AboutCollection } from '../../parts/AboutCollection.tsx'
import { EvaluationFields } from '../../parts/EvaluationFields.tsx'
import { FilterLabels } from '../../parts/FilterLabels.tsx'
import { listFilterLabels, toTraceSearch } from '../../parts/filter-labels.ts'
import { otherFilters, sampleRates, toRuleBody, toRuleValues } from './rule-values.ts'

/** The rule to edit; `new` for another one. */
export type RuleTarget = EvaluationRule | 'new'

interface Props {
  readonly orgId: string
  readonly projectId: string
  readonly dialog: DialogState<RuleTarget>
}

/** Creates or edits an evaluation rule. */
export function RuleDialog({ dialog, ...props }: Props) {
  return (
    <FormDialog
      dialog={dialog}
      title={(target) => (target === 'new' ? 'New rule' : 'Edit rule')}
      closeOnClickOutside={false}
    >
      {(target, close) => (
        <RuleForm {...props} rule={target === 'new' ? null : target} onClose={close} />
      )}
    </FormDialog>
  )
}

interface FormProps extends Omit<Props, 'dialog'> {
  readonly rule: EvaluationRule | null
  readonly onClose: () => void
}

function RuleForm({ orgId, projectId, rule, onClose }: FormProps) {
  const choices = useEvaluationChoices(orgId, projectId)
  const others = otherFilters(rule)
  const form = useMutationForm({
    endpoint: rule === null ? createEvaluationRule : updateEvaluationRule,
    initialValues: toRuleValues(rule),
    mutation: useSaveEvaluationRule(projectId, rule?.id),
    toBody: (values) => toRuleBody(values, resolveChoice(choices, values), others),
    onDone: onClose,
  })
  const { field } = form
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
      <NativeSelect
        label="Status"
        {...field('status')}
        data={[
          { value: '', label: 'Any' },
          { value: 'OK', label: 'OK' },
          { value: 'ERROR', label: 'Error' },
        ]}
      />
      <TextInput
        label="Trace or span name"
        description="Contains this text"
        {...input}
        {...field('trace_name')}
      />
      <TextInput label="Environment" {...input} {...field('environment')} />
      <TextInput label="Service" {...input} {...field('service')} />
      <TextInput
        label="Tags"
        description="Separated by commas; a trace must have all of them"
        {...input}
        {...field('tags')}
      />
      <FilterLabels labels={listFilterLabels(toTraceSearch(others), 0)} />
      <NativeSelect
        label="Sample"
        {...field('sample_rate')}
        data={sampleRates(String(rule?.sample_rate ?? 1))}
      />
      <EvaluationFields choices={choices} form={form} />
      <p className={page.note}>
        <AboutCollection orgId={orgId} choices={choices} chosen={chosen} />
      </p>
      {chosen.needsModel && (
        <TextInput
          label="Cost limit per day in USD"
          description="Beyond it, traces are skipped until the next day (UTC)"
          inputMode="decimal"
          required
          {...input}
          {...field('max_cost_usd_per_day')}
        />
      )}
    </Form>
  )
}
