import type { Organization, Project } from '@assay/contract/organizations.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconFolderPlus, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { isSample } from '../../api/sample-project.ts'
import { ListPage } from '../../page/ListPage.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import styles from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import { CreateProjectDialog } from '../../shell/CreateProjectDialog.tsx'
import { canCreateProject } from '../../shell/can-create-project.ts'
import { LoadSampleButton } from '../../shell/LoadSampleButton.tsx'
import { useOrganization } from '../../shell/use-organization.ts'
import { RemoveProjectDialog } from './RemoveProjectDialog.tsx'
import { RenameProjectDialog } from './RenameProjectDialog.tsx'

/** The projects of an organization. */
export function ProjectsPage() {
  const current = useOrganization()
  const { organization, projects, can } = current
  const creating = useDialog<readonly Organization[]>()
  const renaming = useDialog<Project>()
  const removing = useDialog<Project>()
  const create = canCreateProject(organization) && (
    <div className={styles.line}>
      {!projects.some(isSample) && <LoadSampleButton organization={organization} />}
      <Button leftSection={<IconPlus size={14} />} onClick={() => creating.open([organization])}>
        New project
      </Button>
    </div>
  )
  const listActions = (project: Project) => [
    { label: 'Rename', onSelect: () => renaming.open(project) },
    { label: 'Delete', isDanger: true, onSelect: () => removing.open(project) },
  ]
  return (
    <ListPage
      title="Projects"
      lead="Each project has its own traces and tracing keys."
      note={
        <PermissionNote
          access={current}
          needs="manage_org_settings"
          to="change and delete projects"
        />
      }
      action={create}
      rows={projects}
      noun={['project', 'projects']}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      actions={can('manage_org_settings') ? listActions : undefined}
      empty={{
        Icon: IconFolderPlus,
        title: 'No project yet',
        text: 'Traces are sent to a project.',
      }}
    >
      <CreateProjectDialog dialog={creating} />
      <RenameProjectDialog dialog={renaming} />
      <RemoveProjectDialog dialog={removing} />
    </ListPage>
  )
}

const columns: readonly Column<Project>[] = [
  {
    key: 'project',
    header: 'Project',
    cell: ({ id, name, slug }) => (
      <TwoLines below={<code className={styles.small}>{slug}</code>}>
        <Link to="/p/$projectId/traces" params={{ projectId: id }} className={styles.link}>
          {name}
        </Link>
      </TwoLines>
    ),
    sortValue: ({ name }) => name,
  },
  {
    key: 'created',
    header: 'Created',
    narrow: 'hidden',
    cell: ({ created_at }) => <TimeText at={created_at} />,
    sortValue: ({ created_at }) => created_at,
  },
  {
    key: 'retention',
    header: 'Retention',
    cell: ({ id, retention_days: days }) => (
      <Link to="/p/$projectId/storage" params={{ projectId: id }}>
        {days === null ? 'Default' : countOf(days, 'day')}
      </Link>
    ),
  },
]
