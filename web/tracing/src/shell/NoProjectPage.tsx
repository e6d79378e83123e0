import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { Button } from '@mantine/core'
import { IconBuilding, IconFolderPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { directoryQuery } from '../api/projects.ts'
import { CreateOrganizationDialog } from './CreateOrganizationDialog.tsx'
import { CreateProjectDialog } from './CreateProjectDialog.tsx'
import { canCreateProject } from './can-create-project.ts'
import { LoadSampleButton } from './LoadSampleButton.tsx'
import { useSuperAdmin } from './use-super-admin.ts'

/** Shown to someone who is in no project yet. */
export function NoProjectPage() {
  const { data: directory = [] } = useQuery(directoryQuery)
  if (directory.length === 0) return <NoOrganization />
  const places = directory.map(({ organization }) => organization).filter(canCreateProject)
  return <NoProject places={places} />
}

function NoProject({
  places,
}: {
  readonly places: Parameters<typeof CreateProjectDialog>[0]['organizations']
}) {
  const [isCreating, setCreating] = useState(false)
  const [first] = places
  return (
    <>
      <EmptyState
        icon={<IconFolderPlus size={20} stroke={1.75} />}
        title="No project yet"
        actions={
          first !== undefined && (
            <>
              <Button onClick={() => setCreating(true)}>Create a project</Button>
              <LoadSampleButton organization={first} />
            </>
          )
        }
      >
        {places.length > 0
          ? 'Traces belong to a project. Create the first one to send them somewhere.'
          : 'You are in no project. Ask an Owner or Admin of your organization to create one.'}
      </EmptyState>
      <CreateProjectDialog
        isOpen={isCreating}
        organizations={places}
        onClose={() => setCreating(false)}
      />
    </>
  )
}

function NoOrganization() {
  const isSuperAdmin = useSuperAdmin()
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <EmptyState
        icon={<IconBuilding size={20} stroke={1.75} />}
        title="No organization yet"
        actions={
          isSuperAdmin && <Button onClick={() => setCreating(true)}>Create an organization</Button>
        }
      >
        {isSuperAdmin
          ? 'People and projects belong to an organization. Create the first one.'
          : 'You are a member of no organization. Ask one of its Owners or Admins to invite you, and open the link that they send.'}
      </EmptyState>
      <CreateOrganizationDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  )
}
