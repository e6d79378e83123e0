import { IconKey, IconListTree, IconSend } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { ProjectSwitcher } from './ProjectSwitcher.tsx'
import styles from './Shell.module.css'
import { ThemeSwitch } from './ThemeSwitch.tsx'
import { UserMenu } from './UserMenu.tsx'
import { useProject } from './use-project.ts'

interface Props {
  /** Called when a link was followed, so that a drawer can close. */
  readonly onLeave?: () => void
}

/** Where one can go: the project, its pages, the person's own things. */
export function Navigation({ onLeave }: Props) {
  const current = useProject()
  return (
    <div className={styles.nav}>
      {onLeave === undefined && (
        <Link to="/" className={styles.brand}>
          <img src="/favicon.svg" width={20} height={20} alt="" />
          Assay
        </Link>
      )}
      <ProjectSwitcher onLeave={onLeave} />
      {current !== undefined && (
        <nav aria-label="Project">
          <PageLinks projectId={current.project.id} onLeave={onLeave} />
        </nav>
      )}
      <div className={styles.foot}>
        <ThemeSwitch />
        <UserMenu />
      </div>
    </div>
  )
}

interface LinksProps {
  readonly projectId: string
  readonly onLeave: (() => void) | undefined
}

function PageLinks({ projectId, onLeave }: LinksProps) {
  const link = { className: styles.link, params: { projectId }, onClick: onLeave } as const
  return (
    <ul className={styles.links}>
      <li>
        <Link to="/p/$projectId/traces" {...link}>
          <IconListTree size={17} stroke={1.75} aria-hidden />
          Traces
        </Link>
      </li>
      <li>
        <Link to="/p/$projectId/send" {...link}>
          <IconSend size={17} stroke={1.75} aria-hidden />
          Send traces
        </Link>
      </li>
      <li>
        <Link to="/p/$projectId/keys" {...link}>
          <IconKey size={17} stroke={1.75} aria-hidden />
          Tracing keys
        </Link>
      </li>
    </ul>
  )
}
