import { limits } from '@assay/contract/limits.ts'
import type { PlatformAccess } from '@assay/contract/platform.ts'
import { type Actor, recordEvent } from '../../accounts/audit.ts'
import { toEmailKey } from '../../accounts/email.ts'
import { checkListLimit } from '../../accounts/list-limit.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { Timestamp } from '../../storage/accounts/column-types.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { PlatformAccessRow } from '../../storage/accounts/people-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

/*
 * Approvals of addresses and domains, for the API and the command line.
 */

/** Sorted by pattern. */
export async function listAccess({
  platformAccess,
}: Pick<AccountStores, 'platformAccess'>): Promise<PlatformAccess[]> {
  const rows = await platformAccess.list()
  return rows.map(({ adder, ...row }) => toApiAccess(row, adder)).sort(byPattern)
}

/** Throws CONFLICT when the pattern is already approved, or there are as many approvals as there can be. */
export async function addAccess(
  pattern: string,
  actor: Actor,
  at: Timestamp,
  accounts: Accounts,
): Promise<PlatformAccess> {
  const row: PlatformAccessRow = {
    id: newId(),
    pattern: toEmailKey(pattern),
    added_by: actor.id,
    created_at: at,
  }
  await accounts.transaction(async (stores) => {
    await stores.installation.lock()
    const count = await stores.platformAccess.count()
    const advice = 'Remove one first, or approve a domain instead of its addresses.'
    checkListLimit(count, limits.platformAccess, 'The service', advice)
    if (!(await stores.platformAccess.insert(row))) {
      throw new Failure('CONFLICT', `${row.pattern} is already approved.`)
    }
    await recordEvent(event('platform_access.added', row), actor, at, stores)
  })
  return toApiAccess(row, actor.email)
}

/** Throws NOT_FOUND for an unknown id. */
export async function removeAccess(
  id: string,
  actor: Actor,
  at: Timestamp,
  accounts: Accounts,
): Promise<void> {
  await accounts.transaction(async (stores) => {
    const row = await stores.platformAccess.remove(id)
    if (row === undefined) throw new Failure('NOT_FOUND', 'Approval not found.')
    await recordEvent(event('platform_access.removed', row), actor, at, stores)
  })
}

function event(
  action: 'platform_access.added' | 'platform_access.removed',
  { id, pattern }: PlatformAccessRow,
) {
  return { action, organizationId: null, targetId: id, details: { pattern } }
}

function toApiAccess(
  { id, pattern, created_at }: PlatformAccessRow,
  addedBy: string | null,
): PlatformAccess {
  return { id, pattern, added_by: addedBy, created_at }
}

const collator = new Intl.Collator('en', { numeric: true })

function byPattern(one: PlatformAccess, other: PlatformAccess): number {
  return collator.compare(one.pattern, other.pattern)
}
