import type { UserRow } from '../storage/accounts/tables.ts'

/**
 * Whether somebody may have an account and a session now. Every path that creates either, and every request of
 * a session, asks here and nowhere else.
 */
export function isAdmitted(user: Pick<UserRow, 'disabled_at'>): boolean {
  return user.disabled_at === null
}
