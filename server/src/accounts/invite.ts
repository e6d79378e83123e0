import type { Role } from '@assay/contract/access.ts'
import { limits } from '@assay/contract/limits.ts'
import { Failure } from '../platform/failure.ts'
import { newId } from '../platform/ids.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import type { InviteRow, Timestamp, UserRow } from '../storage/accounts/tables.ts'
import { type Actor, recordEvent } from './audit.ts'
import { emailKeyOf } from './email.ts'
import { hashOfToken, newToken } from './secret-token.ts'

const dayMs = 86_400_000

export interface NewInvite {
  readonly row: InviteRow
  /** For whoever is invited; not to be found again. */
  readonly token: string
}

/** `now` is the database's time: the servers' clocks may differ, and the invite ends for all of them at once. */
export function newInvite(
  organizationId: string,
  email: string,
  role: Role,
  invitedBy: string,
  now: Timestamp,
): NewInvite {
  const token = newToken()
  const row: InviteRow = {
    id: newId(),
    token_hash: hashOfToken(token),
    organization_id: organizationId,
    email,
    email_key: emailKeyOf(email),
    role,
    invited_by: invitedBy,
    created_at: now,
    expires_at: new Date(Date.parse(now) + limits.inviteDays.value * dayMs).toISOString(),
    accepted_at: null,
    revoked_at: null,
  }
  return { row, token }
}

/**
 * Makes the person a member by their invite, which is used up; of any number at the same time one succeeds. Who is
 * a member already keeps their role. Throws NOT_FOUND unless the invite is pending and for the person's address.
 */
export function acceptInvite(
  token: string,
  user: Pick<UserRow, 'id' | 'email'>,
  actor: Actor,
  stores: AcceptingStores,
): Promise<InviteRow> {
  return acceptInviteOf(hashOfToken(token), user, actor, stores)
}

type AcceptingStores = Pick<AccountStores, 'clock' | 'invites' | 'memberships' | 'audit'>

/** The same for a person who has shown in another way that they are who is invited. */
export async function acceptInviteOf(
  tokenHash: string,
  user: Pick<UserRow, 'id' | 'email'>,
  actor: Actor,
  stores: AcceptingStores,
): Promise<InviteRow> {
  const now = await stores.clock.now()
  const invite = await stores.invites.accept(tokenHash, emailKeyOf(user.email), now)
  if (invite === undefined) throw inviteNotFound()
  await stores.memberships.insert({
    organization_id: invite.organization_id,
    user_id: user.id,
    role: invite.role,
    joined_at: now,
  })
  await recordEvent(
    {
      action: 'invite.accepted',
      organizationId: invite.organization_id,
      targetId: invite.id,
      details: { email: invite.email, role: invite.role },
    },
    actor,
    now,
    stores,
  )
  return invite
}

/** Of one that never was, has run out, was used or revoked, or is for somebody else: the answer is the same. */
export const inviteNotFound = () =>
  new Failure('NOT_FOUND', 'This invite does not exist, has run out or was used already.')
