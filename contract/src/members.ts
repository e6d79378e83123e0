import { z } from 'zod'
import { roles } from './access.ts'
import { endpoint } from './endpoint.ts'
import {
  anonymousBody,
  appBody,
  email,
  id,
  inOrganization,
  limitedList,
  pageMeta,
  pageQuery,
  pathId,
  removed,
  revoked,
  timestamp,
} from './fields.ts'

import { organization } from './organizations.ts'

export const member = z
  .object({
    user_id: id,
    email: z.string(),
    email_verified_at: timestamp.nullable(),
    name: z.string(),
    role: z.enum(roles),
    joined_at: timestamp,
  })
  .meta({ id: 'Member' })
export type Member = z.output<typeof member>

const inMember = inOrganization.extend({ userId: pathId })

export const listMembers = endpoint({
  method: 'GET',
  path: '/orgs/{orgId}/members',
  tag: 'Members',
  summary: 'List the members of an organization, sorted by e-mail address',
  access: { by: 'session', of: 'organization' },
  cost: 'cheap',
  params: inOrganization,
  query: pageQuery,
  success: { status: 200, data: z.array(member), meta: pageMeta },
})

export const changeRole = endpoint({
  method: 'PATCH',
  path: '/orgs/{orgId}/members/{userId}',
  tag: 'Members',
  summary: "Change a member's role",
  description:
    'Only an Owner can change the role of an Owner, and an organization keeps at least one. To make another person Owner, invite them to that role: setting the role here responds with 500, and so does a person who is not a member.',
  access: { by: 'session', of: 'organization', anyOf: ['manage_members'] },
  cost: 'cheap',
  params: inMember,
  body: appBody(z.object({ role: z.enum(roles) })),
  success: { status: 200, data: member },
  // Specification, "Input failures that surface as 500": making another person Owner, or an unknown member.
  errors: ['INTERNAL_ERROR'],
})

export const verifyMember = endpoint({
  method: 'POST',
  path: '/orgs/{orgId}/members/{userId}/verify-email',
  tag: 'Members',
  summary: "Mark a member's address as verified",
  description:
    'Owners only, and not for your own address. Other organizations then add the person directly instead of inviting them. For deployments without mail: where mail is configured, or the domain uses single sign-on, people verify their address themselves, and the response is 409. Repeating the request changes nothing.',
  access: { by: 'session', of: 'organization', anyOf: ['manage_members'] },
  cost: 'cheap',
  params: inMember,
  success: { status: 200, data: member },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/orgs/{orgId}/members/{userId}',
  tag: 'Members',
  summary: 'Remove a member and revoke the invites they created',
  description: 'Only an Owner can remove an Owner, and an organization keeps at least one.',
  access: { by: 'session', of: 'organization', anyOf: ['manage_members'] },
  cost: 'cheap',
  params: inMember,
  success: removed,
  errors: ['NOT_FOUND'],
})

/** Whether the invite mail was sent. */
export const mailOutcome = z.enum(['sent', 'failed', 'not_configured'])

export const inviteMember = endpoint({
  method: 'POST',
  path: '/orgs/{orgId}/members/invite',
  tag: 'Members',
  summary: 'Add a person with a verified address, or invite an address for 7 days',
  description:
    'The address must be approved under platform access. You can invite to roles up to your own. A new invite replaces a pending one for the same address. `invite_token` and `accept_url` are null when the person was added; otherwise they are shown only here and, where mail is configured, sent to the address.',
  access: { by: 'session', of: 'organization', anyOf: ['manage_members'] },
  cost: 'cheap',
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
    invited_by: z
      .string()
      .nullable()
      .describe('e-mail address of the inviter; null when the account no longer exists'),
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
  cost: 'cheap',
  params: inOrganization,
  success: { status: 200, data: limitedList(invite, 'pendingInvites') },
})

export const revokeInvite = endpoint({
  method: 'DELETE',
  path: '/orgs/{orgId}/invites/{inviteId}',
  tag: 'Members',
  summary: 'Revoke a pending invite',
  access: { by: 'session', of: 'organization', anyOf: ['manage_members'] },
  cost: 'cheap',
  params: inOrganization.extend({ inviteId: pathId }),
  success: revoked,
  errors: ['NOT_FOUND'],
})

const inviteToken = z.object({ invite_token: z.string() })

export const readInvite = endpoint({
  method: 'POST',
  path: '/invites/read',
  tag: 'Members',
  summary: 'Read a pending invite by its token',
  description: 'For the page of the invite link; does not require a session.',
  access: {
    by: 'anonymous',
    bounds: { work: 'query', rowsRead: 2, rowsAdded: 0, rateLimit: 'token' },
  },
  cost: 'cheap',
  body: anonymousBody(inviteToken),
  success: {
    status: 200,
    data: z.object({
      organization_name: z.string(),
      email: z.string(),
      role: z.enum(roles),
      expires_at: timestamp,
    }),
  },
  errors: ['NOT_FOUND', 'RATE_LIMITED'],
})

export const acceptInvite = endpoint({
  method: 'POST',
  path: '/invites/accept',
  tag: 'Members',
  summary: 'Accept an invite to your own address',
  description:
    'You must be signed in with the invited address. The invite works once and expires. Accepting it does not verify the address, because the inviter has the token too. A person who is already a member keeps their role.',
  access: { by: 'session' },
  cost: 'cheap',
  body: appBody(inviteToken),
  success: { status: 200, data: organization },
  errors: ['NOT_FOUND'],
})
