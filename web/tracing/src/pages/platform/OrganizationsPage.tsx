import type { OrganizationProjects } from '@assay/account/api/first-requests.ts'
import { directoryQuery } from '@assay/account/api/projects.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconBuilding, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ListPage } from '../../page/ListPage.tsx'
import styles from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import { CreateOrganizationDialog } from '../../shell/CreateOrganizationDialog.tsx'

/** Every organization of the service. */
export function OrganizationsPage() {
  const creating = useDialog<null>()
  return (
    <ListPage
      title="Organizations"
      lead="Each has its own members, projects and traces. As a super admin, you act as Owner in all of them."
      action={
        <Button leftSection={<IconPlus size={14} />} onClick={() => creating.open(null)}>
          New organization
        </Button>
      }
      rows={useQuery(directoryQuery)}
      noun={['organization', 'organizations']}
      columns={columns}
      rowKey={({ organization }) => organization.id}
      empty={{
        Icon: IconBuilding,
        title: 'No organization yet',
        text: 'Members and projects belong to an organization. Create the first one.',
      }}
    >
      <CreateOrganizationDialog dialog={creating} />
    </ListPage>
  )
}

const columns: readonly Column<OrganizationProjects>[] = [
  {
    key: 'organization',
    header: 'Organization',
    cell: ({ organization: { id, name, slug } }) => (
      <TwoLines below={<code className={styles.small}>{slug}</code>}>
        <Link to="/o/$orgId/settings/members" params={{ orgId: id }} className={styles.link}>
          {name}
        </Link>
      </TwoLines>
    ),
    sortValue: ({ organization }) => organization.name,
  },
  {
    key: 'projects',
    header: 'Projects',
    align: 'end',
    cell: ({ projects }) => projects.length,
    sortValue: ({ projects }) => projects.length,
  },
  {
    key: 'sso',
    header: 'Single sign-on',
    cell: ({ organization }) =>
      organization.sso_config_id === null ? (
        <span className="dimmed">Not configured</span>
      ) : (
        'Configured'
      ),
  },
  {
    key: 'created',
    header: 'Created',
    narrow: 'hidden',
    cell: ({ organization }) => <TimeText at={organization.created_at} />,
    sortValue: ({ organization }) => organization.created_at,
  },
]
