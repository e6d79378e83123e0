import type { Permission } from '@assay/contract/access.ts'
import type { ReactNode } from 'react'
import { linkLabel, useLinkedPages } from '../shell/use-pages.ts'
import { TabLink } from './TabLink.tsx'
import styles from './tabs.module.css'

interface Props {
  /** The common title of the pages: `Settings of Example`. */
  readonly label: string
  /** The path of the section and its parameters. */
  readonly section: string
  readonly params?: Readonly<Record<string, string>>
  /** Hides the pages that the person may not open. */
  readonly can?: (permission: Permission) => boolean
  readonly children: ReactNode
}

/** The pages of a section, linked by tabs. */
export function TabFrame({ label, section, params = {}, can = () => true, children }: Props) {
  const pages = useLinkedPages(section).filter(
    ({ permission }) => permission === undefined || can(permission),
  )
  return (
    <>
      <nav className={styles.bar} aria-label={label}>
        <ul className={styles.tabs}>
          {pages.map((page) => (
            <TabLink key={page.to} to={page.to} params={params}>
              {linkLabel(page)}
            </TabLink>
          ))}
        </ul>
      </nav>
      {children}
    </>
  )
}
