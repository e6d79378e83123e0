import { formatHolders, type OrganizationAccess } from '@assay/account/shell/organization-access.ts'
import type { Permission } from '@assay/contract/access.ts'
import styles from './page.module.css'

interface Props {
  readonly access: OrganizationAccess
  readonly needs: Permission
  /** What the permission is needed for: `invite people and change roles`. */
  readonly to: string
}

/** Explains missing actions. */
export function PermissionNote({ access: { organization, can }, needs, to }: Props) {
  if (can(needs)) return null
  return (
    <p className={styles.permissionNote}>
      You are {getArticle(organization.role)} {organization.role} of {organization.name}. Only{' '}
      {formatHolders(needs)} can {to}.
    </p>
  )
}

function getArticle(role: string): string {
  return /^[AEIOU]/.test(role) ? 'an' : 'a'
}
