import { type DeclaredPage, linkLabel, useLinkedPages } from '@assay/account/routes/use-pages.ts'
import type { Permission } from '@assay/contract/access.ts'
import type { ReactNode } from 'react'
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
  /** The pages that share their search parameters with the open one. */
  readonly sharesSearch?: (page: DeclaredPage) => boolean
  readonly children: ReactNode
}

/** The pages of a section, linked by tabs. */
export function TabFrame(props: Props) {
  const { label, section, params = {}, can = () => true, sharesSearch, children } = props
  const pages = useLinkedPages(section).filter(
    ({ permission }) => permission === undefined || can(permission),
  )
  return (
    <>
      <nav className={styles.bar} aria-label={label}>
        <ul className={styles.tabs}>
          {pages.map((page) => (
            <TabLink
              key={page.to}
              to={page.to}
              params={params}
              {...(sharesSearch?.(page) === true ? { search: true } : {})}
            >
              {linkLabel(page)}
            </TabLink>
          ))}
        </ul>
      </nav>
      {children}
    </>
  )
}
