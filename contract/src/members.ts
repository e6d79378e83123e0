import { z } from 'zod'
import { roles } from './access.ts'
import { endpoint } from './endpoint.ts'
import { appBody, email, id, inOrganization, timestamp } from './fields.ts'
import { organization } from './organizations.ts'

export const member = z
  .object({
    user_id: id,
    email: z.string(),
    name: z.string(),
    role: z.enum(roles),
    joined_at: timestamp,
  })
  .meta({ id: 'Member' })
export type Member = z.output<typeof member>

const inMember = inOrganization.extend({ userId: z.string() })

export const listMembers = endpoint({
  method: 'GET',
  path: '/orgs/{orgId}/members',
  tag: 'Members',
  summary: 'List the members of an organization, by name',
  access: { by: 'session', of: 'organization' },
  params: inOrganization,
  success: { status: 200, data: z.array(member) },
})

export const changeRole = endpoint({
  method: 'PATCH',
  path: '/orgs/{orgId}/members/{userId}',
  tag: 'Members',
  summary: "Change a member's role",
  description:
    'Only an Owner changes what an Owner is, and an organization keeps at least one. Nobody can be made an Owner by somebody else here: invite them as one. That, and a person who is not a member, is answered with 500.',
  access: { by: 'session', of: 'organization', anyOf: ['manage_members'] },
  params: inMember,
  body: appBody(z.object({ role: z.enum(roles) })),
  success: { status: 200, data: member },
  // Specification, "Input failures that surface as 500": somebody else made an Owner, or no such member.
  errors: ['INTERNAL_ERROR'],
})

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/orgs/{orgId}/members/{userId}',
  tag: 'Members',
  summary: 'Remove a member, and revoke what they have invited others to',
  description: 'Only an Owner removes an Owner, and an organization keeps at least one.',
  access: { by: 'session', of: 'organization', anyOf: ['manage_members'] },
  params: inMember,
  success: { status: 200, data: z.object({ status: z.literal('removed') }) },
  errors: ['NOT_FOUND'],
})

/** What became of the mail about an invite. */
export const mailOutcome = z.enum(['sent', 'failed', 'not_configured'])

export const inviteMember = endpoint({
  method: 'POST',
  path: '/orgs/{orgId}/members/invite',
  tag: 'Members',
  summary: 'Add a person with a verified address, or invite an address for 7 days',
  description:
    'The address must be approved under platform access. Nobody invites to a role above their own, and only an Owner invites Owners. A new invite takes the place of a pending one. `invite_token` and `accept_url` are null where the person was added; they are shown only here and, when mail is configured, sent to the address.',
  access: { by: 'session', of: 'organization', anyOf: ['manage_members'] },
  params: inOrganization,
  body: appBody(z.object({ email, role: z.enum(roles) })),
  success: {
    status: 201,
    data: z.object({
      status: z.enum(['added', 'invited']),
      email: z.string(),
      invite_token: z.string().nullable(),
      accept_url: z.string().nullable(),
      mail: mailOutcome,
    }),
  },
  errors: ['CONFLICT', 'PLATFORM_ACCESS_REQUIRED'],
})

export const invite = z
  .object({
    id,
    email: z.string(),
    role: z.enum(roles),
    invited_by: z.string().nullable().describe('address of the inviter; null once they are gone'),
    created_at: timestamp,
    expires_at: timestamp,
  })
  .meta({ id: 'Invite' })
export type Invite = z.output<typeof invite>

export const listInvites = endpoint({
  method: 'GET',
  path: '/orgs/{orgId}/invites',
  tag: 'Members',
  summary: 'List the pending invites of an organization, newest first',
  access: { by: 'session', of: 'organization', anyOf: ['manage_members'] },
  params: inOrganization,
  success: { status: 200, data: z.array(invite) },
})

export const revokeInvite = endpoint({
  method: 'DELETE',
  path: '/orgs/{orgId}/invites/{inviteId}',
  tag: 'Members',
  summary: 'Revoke a pending invite',
  access: { by: 'session', of: 'organization', anyOf: ['manage_members'] },
  params: inOrganization.extend({ inviteId: z.string() }),
  success: { status: 200, data: z.object({ status: z.literal('revoked') }) },
  errors: ['NOT_FOUND'],
})

const inviteToken = z.object({ invite_token: z.string() })

export const readInvite = endpoint({
  method: 'POST',
  path: '/invites/read',
  tag: 'Members',
  summary: 'What a pending invite is to, for whoever holds its token',
  description: 'For the page that the link leads to, before anybody is signed in.',
  access: { by: 'anonymous' },
  body: appBody(inviteToken),
  success: {
    status: 200,
    data: z.object({
      organization_name: z.string(),
      email: z.string(),
      role: z.enum(roles),
      expires_at: timestamp,
    }),
  },
  errors: ['NOT_FOUND'],
})

export const acceptInvite = endpoint({
  method: 'POST',
  path: '/invites/accept',
  tag: 'Members',
  summary: "Accept an invite to one's own address",
  description:
    'Once, before it runs out, and signed in as the address that was invited. It does not show that the address is verified: the inviter has the token too. Who is a member already keeps their role.',
  access: { by: 'session' },
  body: appBody(inviteToken),
  success: { status: 200, data: organization },
  errors: ['NOT_FOUND'],
})
