import type { Role } from '@assay/contract/access.ts'
import { limits } from '@assay/contract/limits.ts'
import { Failure } from '../platform/failure.ts'
import { newId } from '../platform/ids.ts'
import type { Timestamp } from '../storage/accounts/column-types.ts'
import type { InviteRow, UserRow } from '../storage/accounts/people-tables.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import { type Actor, recordEvent } from './audit.ts'
import { toEmailKey } from './email.ts'
import { hashOfToken, newToken } from './secret-token.ts'

const dayMs = 86_400_000

export interface NewInvite {
  readonly row: InviteRow
  /** For the invited person; only its hash is stored. */
  readonly token: string
}

/** `now` is the time of the database, so that the invite expires on all servers at once. */
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
    email_key: toEmailKey(email),
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
 * Makes the person a member and consumes the invite; of concurrent calls one succeeds. A person who is
 * already a member keeps their role. Throws NOT_FOUND unless the invite is pending and for the person's
 * address.
 */
export function acceptInvite(
  token: string,
  user: Pick<UserRow, 'id' | 'email'>,
  actor: Actor,
  stores: AcceptingStores,
): Promise<InviteRow> {
  return acceptInviteFor(hashOfToken(token), user, actor, stores)
}

type AcceptingStores = Pick<AccountStores, 'clock' | 'invites' | 'memberships' | 'audit'>

/**
 * Like `acceptInvite`, but without a token, for a person who has proven the invited address in another way.
 */
export async function acceptInviteFor(
  tokenHash: string,
  user: Pick<UserRow, 'id' | 'email'>,
  actor: Actor,
  stores: AcceptingStores,
): Promise<InviteRow> {
  const now = await stores.clock.now()
  const invite = await stores.invites.accept(tokenHash, toEmailKey(user.email), now)
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

/** The same for unknown, expired, used and revoked invites, and for those of other people. */
export const inviteNotFound = () =>
  new Failure('NOT_FOUND', 'This invite is not valid: it has expired or was already used.')
