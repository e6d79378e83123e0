import { directoryQuery } from '@assay/account/api/projects.ts'
import { useProducts } from '@assay/account/api/session.ts'
import { productLink } from '@assay/account/session-transfer/transfer-links.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { Button } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'

/** The start page without a project. */
export function NoProjectPage() {
  const { data: directory = [] } = useQuery(directoryQuery)
  const tracing = useProducts()?.tracing
  return (
    <EmptyState
      isPage
      icon={<IconFolderPlus size={20} stroke={1.75} />}
      title={directory.length === 0 ? 'No organization yet' : 'No project yet'}
      actions={
        tracing !== undefined && (
          <Button component="a" variant="default" href={productLink(tracing, '/')}>
            Open Assay
          </Button>
        )
      }
    >
      {directory.length === 0
        ? "You don't belong to an organization. Ask an Owner or Admin of one for an invite link."
        : 'Conversations belong to a project. Owners and Admins of your organization can create one in Assay.'}
    </EmptyState>
  )
}
