import { limits } from '@assay/contract/limits.ts'
import type { Account } from '@assay/contract/platform.ts'
import { type Actor, type AuditEvent, recordEvent } from '../../accounts/audit.ts'
import { checkListLimit } from '../../accounts/list-limit.ts'
import { Failure } from '../../platform/failure.ts'
import type { Timestamp } from '../../storage/accounts/column-types.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { UserRow } from '../../storage/accounts/people-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

/*
 * Changes to accounts, by super admins and the command line. They end all sessions of the person, so they take effect
 * at once.
 */

/**
 * Throws NOT_FOUND for an unknown person, and FORBIDDEN for the caller's own account and for the last
 * active super admin.
 */
export function setDisabled(
  userId: string,
  isDisabled: boolean,
  actor: Actor,
  at: Timestamp,
  accounts: Accounts,
): Promise<UserRow> {
  if (isDisabled && userId === actor.id) {
    throw new Failure('FORBIDDEN', 'You cannot disable your own account.')
  }
  const action = isDisabled ? 'user.disabled' : 'user.enabled'
  return changed(userId, { disabled_at: isDisabled ? at : null }, action, actor, at, accounts)
}

/**
 * Throws NOT_FOUND for an unknown person, FORBIDDEN for the last active super admin, and CONFLICT when there are as
 * many super admins as there can be.
 */
export function setSuperAdmin(
  userId: string,
  isSuperAdmin: boolean,
  actor: Actor,
  at: Timestamp,
  accounts: Accounts,
): Promise<UserRow> {
  const action = isSuperAdmin ? 'super_admin.granted' : 'super_admin.revoked'
  const change = { is_super_admin: isSuperAdmin ? 1 : 0 } as const
  return changed(userId, change, action, actor, at, accounts)
}

type Change = Pick<UserRow, 'disabled_at'> | Pick<UserRow, 'is_super_admin'>
type Action = Extract<
  AuditEvent['action'],
  'user.disabled' | 'user.enabled' | 'super_admin.granted' | 'super_admin.revoked'
>

function changed(
  userId: string,
  change: Change,
  action: Action,
  actor: Actor,
  at: Timestamp,
  accounts: Accounts,
): Promise<UserRow> {
  return accounts.transaction(async (stores) => {
    // Locked, so that one of two super admins who revoke each other remains.
    await stores.installation.lock()
    const before = await stores.users.lock(userId)
    if (before === undefined) throw new Failure('NOT_FOUND', 'Person not found.')
    const after = { ...before, ...change }
    if (isNothing(before, after)) return before
    await keepOneSuperAdmin(before, after, stores)
    if (after.is_super_admin > before.is_super_admin) await checkSuperAdminLimit(stores)
    await stores.users.update(userId, change)
    await stores.sessions.removeByUser(userId)
    const details = { email: before.email }
    await recordEvent(
      { action, organizationId: null, targetId: userId, details },
      actor,
      at,
      stores,
    )
    return after
  })
}

function isNothing(before: UserRow, after: UserRow): boolean {
  return (
    before.is_super_admin === after.is_super_admin &&
    (before.disabled_at === null) === (after.disabled_at === null)
  )
}

async function keepOneSuperAdmin(
  before: UserRow,
  after: UserRow,
  { users }: AccountStores,
): Promise<void> {
  if (!isActiveSuperAdmin(before) || isActiveSuperAdmin(after)) return
  const superAdmins = await users.listSuperAdmins()
  if (superAdmins.filter(isActiveSuperAdmin).length > 1) return
  throw new Failure('FORBIDDEN', 'The service keeps at least one super admin.')
}

/** Call it in a transaction that has locked the installation. */
export async function checkSuperAdminLimit({ users }: Pick<AccountStores, 'users'>): Promise<void> {
  const superAdmins = await users.listSuperAdmins()
  checkListLimit(superAdmins.length, limits.superAdmins, 'The service', 'Revoke one first.')
}

function isActiveSuperAdmin({ is_super_admin, disabled_at }: UserRow): boolean {
  return is_super_admin === 1 && disabled_at === null
}

export function toApiAccount(user: UserRow): Account {
  const { id, email, email_verified_at, name, disabled_at, created_at } = user
  return {
    ...{ id, email, email_verified_at, name },
    is_super_admin: user.is_super_admin === 1,
    has_password: user.password_hash !== null,
    ...{ disabled_at, created_at },
  }
}
