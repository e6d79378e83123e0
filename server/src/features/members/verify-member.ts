import { type Actor, recordEvent } from '../../accounts/audit.ts'
import type { MemberCaller } from '../../accounts/caller.ts'
import { toDomain, toEmailKey } from '../../accounts/email.ts'
import { Failure } from '../../platform/failure.ts'
import type { Member } from '../../storage/accounts/membership-store.ts'
import type { InvitePorts } from './invite-member.ts'
import { lockMembers } from './lock-members.ts'

/**
 * Marks the address of a member as verified, on the word of an Owner: without mail and single sign-on, people cannot
 * prove it themselves. A verified person is added to other organizations directly. Single sign-on does not rely on it.
 */
export async function verifyMember(
  caller: MemberCaller,
  userId: string,
  actor: Actor,
  { accounts, clock, mailer }: Pick<InvitePorts, 'accounts' | 'clock' | 'mailer'>,
): Promise<Member> {
  const { organizationId } = caller
  return accounts.transaction(async (stores) => {
    const { role } = await lockMembers(caller, stores, clock)
    const member = await stores.memberships.find(organizationId, userId)
    if (member === undefined) throw new Failure('NOT_FOUND', 'Member not found.')
    if (role !== 'Owner') {
      throw new Failure('FORBIDDEN', 'Only an Owner can mark an address as verified.')
    }
    if (userId === caller.user.id) {
      throw new Failure('FORBIDDEN', 'You cannot mark your own address. Ask another Owner.')
    }
    const user = await stores.users.lock(userId)
    if (user === undefined) throw new Error('a membership without a user')
    if (user.email_verified_at !== null) return member
    if (mailer !== undefined) {
      throw new Failure(
        'CONFLICT',
        'Mail is configured: the person verifies the address by resetting their password.',
      )
    }
    if ((await stores.sso.findByDomain(toDomain(toEmailKey(member.email)))) !== undefined) {
      throw new Failure(
        'CONFLICT',
        'This domain uses single sign-on: the person verifies the address by signing in with it.',
      )
    }
    const at = clock.now().toISOString()
    await stores.users.update(userId, { email_verified_at: at, email_verified_by: caller.user.id })
    await recordEvent(
      {
        action: 'user.email_marked_verified',
        organizationId,
        targetId: userId,
        details: { email: member.email },
      },
      actor,
      at,
      stores,
    )
    return { ...member, email_verified_at: at }
  })
}
