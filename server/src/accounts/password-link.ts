import { limits } from '@assay/contract/limits.ts'
import type { Flag, Timestamp } from '../storage/accounts/column-types.ts'
import type { UserRow } from '../storage/accounts/people-tables.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import { type Actor, recordEvent } from './audit.ts'
import { hashOfToken, newToken } from './secret-token.ts'

const minuteMs = 60_000

/**
 * Creates the token of a link for choosing a new password, which replaces an earlier one. With `byMail`, only the
 * reader of the person's mail receives it.
 */
export async function makePasswordLink(
  user: Pick<UserRow, 'id'>,
  byMail: boolean,
  actor: Actor,
  at: Timestamp,
  stores: Pick<AccountStores, 'clock' | 'passwordLinks' | 'audit'>,
): Promise<string> {
  const now = await stores.clock.now()
  const token = newToken()
  const flag: Flag = byMail ? 1 : 0
  await stores.passwordLinks.put({
    user_id: user.id,
    token_hash: hashOfToken(token),
    by_mail: flag,
    created_at: now,
    expires_at: new Date(
      Date.parse(now) + limits.passwordLinkMinutes.value * minuteMs,
    ).toISOString(),
  })
  await recordEvent(
    {
      action: 'password.link_made',
      organizationId: null,
      targetId: user.id,
      details: { by_mail: byMail },
    },
    actor,
    at,
    stores,
  )
  return token
}
