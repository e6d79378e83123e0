import { emailKeyOf } from '../../accounts/email.ts'
import { type NewSession, startSession } from '../../accounts/session.ts'
import type { ClientFacts } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { Passwords } from '../../platform/password-hash.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { UserRow } from '../../storage/accounts/tables.ts'

interface Credentials {
  readonly email: string
  readonly password: string
}

interface Ports {
  readonly accounts: Pick<AccountStores, 'users' | 'sessions'>
  readonly passwords: Passwords
  readonly clock: Clock
}

/**
 * A new session for whoever knows the password. An unknown address, a wrong password and a disabled person get
 * the same answer after the same work.
 */
export async function signIn(
  { email, password }: Credentials,
  client: ClientFacts,
  { accounts, passwords, clock }: Ports,
): Promise<{ user: UserRow; session: NewSession }> {
  const user = await accounts.users.findByEmailKey(emailKeyOf(email))
  const isRight = await passwords.verify(password, user?.password_hash ?? null)
  const session =
    user !== undefined && isRight ? await startSession(user, client, accounts, clock) : undefined
  if (user === undefined || session === undefined) {
    throw new Failure('UNAUTHORIZED', 'Invalid e-mail or password.')
  }
  return { user, session }
}
