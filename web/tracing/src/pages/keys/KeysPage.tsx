import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { Button } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { tracingKeysQuery } from '../../api/tracing-keys.ts'
import { PageHead } from '../../page/PageHead.tsx'
import styles from '../../page/page.module.css'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { useProject } from '../../shell/use-project.ts'
import { useTitle } from '../../shell/use-title.ts'
import { CreateKeyDialog } from './CreateKeyDialog.tsx'
import { KeyTable } from './KeyTable.tsx'

const route = getRouteApi('/signed-in/p/$projectId/keys')

/** The tracing keys of a project: who may send to it. */
export function KeysPage() {
  const { projectId } = route.useParams()
  const current = useProject()
  const canManage = current?.can('manage_org_settings') === true
  useTitle('Tracing keys')
  const keys = useQuery(tracingKeysQuery(projectId))
  const [isCreating, setCreating] = useState(false)
  const create = canManage && (
    <Button leftSection={<IconPlus size={14} />} onClick={() => setCreating(true)}>
      Create key
    </Button>
  )

  return (
    <div className={styles.page}>
      <PageHead
        title="Tracing keys"
        lead="A key sends traces to this project and can do nothing else. Keep it out of browsers and mobile apps."
        action={keys.data !== undefined && keys.data.length > 0 && create}
      />
      {!canManage && (
        <p className={styles.why}>
          You are {current?.organization.role} of {current?.organization.name}. Keys are made and
          revoked by its Owners and Admins.
        </p>
      )}
      {keys.isPending ? (
        <TableSkeleton rows={3} />
      ) : keys.isError ? (
        <RequestProblem error={keys.error} onRetry={() => void keys.refetch()} />
      ) : keys.data.length === 0 ? (
        <EmptyState
          icon={<IconKey size={20} stroke={1.75} />}
          title="No tracing keys yet"
          actions={create}
        >
          {canManage
            ? 'Create one to send traces to this project.'
            : 'Ask an Owner or Admin of the organization to create one.'}
        </EmptyState>
      ) : (
        <KeyTable projectId={projectId} keys={keys.data} canManage={canManage} />
      )}
      <CreateKeyDialog
        projectId={projectId}
        isOpen={isCreating}
        onClose={() => setCreating(false)}
      />
    </div>
  )
}
