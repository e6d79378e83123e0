import { directoryQuery } from '@assay/account/api/projects.ts'
import type { Organization } from '@assay/contract/organizations.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconBuilding, IconFolderPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { canCreateProject } from './can-create-project.ts'
import { LoadSampleButton } from './LoadSampleButton.tsx'
import { LazyCreateOrganizationDialog, LazyCreateProjectDialog } from './lazy-dialogs.ts'
import { useSuperAdmin } from './use-super-admin.ts'

/** The start page without a project. */
export function NoProjectPage() {
  const { data: directory = [] } = useQuery(directoryQuery)
  if (directory.length === 0) return <NoOrganization />
  const places = directory.map(({ organization }) => organization).filter(canCreateProject)
  return <NoProject places={places} />
}

function NoProject({ places }: { readonly places: readonly Organization[] }) {
  const creating = useDialog<readonly Organization[]>()
  const [first] = places
  return (
    <>
      <EmptyState
        isPage
        icon={<IconFolderPlus size={20} stroke={1.75} />}
        title="No project yet"
        actions={
          first !== undefined && (
            <>
              <Button onClick={() => creating.open(places)}>Create a project</Button>
              <LoadSampleButton organization={first} />
            </>
          )
        }
      >
        {places.length > 0
          ? 'Traces belong to a project. Create the first one to send traces to it.'
          : 'Ask an Owner or Admin of your organization to create one.'}
      </EmptyState>
      <LazyCreateProjectDialog dialog={creating} />
    </>
  )
}

function NoOrganization() {
  const isSuperAdmin = useSuperAdmin()
  const creating = useDialog<null>()
  return (
    <>
      <EmptyState
        isPage
        icon={<IconBuilding size={20} stroke={1.75} />}
        title="No organization yet"
        actions={
          isSuperAdmin && (
            <Button onClick={() => creating.open(null)}>Create an organization</Button>
          )
        }
      >
        {isSuperAdmin
          ? 'Members and projects belong to an organization. Create the first one.'
          : "You don't belong to an organization. Ask an Owner or Admin of one for an invite link."}
      </EmptyState>
      <LazyCreateOrganizationDialog dialog={creating} />
    </>
  )
}
