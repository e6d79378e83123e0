import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './tabs.module.css'

interface Props {
  /** What the pages have in common: `Settings of Example`. */
  readonly label: string
  /** `TabLink`s. */
  readonly children: ReactNode
}

/** Several pages about one thing, with links from each to the others. */
export function TabFrame({ label, children }: Props) {
  return (
    <>
      <nav className={styles.bar} aria-label={label}>
        <ul className={styles.tabs}>{children}</ul>
      </nav>
      <Outlet />
    </>
  )
}
