import { LinkMenuItem } from '@assay/account/parts/LinkMenuItem.tsx'
import { linkLabel, useLinkedPages } from '@assay/account/routes/use-pages.ts'
import styles from '@assay/account/shell/side.module.css'
import { ThemeSwitch } from '@assay/account/shell/ThemeSwitch.tsx'
import { UserMenu } from '@assay/account/shell/UserMenu.tsx'
import { commandKey } from '@assay/ui/shortcut-keys.ts'
import {
  IconMessageCircle,
  IconSearch,
  IconServerCog,
  IconSettings,
  IconUser,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { forgetPerson } from '../api/forget-person.ts'
import { OrganizationSwitcher } from './OrganizationSwitcher.tsx'
import { ProjectSwitcher } from './ProjectSwitcher.tsx'
import { useChatLink } from './use-chat-link.ts'
import { useNavigationContext } from './use-navigation-context.ts'
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
        <UserMenu forgetPerson={forgetPerson}>
          <LinkMenuItem to="/profile" leftSection={<IconUser size={15} />} onClick={onLeave}>
            Profile
          </LinkMenuItem>
        </UserMenu>
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
  const chat = useChatLink()
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
      {chat !== undefined && (
        <li>
          <a href={chat} className={styles.link}>
            <IconMessageCircle size={17} stroke={1.75} aria-hidden />
            Open chat
          </a>
        </li>
      )}
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
