import type { Project } from '@assay/contract/organizations.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Button } from '@mantine/core'
import { IconFolderPlus, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isSample } from '../../api/sample-project.ts'
import { PageHead } from '../../page/PageHead.tsx'
import styles from '../../page/page.module.css'
import { RoleNote } from '../../page/RoleNote.tsx'
import { TwoLines } from '../../page/TwoLines.tsx'
import { CreateProjectDialog } from '../../shell/CreateProjectDialog.tsx'
import { canCreateProject } from '../../shell/can-create-project.ts'
import { LoadSampleButton } from '../../shell/LoadSampleButton.tsx'
import { type CurrentOrganization, useOrganization } from '../../shell/use-organization.ts'
import { RemoveProjectDialog } from './RemoveProjectDialog.tsx'
import { RenameProjectDialog } from './RenameProjectDialog.tsx'

/** The projects of an organization. */
export function ProjectsPage() {
  const current = useOrganization()
  return current === undefined ? null : <Projects current={current} />
}

function Projects({ current }: { readonly current: CurrentOrganization }) {
  const { organization, projects, can } = current
  const [isCreating, setCreating] = useState(false)
  const canCreate = canCreateProject(organization)
  const create = canCreate && (
    <div className={styles.line}>
      {!projects.some(isSample) && <LoadSampleButton organization={organization} />}
      <Button leftSection={<IconPlus size={14} />} onClick={() => setCreating(true)}>
        New project
      </Button>
    </div>
  )
  return (
    <div className={styles.page}>
      <PageHead
        title="Projects"
        lead="Traces, tracing keys and evaluations belong to a project."
        action={projects.length > 0 && create}
      />
      {!can('manage_org_settings') && (
        <RoleNote organization={organization}>
          Its Owners and Admins create, change and delete projects.
        </RoleNote>
      )}
      {projects.length === 0 ? (
        <EmptyState
          icon={<IconFolderPlus size={20} stroke={1.75} />}
          title="No project yet"
          actions={create}
        >
          {canCreate
            ? 'Create one to send traces somewhere.'
            : 'Ask an Owner or Admin of the organization to create one.'}
        </EmptyState>
      ) : (
        <ProjectTable projects={projects} canManage={can('manage_org_settings')} />
      )}
      <CreateProjectDialog
        isOpen={isCreating}
        organizations={[organization]}
        onClose={() => setCreating(false)}
      />
    </div>
  )
}

interface TableProps {
  readonly projects: readonly Project[]
  readonly canManage: boolean
}

function ProjectTable({ projects, canManage }: TableProps) {
  const nowMs = useNow(60_000)
  const renaming = useDialog<Project>()
  const removing = useDialog<Project>()
  return (
    <>
      <p className={styles.count}>{countOf(projects.length, 'project')}</p>
      <div className={styles.scroller}>
        <table className={styles.table}>
          <caption className="visually-hidden">Projects</caption>
          <thead>
            <tr>
              <th scope="col">Project</th>
              <th scope="col" className={styles.wide}>
                Created
              </th>
              <th scope="col" className={styles.wide}>
                Telemetry kept
              </th>
              {canManage && (
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {projects.map((project) => (
              <tr key={project.id}>
                <td className={styles.tall}>
                  <ProjectName project={project} />
                </td>
                <td className={styles.wide}>
                  <TimeText at={project.created_at} nowMs={nowMs} />
                </td>
                <td className={styles.wide}>
                  <Retention project={project} />
                </td>
                {canManage && (
                  <td className={styles.action}>
                    <Button
                      variant="subtle"
                      size="compact-xs"
                      aria-label={`Rename ${project.name}`}
                      onClick={() => renaming.open(project)}
                    >
                      Rename
                    </Button>
                    <Button
                      variant="subtle"
                      color="red"
                      size="compact-xs"
                      aria-label={`Delete ${project.name}`}
                      onClick={() => removing.open(project)}
                    >
                      Delete
                    </Button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <RenameProjectDialog dialog={renaming} />
      <RemoveProjectDialog dialog={removing} />
    </>
  )
}

function Retention({ project: { id, retention_days: days } }: { readonly project: Project }) {
  return (
    <Link to="/p/$projectId/storage" params={{ projectId: id }}>
      {days === null ? 'as the service does' : countOf(days, 'day')}
    </Link>
  )
}

function ProjectName({ project }: { readonly project: Project }) {
  return (
    <TwoLines below={<code className={styles.small}>{project.slug}</code>}>
      <Link to="/p/$projectId/traces" params={{ projectId: project.id }} className={styles.link}>
        {project.name}
      </Link>
    </TwoLines>
  )
}
