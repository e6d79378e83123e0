import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { Button } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { CreateProjectDialog } from './CreateProjectDialog.tsx'
import { useMayCreateProject } from './use-may-create-project.ts'
import { useTitle } from './use-title.ts'

/** Shown to someone who is in no project yet. */
export function NoProjectPage() {
  useTitle('No project')
  const organizations = useMayCreateProject()
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <EmptyState
        icon={<IconFolderPlus size={20} stroke={1.75} />}
        title="No project yet"
        actions={
          organizations.length > 0 && (
            <Button onClick={() => setCreating(true)}>Create a project</Button>
          )
        }
      >
        {organizations.length > 0
          ? 'Traces belong to a project. Create the first one to send them somewhere.'
          : 'You are in no project. Ask an Owner or Admin of your organization to create one.'}
      </EmptyState>
      <CreateProjectDialog
        isOpen={isCreating}
        organizations={organizations}
        onClose={() => setCreating(false)}
      />
    </>
  )
}
