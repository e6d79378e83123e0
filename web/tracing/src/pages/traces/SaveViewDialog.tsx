import type { SavedView } from '@assay/contract/saved-views.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSaveView } from '../../api/saved-views.ts'
import form from '../../form/form.module.css'
import { problemOfView } from './view-query.ts'

interface Props {
  readonly projectId: string
  readonly query: string
  readonly views: readonly SavedView[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Saves the current filters and columns under a name. An existing name is only replaced when confirmed. */
export function SaveViewDialog({ isOpen, onClose, ...rest }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Save this view">
      <SaveForm {...rest} onClose={onClose} />
    </Modal>
  )
}

function SaveForm({ projectId, query, views, onClose }: Omit<Props, 'isOpen'>) {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const saving = useSaveView(projectId)
  const taken = views.find((view) => view.name === name.trim())
  return (
    <form
      className={form.fields}
      onSubmit={(event) => {
        event.preventDefault()
        const found = problemOfView(name.trim(), query, views)
        setProblem(found)
        if (found === undefined) {
          saving.mutate({ name: name.trim(), query, replaces: taken }, { onSuccess: onClose })
        }
      }}
    >
      <p className={form.text}>
        {query === ''
          ? 'No filters are set, so this view shows all traces.'
          : 'Saves the current filters and columns. Relative time ranges stay relative.'}
      </p>
      <TextInput
        label="Name"
        data-autofocus
        autoComplete="off"
        value={name}
        error={problem}
        description={
          taken === undefined
            ? undefined
            : 'You already have a view with this name. Saving replaces it.'
        }
        onChange={(event) => {
          setName(event.currentTarget.value)
          setProblem(undefined)
          saving.reset()
        }}
      />
      <FormError message={saving.error?.message} />
      <div className={form.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={saving.isPending}>
          {taken === undefined ? 'Save view' : 'Replace view'}
        </Button>
      </div>
    </form>
  )
}
