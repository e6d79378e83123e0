import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { createProjectPrice, type PriceRule } from '@assay/contract/prices.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type NewRule, useSaveRule } from '../../api/prices.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import type { CurrentProject } from '../../shell/use-project.ts'
import { PriceFields } from './PriceFields.tsx'
import styles from './prices.module.css'
import { type RuleValues, toRuleBody, toRuleValues } from './rule-values.ts'

/** A rule to edit, or the known members of a new one. */
export type RuleTarget = Pick<PriceRule, 'kind'> & Partial<PriceRule>

interface Props {
  readonly current: CurrentProject
  readonly dialog: DialogState<RuleTarget>
}

/** Creates or edits a price or an alias. */
export function RuleDialog({ current, dialog }: Props) {
  const title = ({ kind, id }: RuleTarget) => `${id === undefined ? 'New' : 'Edit'} ${kind}`
  return (
    <FormDialog dialog={dialog} title={title} size="lg">
      {(target, close) => <RuleForm current={current} target={target} onClose={close} />}
    </FormDialog>
  )
}

interface FormProps {
  readonly current: CurrentProject
  readonly target: RuleTarget
  readonly onClose: () => void
}

function RuleForm({ current: { project, organization, can }, target, onClose }: FormProps) {
  const { kind, id } = target
  const saving = useSaveRule(project.id, organization.id)
  const form = useMutationForm({
    endpoint: createProjectPrice,
    initialValues: toRuleValues(target),
    mutation: {
      ...saving,
      mutate: (body: NewRule, callbacks: object, { scope }: RuleValues) =>
        saving.mutate({ id, scope, body }, callbacks),
    },
    toBody: (values: RuleValues) => toRuleBody(kind, values),
    onDone: onClose,
  })
  const { field } = form
  return (
    <Form form={form} submitLabel="Save" onCancel={onClose}>
      {id === undefined && can('manage_org_settings') && (
        <NativeSelect
          label="Scope"
          {...field('scope')}
          data={[
            { value: 'project', label: `This project, ${project.name}` },
            { value: 'organization', label: `All projects of ${organization.name}` },
          ]}
        />
      )}
      <div className={styles.twoColumns}>
        <TextInput
          label="Model"
          description="As reported by spans; * matches any characters"
          data-autofocus
          {...field('model')}
        />
        <TextInput
          label="Provider"
          description="Optional (defaults to any provider)"
          {...field('provider')}
        />
      </div>
      {kind === 'alias' ? (
        <div className={styles.twoColumns}>
          <TextInput
            label="Target model"
            description="As named in the price list or a custom price"
            {...field('target_model')}
          />
          <TextInput
            label="Target provider"
            description="Optional (defaults to the model's vendor)"
            {...field('target_provider')}
          />
        </div>
      ) : (
        <PriceFields field={field} isLong={form.values.long_context.above_tokens !== ''} />
      )}
      <div className={styles.twoColumns}>
        <TextInput
          type="datetime-local"
          step={1}
          label="Valid from"
          description="Optional, local time"
          {...field('valid_from')}
        />
        <TextInput
          type="datetime-local"
          step={1}
          label="Valid until"
          description="Optional, local time"
          {...field('valid_to')}
        />
      </div>
      <Textarea label="Note" autosize={false} rows={2} {...field('note')} />
    </Form>
  )
}
