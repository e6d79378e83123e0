import type { Project } from '@assay/contract/organizations.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { Button, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRenameProject } from '../../api/organizations.ts'
import { fieldErrors } from '../../form/field-errors.ts'
import form from '../../form/form.module.css'

/** Asks what a project is to be called. */
export function RenameProjectDialog({ dialog }: { readonly dialog: DialogState<Project> }) {
  const { target, isOpen, close } = dialog
  return (
    <Modal opened={isOpen} onClose={close} title={`Rename ${target?.name ?? ''}`}>
      {target !== undefined && <RenameProjectForm project={target} onDone={close} />}
    </Modal>
  )
}

interface Props {
  readonly project: Project
  readonly onDone: () => void
}

function RenameProjectForm({ project, onDone }: Props) {
  const [name, setName] = useState(project.name)
  const renaming = useRenameProject()
  const errors = fieldErrors(renaming.error, ['name'])
  return (
    <form
      className={form.fields}
      onSubmit={(event) => {
        event.preventDefault()
        renaming.mutate({ projectId: project.id, name }, { onSuccess: onDone })
      }}
    >
      <TextInput
        label="Name"
        description={
          <>
            The slug stays <code>{project.slug}</code>.
          </>
        }
        required
        data-autofocus
        maxLength={128}
        value={name}
        error={errors.fields['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FormError message={errors.rest} />
      <div className={form.buttons}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={renaming.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}
