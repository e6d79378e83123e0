import type { Input } from '@assay/contract/endpoint.ts'
import type { changePassword as changePasswordEndpoint } from '@assay/contract/profile.ts'
import { toFailure } from '../../accounts/admission.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { SignedIn } from '../../accounts/caller.ts'
import { toEmailKey } from '../../accounts/email.ts'
import type { ConnectedClient } from '../../accounts/network-waiter.ts'
import { type NewSession, startSession } from '../../accounts/session.ts'
import type { SignInRateLimiter } from '../../accounts/sign-in-rate-limiter.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { Passwords } from '../../platform/password-hash.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'

export interface ChangePasswordPorts {
  readonly accounts: Accounts
  readonly passwords: Passwords
  readonly rateLimiter: SignInRateLimiter
  readonly clock: Clock
}

type Form = Input<typeof changePasswordEndpoint>['body']

/** Ends all sessions of the person and starts a new one. Throws FORBIDDEN for a wrong current password. */
export async function changePassword(
  form: Form,
  { user }: SignedIn,
  client: ConnectedClient,
  { accounts, passwords, rateLimiter, clock }: ChangePasswordPorts,
): Promise<NewSession> {
  const attempt = await rateLimiter.enter(toEmailKey(user.email), client.address)
  const known = await accounts.users.find(user.id)
  const waiter = { owner: user.id, signal: client.signal }
  const currentHash = known?.password_hash ?? null
  const isRight = await passwords.verify(form.current_password, currentHash, waiter)
  if (!isRight) throw wrongPassword()
  await attempt.succeeded()
  await rateLimiter.countChange(user.id)
  const passwordHash = await passwords.hash(form.new_password, waiter)
  return accounts.transaction(async (stores) => {
    const locked = await stores.users.lock(user.id)
    if (locked?.password_hash !== known?.password_hash) throw wrongPassword()
    await stores.users.update(user.id, { password_hash: passwordHash })
    await stores.sessions.removeByUser(user.id)
    await stores.passwordLinks.removeByUser(user.id)
    const session = await startSession(user, { method: 'password' }, client, stores, clock)
    if (typeof session === 'string') throw toFailure(session)
    await recordEvent(
      { action: 'password.changed', organizationId: null, targetId: user.id, details: {} },
      userActor(user, client),
      clock.now().toISOString(),
      stores,
    )
    return session
  })
}

const wrongPassword = () => new Failure('FORBIDDEN', 'The current password is wrong.')
