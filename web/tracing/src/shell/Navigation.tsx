import { IconSearch, IconServerCog, IconSettings } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { commandKey } from '../palette/shortcuts.ts'
import { OrganizationSwitcher } from './OrganizationSwitcher.tsx'
import { ProjectSwitcher } from './ProjectSwitcher.tsx'
import styles from './Shell.module.css'
import { ThemeSwitch } from './ThemeSwitch.tsx'
import { UserMenu } from './UserMenu.tsx'
import { useNavigationContext } from './use-navigation-context.ts'
import { linkLabel, useLinkedPages } from './use-pages.ts'
import { useSuperAdmin } from './use-super-admin.ts'

interface Props {
  /** Called when a link is followed, so that a drawer can close. */
  readonly onLeave?: () => void
  readonly onSearch: () => void
}

/** The organization, the project and its pages, the settings, and the menu of the person. */
export function Navigation({ onLeave, onSearch }: Props) {
  const context = useNavigationContext()
  return (
    <div className={styles.nav}>
      {onLeave === undefined && (
        <Link to="/" className={styles.brand}>
          <img src="/favicon.svg" width={20} height={20} alt="" />
          Assay
        </Link>
      )}
      {context !== undefined && (
        <div className={styles.switches}>
          <OrganizationSwitcher onLeave={onLeave} />
          <ProjectSwitcher onLeave={onLeave} />
        </div>
      )}
      <button
        type="button"
        className={styles.search}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onSearch}
      >
        <IconSearch size={15} stroke={1.75} aria-hidden />
        <span className={styles.singleLine}>Search…</span>
        <kbd className={styles.key} aria-hidden>
          {commandKey} K
        </kbd>
      </button>
      {context?.project !== undefined && (
        <nav aria-label="Project">
          <ProjectLinks projectId={context.project.id} onLeave={onLeave} />
        </nav>
      )}
      <SettingsLinks orgId={context?.organization.id} onLeave={onLeave} />
      <div className={styles.foot}>
        <ThemeSwitch />
        <UserMenu onLeave={onLeave} />
      </div>
    </div>
  )
}

interface ProjectLinksProps {
  readonly projectId: string
  readonly onLeave: (() => void) | undefined
}

function ProjectLinks({ projectId, onLeave }: ProjectLinksProps) {
  const pages = useLinkedPages('/p/$projectId')
  return (
    <ul className={styles.links}>
      {pages.map(({ Icon, ...page }) => (
        <li key={page.to}>
          <Link to={page.to} params={{ projectId }} className={styles.link} onClick={onLeave}>
            {Icon !== undefined && <Icon size={17} stroke={1.75} aria-hidden />}
            {linkLabel(page)}
          </Link>
        </li>
      ))}
    </ul>
  )
}

interface SettingsLinksProps {
  readonly orgId: string | undefined
  readonly onLeave: (() => void) | undefined
}

function SettingsLinks({ orgId, onLeave }: SettingsLinksProps) {
  const isSuperAdmin = useSuperAdmin()
  if (orgId === undefined && !isSuperAdmin) return null
  const link = { className: styles.link, onClick: onLeave } as const
  return (
    <nav aria-label="Settings" className={styles.secondary}>
      <ul className={styles.links}>
        {orgId !== undefined && (
          <li>
            <Link to="/o/$orgId/settings" params={{ orgId }} {...link}>
              <IconSettings size={17} stroke={1.75} aria-hidden />
              Settings
            </Link>
          </li>
        )}
        {isSuperAdmin && (
          <li>
            <Link to="/platform" {...link}>
              <IconServerCog size={17} stroke={1.75} aria-hidden />
              Platform
            </Link>
          </li>
        )}
      </ul>
    </nav>
  )
}
