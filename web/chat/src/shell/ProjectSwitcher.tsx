import { directoryQuery } from '@assay/account/api/projects.ts'
import { LinkMenuItem } from '@assay/account/parts/LinkMenuItem.tsx'
import side from '@assay/account/shell/side.module.css'
import { Menu } from '@mantine/core'
import { IconCheck, IconFolder, IconSelector } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { CurrentProject } from './use-project.ts'

interface Props {
  readonly current: CurrentProject | undefined
  readonly onLeave: (() => void) | undefined
}

/** The current project and its organization, and all others of the person. */
export function ProjectSwitcher({ current, onLeave }: Props) {
  const { data: directory = [] } = useQuery(directoryQuery)
  if (directory.length === 0) return null
  const name = current?.project.name ?? 'Choose a project'
  return (
    <Menu width={240}>
      <Menu.Target>
        <button type="button" className={side.switch}>
          <IconFolder size={15} stroke={1.75} aria-hidden />
          <span className="visually-hidden">Project</span>
          <span className={side.twoLines}>
            <span>{name}</span>
            {current !== undefined && (
              <span className={side.small}>{current.organization.name}</span>
            )}
          </span>
          <span className="visually-hidden">: switch</span>
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
                to="/$orgSlug/$projectSlug"
                params={{ orgSlug: organization.slug, projectSlug: project.slug }}
                search={{ q: undefined }}
                rightSection={project.id === current?.project.id && <IconCheck size={14} />}
                onClick={onLeave}
              >
                {project.name}
              </LinkMenuItem>
            ))}
            {projects.length === 0 && <Menu.Item disabled>No projects yet</Menu.Item>}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
