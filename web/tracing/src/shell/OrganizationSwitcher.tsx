import { directoryQuery } from '@assay/account/api/projects.ts'
import { LinkMenuItem } from '@assay/account/parts/LinkMenuItem.tsx'
import styles from '@assay/account/shell/side.module.css'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Menu } from '@mantine/core'
import { IconBuilding, IconCheck, IconPlus, IconSelector, IconSettings } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { LazyCreateOrganizationDialog } from './lazy-dialogs.ts'
import { useNavigationContext } from './use-navigation-context.ts'
import { useSuperAdmin } from './use-super-admin.ts'

interface Props {
  readonly onLeave: (() => void) | undefined
}

/** The current organization, its settings, and the others. */
export function OrganizationSwitcher({ onLeave }: Props) {
  const { data: directory = [] } = useQuery(directoryQuery)
  const isSuperAdmin = useSuperAdmin()
  const context = useNavigationContext()
  const isInSettings = useParams({ strict: false }).orgId !== undefined
  const creating = useDialog<null>()
  if (context === undefined) return null
  const { organization: current } = context
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
            aria-label={`Organization ${current.name}: switch`}
          >
            <IconBuilding size={15} stroke={1.75} aria-hidden />
            <span className={styles.singleLine}>{current.name}</span>
            <IconSelector size={15} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
          <Menu.Label>Organizations</Menu.Label>
          {directory.map(({ organization, projects }) => {
            const [first] = projects
            const item = {
              onClick: onLeave,
              rightSection: organization.id === current.id && <IconCheck size={14} />,
              children: organization.name,
            }
            return isInSettings || first === undefined ? (
              <LinkMenuItem
                key={organization.id}
                to="/o/$orgId/settings"
                params={{ orgId: organization.id }}
                {...item}
              />
            ) : (
              <LinkMenuItem
                key={organization.id}
                to="/p/$projectId/traces"
                params={{ projectId: first.id }}
                {...item}
              />
            )
          })}
          <Menu.Divider />
          <LinkMenuItem
            to="/o/$orgId/settings"
            params={{ orgId: current.id }}
            leftSection={<IconSettings size={14} />}
            onClick={onLeave}
          >
            Settings of {current.name}
          </LinkMenuItem>
          {isSuperAdmin && (
            <Menu.Item leftSection={<IconPlus size={14} />} onClick={() => creating.open(null)}>
              New organization
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <LazyCreateOrganizationDialog dialog={{ ...creating, close }} />
    </>
  )
}
