import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useNow } from '@assay/ui/use-now.ts'
import { Button } from '@mantine/core'
import { IconBuilding, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { directoryQuery, type OrganizationProjects } from '../../api/projects.ts'
import { PageHead } from '../../page/PageHead.tsx'
import styles from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import { CreateOrganizationDialog } from '../../shell/CreateOrganizationDialog.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'

/** Every organization of the service. */
export function OrganizationsPage() {
  const directory = useQuery(directoryQuery)
  const [isCreating, setCreating] = useState(false)
  const create = (
    <Button leftSection={<IconPlus size={14} />} onClick={() => setCreating(true)}>
      New organization
    </Button>
  )
  return (
    <div className={styles.page}>
      <PageHead
        title="Organizations"
        lead="Each has its own people, projects and traces. As super admin you act as Owner in all of them."
        action={directory.data !== undefined && directory.data.length > 0 && create}
      />
      {directory.isPending ? (
        <TableSkeleton rows={3} rowHeightPx={52} />
      ) : directory.isError ? (
        <RequestProblem error={directory.error} onRetry={() => void directory.refetch()} />
      ) : directory.data.length === 0 ? (
        <EmptyState
          icon={<IconBuilding size={20} stroke={1.75} />}
          title="No organization yet"
          actions={create}
        >
          People and projects belong to an organization. Create the first one.
        </EmptyState>
      ) : (
        <OrganizationTable directory={directory.data} />
      )}
      <CreateOrganizationDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </div>
  )
}

interface TableProps {
  readonly directory: readonly OrganizationProjects[]
}

function OrganizationTable({ directory }: TableProps) {
  const nowMs = useNow(60_000)
  return (
    <>
      <p className={styles.count}>{countOf(directory.length, 'organization')}</p>
      <div className={styles.scroller}>
        <table className={styles.table}>
          <caption className="visually-hidden">Organizations</caption>
          <thead>
            <tr>
              <th scope="col">Organization</th>
              <th scope="col">Projects</th>
              <th scope="col" className={styles.wide}>
                Single sign-on
              </th>
              <th scope="col" className={styles.wide}>
                Created
              </th>
            </tr>
          </thead>
          <tbody>
            {directory.map(({ organization, projects }) => (
              <tr key={organization.id}>
                <td className={styles.tall}>
                  <OrganizationName organization={organization} />
                </td>
                <td className="number">{projects.length}</td>
                <td className={styles.wide}>
                  {organization.sso_config_id === null ? (
                    <span className="dimmed">none</span>
                  ) : (
                    'set up'
                  )}
                </td>
                <td className={styles.wide}>
                  <TimeText at={organization.created_at} nowMs={nowMs} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function OrganizationName({
  organization,
}: {
  readonly organization: OrganizationProjects['organization']
}) {
  return (
    <TwoLines below={<code className={styles.small}>{organization.slug}</code>}>
      <Link
        to="/o/$orgId/settings/members"
        params={{ orgId: organization.id }}
        className={styles.link}
      >
        {organization.name}
      </Link>
    </TwoLines>
  )
}
