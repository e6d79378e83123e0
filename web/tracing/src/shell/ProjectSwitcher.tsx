import { LinkMenuItem } from '@assay/account/parts/LinkMenuItem.tsx'
import styles from '@assay/account/shell/side.module.css'
import type { Organization } from '@assay/contract/organizations.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Menu } from '@mantine/core'
import { IconCheck, IconFolder, IconPlus, IconSelector } from '@tabler/icons-react'
import { canCreateProject } from './can-create-project.ts'
import { LazyCreateProjectDialog } from './lazy-dialogs.ts'
import { useNavigationContext } from './use-navigation-context.ts'

interface Props {
  readonly onLeave: (() => void) | undefined
}

/** The current project, and the others of the organization. */
export function ProjectSwitcher({ onLeave }: Props) {
  const context = useNavigationContext()
  const creating = useDialog<readonly Organization[]>()
  if (context === undefined) return null
  const { organization, projects, project: current } = context
  const noProject = projects.length === 0 ? 'No project yet' : 'Select a project'
  const close = () => {
    creating.close()
    onLeave?.()
  }
  return (
    <>
      <Menu width={240}>
        <Menu.Target>
          <button
            type="button"
            className={styles.switch}
            aria-label={current === undefined ? noProject : `Project ${current.name}: switch`}
          >
            <IconFolder size={15} stroke={1.75} aria-hidden />
            <span className={styles.singleLine}>{current?.name ?? noProject}</span>
            <IconSelector size={15} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
          <Menu.Label>Projects of {organization.name}</Menu.Label>
          {projects.map((project) => (
            <LinkMenuItem
              key={project.id}
              to="/p/$projectId/traces"
              params={{ projectId: project.id }}
              onClick={onLeave}
              rightSection={project.id === current?.id && <IconCheck size={14} />}
            >
              {project.name}
            </LinkMenuItem>
          ))}
          {projects.length === 0 && <Menu.Item disabled>No projects yet</Menu.Item>}
          {canCreateProject(organization) && (
            <>
              <Menu.Divider />
              <Menu.Item
                leftSection={<IconPlus size={14} />}
                onClick={() => creating.open([organization])}
              >
                New project
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <LazyCreateProjectDialog dialog={{ ...creating, close }} />
    </>
  )
}
