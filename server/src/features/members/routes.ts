import {
  acceptInvite as acceptInviteEndpoint,
  changeRole as changeRoleEndpoint,
  type Invite,
  inviteMember as inviteMemberEndpoint,
  listInvites,
  listMembers,
  type Member,
  readInvite,
  removeMember as removeMemberEndpoint,
  revokeInvite,
  verifyMember as verifyMemberEndpoint,
} from '@assay/contract/members.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import { acceptInvite, inviteNotFound } from '../../accounts/invite.ts'
import { openLookupLimit } from '../../accounts/lookup-limit.ts'
import { toApiOrganization } from '../../accounts/organization.ts'
import { hashOfToken } from '../../accounts/secret-token.ts'
import type { Bind } from '../../http/call.ts'
import type { Counters } from '../../platform/counters.ts'
import { Failure } from '../../platform/failure.ts'
import type { PendingInvite } from '../../storage/accounts/invite-store.ts'
import type { Member as MemberFound } from '../../storage/accounts/membership-store.ts'
import { changeRole, removeMember } from './change-role.ts'
import { type InvitePorts, inviteMember } from './invite-member.ts'
import { verifyMember } from './verify-member.ts'

interface Ports extends InvitePorts {
  readonly bind: Bind
  readonly counters: Counters
}

export function registerMembers(ports: Ports): void {
  const { bind, accounts } = ports

  bind(listMembers, async ({ caller, query: { limit, cursor: after } }) => {
    const { organizationId } = caller
    // One more than requested shows whether there is a next page.
    const rows = await accounts.memberships.list(organizationId, { limit: limit + 1, after })
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    return {
      data: page.map(toApiMember),
      meta: { pageSize: page.length, cursor: last?.email_key ?? null },
    }
  })

  bind(changeRoleEndpoint, async ({ caller, client, params, body }) => {
    const actor = userActor(caller.user, client)
    return toApiMember(await changeRole(caller, params.userId, body.role, actor, ports))
  })

  bind(removeMemberEndpoint, async ({ caller, client, params }) => {
    await removeMember(caller, params.userId, userActor(caller.user, client), ports)
    return { status: 'removed' as const }
  })

  bind(verifyMemberEndpoint, async ({ caller, client, params }) => {
    const actor = userActor(caller.user, client)
    return toApiMember(await verifyMember(caller, params.userId, actor, ports))
  })

  bind(inviteMemberEndpoint, ({ caller, client, body }) =>
    inviteMember(caller, body, userActor(caller.user, client), ports),
  )
  registerInvites(ports)
}

function registerInvites({ bind, accounts, counters }: Ports): void {
  const limitReads = openLookupLimit('invites', counters)

  bind(listInvites, async ({ caller }) => {
    const now = await accounts.clock.now()
    const invites = await accounts.invites.listPending(caller.organizationId, now)
    return invites.map(toApiInvite)
  })

  bind(revokeInvite, async ({ caller: { user, organizationId }, client, params }) =>
    accounts.transaction(async (stores) => {
      const now = await stores.clock.now()
      const invite = await stores.invites.revoke(organizationId, params.inviteId, now)
      if (invite === undefined) throw new Failure('NOT_FOUND', 'Pending invite not found.')
      const details = { email: invite.email, role: invite.role }
      await recordEvent(
        { action: 'invite.revoked', organizationId, targetId: invite.id, details },
        userActor(user, client),
        now,
        stores,
      )
      return { status: 'revoked' as const }
    }),
  )

  bind(readInvite, async ({ body, client }) => {
    await limitReads(client.address, body.invite_token)
    const hash = hashOfToken(body.invite_token)
    const invite = await accounts.invites.findPending(hash, await accounts.clock.now())
    const organization = invite && (await accounts.organizations.find(invite.organization_id))
    if (invite === undefined || organization === undefined) throw inviteNotFound()
    const { email, role, expires_at } = invite
    return { organization_name: organization.name, email, role, expires_at }
  })

  bind(acceptInviteEndpoint, async ({ caller: { user }, client, body }) =>
    accounts.transaction(async (stores) => {
      const actor = userActor(user, client)
      const { organization_id } = await acceptInvite(body.invite_token, user, actor, stores)
      const joined = await stores.organizations.listByMember(user.id)
      const organization = joined.find(({ id }) => id === organization_id)
      if (organization === undefined) throw new Error('an accepted invite created no membership')
      return toApiOrganization(organization, organization.role)
    }),
  )
}

function toApiMember(member: MemberFound): Member {
  const { user_id, email, email_verified_at, name, role, joined_at } = member
  return { user_id, email, email_verified_at, name, role, joined_at }
}

function toApiInvite(invite: PendingInvite): Invite {
  const { id, email, role, inviter, created_at, expires_at } = invite
  return { id, email, role, invited_by: inviter, created_at, expires_at }
}
