import type { Organization } from '@assay/contract/organizations.ts'
import type { ReactNode } from 'react'
import styles from './page.module.css'

interface Props {
  readonly organization: Organization
  /** Whose it is to do what the page is about. */
  readonly children: ReactNode
}

/** Why less is offered here than to others. */
export function RoleNote({ organization, children }: Props) {
  return (
    <p className={styles.why}>
      You are {organization.role} of {organization.name}. {children}
    </p>
  )
}
