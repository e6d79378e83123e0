import { Menu } from '@mantine/core'
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { directoryQuery } from '../api/projects.ts'
import { LinkMenuItem } from '../parts/LinkMenuItem.tsx'
import { CreateProjectDialog } from './CreateProjectDialog.tsx'
import styles from './Shell.module.css'
import { useMayCreateProject } from './use-may-create-project.ts'
import { useProject } from './use-project.ts'

interface Props {
  readonly onLeave: (() => void) | undefined
}

/** The project one is in, and the others one may go to. */
export function ProjectSwitcher({ onLeave }: Props) {
  const current = useProject()
  const { data: directory = [] } = useQuery(directoryQuery)
  const places = useMayCreateProject()
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <Menu width={240}>
        <Menu.Target>
          <button type="button" className={styles.switch} aria-label="Switch project">
            <span className={styles.two}>
              <span>{current?.project.name ?? 'Choose a project'}</span>
              {current !== undefined && (
                <span className={styles.small}>{current.organization.name}</span>
              )}
            </span>
            <IconSelector size={15} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
          {directory.map(({ organization, projects }) => (
            <Fragment key={organization.id}>
              <Menu.Label>{organization.name}</Menu.Label>
              {projects.map((project) => (
                <LinkMenuItem
                  key={project.id}
                  to="/p/$projectId/traces"
                  params={{ projectId: project.id }}
                  onClick={onLeave}
                  rightSection={project.id === current?.project.id && <IconCheck size={14} />}
                >
                  {project.name}
                </LinkMenuItem>
              ))}
              {projects.length === 0 && <Menu.Item disabled>No projects yet</Menu.Item>}
            </Fragment>
          ))}
          {places.length > 0 && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconPlus size={14} />} onClick={() => setCreating(true)}>
                New project
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <CreateProjectDialog
        isOpen={isCreating}
        organizations={places}
        onClose={() => {
          setCreating(false)
          onLeave?.()
        }}
      />
    </>
  )
}
