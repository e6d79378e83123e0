import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import {
  createEvaluator,
  type Evaluator,
  evaluatorCategories,
  updateEvaluator,
} from '@assay/contract/evaluators.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useSaveEvaluator } from '../../api/evaluators.ts'
import { EditDialog, type EditTarget } from '../../page/EditDialog.tsx'
import { categoryLabels } from './evaluator-labels.ts'
import { toEvaluatorBody, toEvaluatorValues } from './evaluator-values.ts'
import styles from './evaluators.module.css'
import { TemplateInput } from './TemplateInput.tsx'
import { TrialPanel } from './TrialPanel.tsx'

interface Props {
  readonly orgId: string
  /** Has the traces to try the evaluator on. */
  readonly projectId: string
  readonly dialog: DialogState<EditTarget<Evaluator>>
  readonly onCreated: (evaluator: Evaluator) => void
}

/** Creates or edits an evaluator of the organization. */
export function EvaluatorDialog({ orgId, projectId, dialog, onCreated }: Props) {
  return (
    <EditDialog
      dialog={dialog}
      titles={{ create: 'New evaluator', edit: 'Edit evaluator' }}
      size="lg"
    >
      {(evaluator, close) => (
        <EvaluatorForm
          orgId={orgId}
          projectId={projectId}
          evaluator={evaluator}
          onClose={close}
          onCreated={onCreated}
        />
      )}
    </EditDialog>
  )
}

interface FormProps {
  readonly orgId: string
  readonly projectId: string
  readonly evaluator: Evaluator | null
  readonly onClose: () => void
  readonly onCreated: (evaluator: Evaluator) => void
}

function EvaluatorForm({ orgId, projectId, evaluator, onClose, onCreated }: FormProps) {
  const form = useMutationForm({
    endpoint: evaluator === null ? createEvaluator : updateEvaluator,
    initialValues: toEvaluatorValues(evaluator),
    mutation: useSaveEvaluator(orgId, evaluator?.id),
    toBody: toEvaluatorBody,
    onDone(saved) {
      onClose()
      if (evaluator === null) onCreated(saved)
    },
  })
  const { field, values } = form
  const { prompt_template, threshold } = toEvaluatorBody(values)
  const submitLabel = evaluator === null ? 'Create evaluator' : 'Save'
  return (
    <Form form={form} submitLabel={submitLabel} onCancel={onClose}>
      <div className={styles.twoColumns}>
        <TextInput
          label="Name"
          placeholder="Polite answer"
          required
          data-autofocus
          autoComplete="off"
          {...field('name')}
        />
        <NativeSelect
          label="Category"
          {...field('category')}
          data={evaluatorCategories.map((value) => ({ value, label: categoryLabels[value] }))}
        />
      </div>
      <TemplateInput
        label="Prompt"
        description="Describe a good run. The judge, a model, receives this as its instructions, and the values of the placeholders separately as data that cannot instruct it. It decides whether the run meets the description: yes scores 1, no scores 0, and if a verdict is uncertain, the judge is asked up to three times and the majority decides."
        field={field('prompt_template')}
      />
      <Textarea
        label="Description"
        description="Optional. For people who choose evaluators."
        autosize={false}
        rows={2}
        {...field('description')}
      />
      <div className={styles.twoColumns}>
        <TextInput
          label="Threshold"
          description="Yes scores 1 and no scores 0, so yes passes with any threshold above 0"
          inputMode="decimal"
          autoComplete="off"
          {...field('threshold')}
        />
        <TextInput
          label="Tags"
          description="Optional, separated by commas"
          autoComplete="off"
          {...field('tags')}
        />
      </div>
      <TrialPanel
        orgId={orgId}
        projectId={projectId}
        evaluator={{ prompt_template, threshold }}
        needsModel
      />
    </Form>
  )
}
