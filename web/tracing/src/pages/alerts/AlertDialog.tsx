import { Form } from '@assay/account/form/Form.tsx'
import { type MutationForm, useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import {
  type AlertMetric,
  type AlertRule,
  alertMetrics,
  alertWindows,
  createAlertRule,
  updateAlertRule,
} from '@assay/contract/alerts.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useSaveAlertRule } from '../../api/alerts.ts'
import { EditDialog, type EditTarget } from '../../page/EditDialog.tsx'
import page from '../../page/page.module.css'
import { ShownOnce } from '../../page/ShownOnce.tsx'
import { ModeInput } from '../../parts/ModeInput.tsx'
import { formatWindow, metricLabels, thresholdLabels } from './alert-labels.ts'
import {
  type AlertValues,
  formatThresholdRange,
  initialThreshold,
  toAlertBody,
  toAlertValues,
  usesMinCount,
  usesWindow,
} from './alert-values.ts'
import styles from './alerts.module.css'
import { Recipients } from './Recipients.tsx'

interface Props {
  readonly orgId: string
  readonly projectId: string
  readonly dialog: DialogState<EditTarget<AlertRule>>
}

/** Creates or edits an alert rule. */
export function AlertDialog({ dialog, ...props }: Props) {
  return (
    <EditDialog
      dialog={dialog}
      titles={{ create: 'New alert rule', edit: 'Edit alert rule' }}
      size="lg"
    >
      {(rule, close) => <AlertForm {...props} rule={rule} onClose={close} />}
    </EditDialog>
  )
}

interface FormProps extends Omit<Props, 'dialog'> {
  readonly rule: AlertRule | null
  readonly onClose: () => void
}

function AlertForm({ orgId, projectId, rule, onClose }: FormProps) {
  const mutation = useSaveAlertRule(projectId, rule?.id)
  const form = useMutationForm({
    endpoint: rule === null ? createAlertRule : updateAlertRule,
    initialValues: toAlertValues(rule),
    mutation,
    toBody: toAlertBody,
    onDone: ({ webhook_secret }) => {
      if (webhook_secret === null) onClose()
    },
  })
  const secret = mutation.data?.webhook_secret ?? null
  if (secret !== null) {
    return (
      <ShownOnce secret={secret} copyLabel="Copy the webhook secret" onClose={onClose}>
        <p>
          The rule is saved. Each request to the webhook is signed with this secret, as described by
          Standard Webhooks. Copy it now: it cannot be shown again.
        </p>
      </ShownOnce>
    )
  }
  return (
    <Form form={form} submitLabel={rule === null ? 'Create rule' : 'Save'} onCancel={onClose}>
      <TextInput label="Name" required data-autofocus {...input} {...form.field('name')} />
      <Condition form={form} isNew={rule === null} />
      {form.values.metric !== 'score_mean' && <Filters form={form} />}
      <Notification form={form} orgId={orgId} host={rule?.webhook_host ?? null} />
    </Form>
  )
}

const input = { autoComplete: 'off' } as const

interface PartProps {
  readonly form: MutationForm<AlertValues>
}

function Condition({ form, isNew }: PartProps & { readonly isNew: boolean }) {
  const { field, setValue, values } = form
  const { metric } = values
  const { error } = field('threshold') as { readonly error?: string }
  const onMetric = (next: AlertMetric) => {
    setValue('metric', next)
    if (isNew || values.threshold === '') setValue('threshold', initialThreshold(next))
  }
  return (
    <div className={styles.columns}>
      <NativeSelect
        label="Fires on"
        {...field('metric')}
        onChange={({ currentTarget }) => onMetric(currentTarget.value as AlertMetric)}
        data={alertMetrics.map((value) => ({ value, label: metricLabels[value] }))}
      />
      {metric !== 'no_data' && (
        <TextInput
          label={thresholdLabels[metric]}
          inputMode="decimal"
          required
          {...input}
          {...field('threshold')}
          error={error !== undefined && `Must be a number from ${formatThresholdRange(metric)}`}
        />
      )}
      {metric === 'score_mean' && (
        <TextInput label="Score name" required {...input} {...field('score_name')} />
      )}
      {usesWindow(metric) && (
        <NativeSelect
          label="In the last"
          {...field('window_minutes')}
          data={alertWindows.map((value) => ({
            value: String(value),
            label: formatWindow(value),
          }))}
        />
      )}
      {usesMinCount(metric) && (
        <TextInput
          label={metric === 'score_mean' ? 'Minimum scores' : 'Minimum traces'}
          inputMode="numeric"
          required
          {...input}
          {...field('min_count')}
        />
      )}
    </div>
  )
}

function Filters({ form: { field } }: PartProps) {
  return (
    <fieldset className={styles.group}>
      <legend>Filters</legend>
      <div className={styles.columns}>
        <ModeInput {...field('mode')} />
        <TextInput label="Trace name" placeholder="Any" {...input} {...field('trace_name')} />
        <TextInput label="Environment" placeholder="Any" {...input} {...field('environment')} />
        <TextInput label="Service" placeholder="Any" {...input} {...field('service')} />
        <TextInput label="Model" placeholder="Any" {...input} {...field('model')} />
        <TextInput label="Tags (all of them)" placeholder="a, b" {...input} {...field('tags')} />
      </div>
    </fieldset>
  )
}

interface NotificationProps extends PartProps {
  readonly orgId: string
  /** Of the present webhook. */
  readonly host: string | null
}

function Notification({ form, orgId, host }: NotificationProps) {
  const { field, setValue, values } = form
  const { error } = field('recipient_ids') as { readonly error?: string }
  return (
    <fieldset className={styles.group}>
      <legend>Notifications</legend>
      <Recipients
        orgId={orgId}
        ids={values.recipient_ids}
        onChange={(ids) => setValue('recipient_ids', [...ids])}
        error={error}
      />
      <TextInput
        label="Webhook URL"
        type="url"
        spellCheck={false}
        placeholder="https://"
        description={
          host === null
            ? 'Optional. Gets a signed POST request with JSON.'
            : `Stored for ${host}. It cannot be shown again. Leave empty to keep it.`
        }
        disabled={values.removes_webhook}
        {...input}
        {...field('webhook_url')}
      />
      {host !== null && (
        <Checkbox
          label="Remove the webhook"
          checked={values.removes_webhook}
          onChange={({ currentTarget }) => setValue('removes_webhook', currentTarget.checked)}
        />
      )}
      <p className={page.note}>A message is sent when the rule starts and when it stops firing.</p>
    </fieldset>
  )
}
