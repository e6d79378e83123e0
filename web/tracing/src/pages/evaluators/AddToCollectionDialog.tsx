import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { createEvaluatorCollection, type Evaluator } from '@assay/contract/evaluators.ts'
import { limits } from '@assay/contract/limits.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { collectionsQuery } from '../../api/evaluations.ts'
import { useSaveCollection } from '../../api/evaluators.ts'
import { FormDialog } from '../../page/FormDialog.tsx'

interface Props {
  readonly orgId: string
  readonly dialog: DialogState<Evaluator>
}

/** Adds an evaluator to a collection of the organization, or creates one with it. */
export function AddToCollectionDialog({ orgId, dialog }: Props) {
  return (
    <FormDialog dialog={dialog} title={({ name }) => `Add ${name} to a collection`}>
      {(evaluator, close) => (
        <AddToCollectionForm orgId={orgId} evaluator={evaluator} onClose={close} />
      )}
    </FormDialog>
  )
}

interface FormProps {
  readonly orgId: string
  readonly evaluator: Evaluator
  readonly onClose: () => void
}

const max = limits.evaluatorsPerCollection.value

function AddToCollectionForm({ orgId, evaluator: { id, name }, onClose }: FormProps) {
  const { data: all = [] } = useQuery(collectionsQuery(orgId))
  const collections = all.filter(
    ({ is_default, evaluator_ids: ids }) => !is_default && ids.length < max && !ids.includes(id),
  )
  const [collectionId, setCollectionId] = useState('')
  const collection = collections.find((one) => one.id === collectionId)
  const form = useMutationForm({
    endpoint: createEvaluatorCollection,
    initialValues: { name },
    mutation: useSaveCollection(orgId, collection?.id),
    toBody: (values) =>
      collection === undefined
        ? { name: values.name.trim(), evaluator_ids: [id] }
        : { name: collection.name, evaluator_ids: [...collection.evaluator_ids, id] },
    onDone: onClose,
  })
  return (
    <Form
      form={form}
      submitLabel={collection === undefined ? 'Create collection' : 'Add'}
      onCancel={onClose}
    >
      <NativeSelect
        label="Collection"
        description="Evaluators run on traces as part of a collection"
        value={collectionId}
        onChange={(event) => setCollectionId(event.currentTarget.value)}
        data={[
          { value: '', label: 'New collection' },
          ...collections.map((one) => ({ value: one.id, label: one.name })),
        ]}
      />
      {collection === undefined && (
        <TextInput label="Name" required autoComplete="off" {...form.field('name')} />
      )}
    </Form>
  )
}
