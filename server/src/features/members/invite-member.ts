import { canAssignRole } from '@assay/contract/access.ts'
import type { DataOf, Input } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import type { inviteMember as inviteMemberEndpoint } from '@assay/contract/members.ts'
import { acceptInvitePage } from '@assay/contract/page-links.ts'
import { hasAccess, toFailure } from '../../accounts/admission.ts'
import { type Actor, recordEvent } from '../../accounts/audit.ts'
import type { MemberCaller } from '../../accounts/caller.ts'
import { toEmailKey } from '../../accounts/email.ts'
import { newInvite } from '../../accounts/invite.ts'
import { checkListLimit } from '../../accounts/list-limit.ts'
import { Failure } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import type { Mail, Mailer } from '../../platform/mail.ts'
import type { OrganizationRow, UserRow } from '../../storage/accounts/people-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { MemberPorts } from './change-role.ts'
import { lockMembers } from './lock-members.ts'

export interface InvitePorts extends MemberPorts {
  /** Undefined: the inviter passes the link on. */
  readonly mailer: Mailer | undefined
  readonly log: Log
  readonly baseUrl: string
}

type Form = Input<typeof inviteMemberEndpoint>['body']
type Answer = DataOf<typeof inviteMemberEndpoint>

/**
 * Adds a person with a verified address directly; otherwise invites the address, because somebody else may have
 * created the account.
 */
export async function inviteMember(
  caller: MemberCaller,
  form: Form,
  actor: Actor,
  ports: InvitePorts,
): Promise<Answer> {
  const { accounts, baseUrl } = ports
  const { organization, token } = await accounts.transaction((stores) =>
    addedOrInvited(caller, form, actor, stores, ports),
  )
  const { email } = form
  const acceptUrl = token === null ? null : baseUrl + acceptInvitePage(token)
  const mail = inviteMail(email, organization, caller, acceptUrl ?? baseUrl)
  return {
    status: token === null ? 'added' : 'invited',
    email,
    invite_token: token,
    accept_url: acceptUrl,
    mail: await sendInvite(mail, ports),
  }
}

interface Invited {
  readonly organization: OrganizationRow
  /** Null when the person was added. */
  readonly token: string | null
}

async function addedOrInvited(
  caller: MemberCaller,
  { email, role }: Form,
  actor: Actor,
  stores: AccountStores,
  { clock }: InvitePorts,
): Promise<Invited> {
  const { organizationId } = caller
  const { role: ownRole, organization } = await lockMembers(caller, stores, clock)
  if (!canAssignRole(ownRole, role)) {
    throw new Failure('FORBIDDEN', 'You can only invite to roles up to your own.')
  }
  const emailKey = toEmailKey(email)
  const user = await stores.users.findByEmailKey(emailKey)
  if (user !== undefined && (await stores.memberships.find(organizationId, user.id))) {
    throw new Failure('CONFLICT', 'User is already a member.')
  }
  if (!(await hasAccess(emailKey, stores))) throw toFailure('access-required')
  const now = await stores.clock.now()
  await stores.invites.revokeForAddress(organizationId, emailKey, now)
  if (user !== undefined && user.email_verified_at !== null) {
    await addMember(organizationId, user, role, actor, now, stores)
    return { organization, token: null }
  }
  const count = await stores.invites.countPending(organizationId, now)
  checkListLimit(count, limits.pendingInvites, 'An organization', 'Revoke one first.')
  const { row, token } = newInvite(organizationId, email, role, caller.user.id, now)
  await stores.invites.insert(row)
  const details = { email, role }
  await recordEvent(
    { action: 'invite.created', organizationId, targetId: row.id, details },
    actor,
    now,
    stores,
  )
  return { organization, token }
}

async function addMember(
  organizationId: string,
  { id, email }: UserRow,
  role: Form['role'],
  actor: Actor,
  at: string,
  stores: AccountStores,
): Promise<void> {
  await stores.memberships.insert({
    organization_id: organizationId,
    user_id: id,
    role,
    joined_at: at,
  })
  const details = { email, role }
  await recordEvent(
    { action: 'member.added', organizationId, targetId: id, details },
    actor,
    at,
    stores,
  )
}

/** When the mail cannot be sent, the invite is kept: the response has the link. */
async function sendInvite(mail: Mail, { mailer, log }: InvitePorts): Promise<Answer['mail']> {
  if (mailer === undefined) return 'not_configured'
  try {
    await mailer.send(mail)
    return 'sent'
  } catch (error) {
    log.error('an invite mail could not be sent', error)
    return 'failed'
  }
}

function inviteMail(
  to: string,
  organization: OrganizationRow,
  { user }: MemberCaller,
  link: string,
): Mail {
  const isAdded = !link.includes('#')
  return {
    to,
    subject: `${organization.name} on Assay`,
    text: [
      isAdded
        ? `${user.name} (${user.email}) has added you to ${organization.name} on Assay:`
        : `${user.name} (${user.email}) invites you to ${organization.name} on Assay. Accept here:`,
      link,
      isAdded ? 'Sign in as you always do.' : `The link works for ${limits.inviteDays.value} days.`,
    ].join('\n\n'),
  }
}
