import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import {
  createEvaluatorCollection,
  type EvaluatorCollection,
  updateEvaluatorCollection,
} from '@assay/contract/evaluators.ts'
import { limits } from '@assay/contract/limits.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { evaluatorsQuery, useSaveCollection } from '../../api/evaluators.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import page from '../../page/page.module.css'
import { EvaluatorOrder } from './EvaluatorOrder.tsx'

/** The collection to edit, or to begin a new one with. */
export interface CollectionTarget {
  readonly mode: 'new' | 'copy' | 'edit'
  readonly collection: EvaluatorCollection | null
}

interface Props {
  readonly orgId: string
  readonly dialog: DialogState<CollectionTarget>
}

/** Creates, copies or edits a collection. */
export function CollectionDialog({ orgId, dialog }: Props) {
  return (
    <FormDialog
      dialog={dialog}
      title={({ mode }) => titles[mode]}
      size="lg"
      closeOnClickOutside={false}
    >
      {(target, close) => <CollectionForm orgId={orgId} target={target} onClose={close} />}
    </FormDialog>
  )
}

const titles = { new: 'New collection', copy: 'Copy collection', edit: 'Edit collection' } as const

interface FormProps {
  readonly orgId: string
  readonly target: CollectionTarget
  readonly onClose: () => void
}

const max = limits.evaluatorsPerCollection.value

interface Values {
  readonly name: string
  readonly description: string
  readonly evaluator_ids: string[]
}

function CollectionForm({ orgId, target: { mode, collection }, onClose }: FormProps) {
  const evaluators = useQuery(evaluatorsQuery(orgId))
  const isEdit = mode === 'edit'
  const form = useMutationForm<Values, Values, unknown>({
    endpoint: isEdit ? updateEvaluatorCollection : createEvaluatorCollection,
    initialValues: toValues(collection, isEdit),
    mutation: useSaveCollection(orgId, isEdit ? collection?.id : undefined),
    onDone: onClose,
  })
  const { field, values, setValue } = form
  const copiedCount = mode === 'copy' ? (collection?.evaluator_ids.length ?? 0) : 0
  const { error } = field('evaluator_ids') as { readonly error?: string }
  return (
    <Form form={form} submitLabel={isEdit ? 'Save' : 'Create collection'} onCancel={onClose}>
      <TextInput label="Name" required data-autofocus autoComplete="off" {...field('name')} />
      <Textarea
        label="Description"
        description="Optional"
        autosize={false}
        rows={2}
        {...field('description')}
      />
      {copiedCount > max && (
        <p className={page.note} role="note">
          A collection has at most {max} evaluators: the first {max} of {copiedCount} are copied.
        </p>
      )}
      <EvaluatorOrder
        evaluators={evaluators.data ?? []}
        value={values.evaluator_ids}
        error={error ?? evaluators.error?.message}
        onChange={(ids) => setValue('evaluator_ids', ids)}
      />
    </Form>
  )
}

/** A copy has at most as many evaluators as one of the organization can have. */
function toValues(collection: EvaluatorCollection | null, isEdit: boolean): Values {
  if (collection === null) return { name: '', description: '', evaluator_ids: [] }
  const { name, description, evaluator_ids } = collection
  return {
    name: isEdit ? name : `Copy of ${name}`,
    // It may describe those that are left out: `All built-in evaluators.`
    description: evaluator_ids.length > max ? '' : description,
    evaluator_ids: evaluator_ids.slice(0, max),
  }
}
