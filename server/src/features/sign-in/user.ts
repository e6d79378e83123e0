import type { User } from '@assay/contract/sign-in.ts'
import type { UserRow } from '../../storage/accounts/tables.ts'

export function shownUser({ id, email, name, is_super_admin }: UserRow): User {
  return { id, email, name, is_super_admin: is_super_admin === 1 }
}
