import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useNavigate } from '@tanstack/react-router'
import { useRemoveProject } from '../api/organizations.ts'
import type { CurrentProject } from './use-project.ts'

interface Props {
  readonly dialog: DialogState<CurrentProject['project']>
}

export function RemoveSampleDialog({ dialog }: Props) {
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      dialog={dialog}
      mutation={useRemoveProject()}
      variables={({ id, slug }) => ({ projectId: id, slug })}
      title="Delete the sample data?"
      confirmLabel="Delete sample data"
      onDone={() => void navigate({ to: '/' })}
    >
      <p>This deletes the project with everything in it. You can load sample data again.</p>
    </ConfirmDialog>
  )
}
