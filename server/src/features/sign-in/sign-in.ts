import { personAt, recordEvent, strangerAt } from '../../accounts/audit.ts'
import type { ClientFacts } from '../../accounts/caller.ts'
import { emailKeyOf } from '../../accounts/email.ts'
import { type NewSession, sessionStarted, startSession } from '../../accounts/session.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { Passwords } from '../../platform/password-hash.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { UserRow } from '../../storage/accounts/tables.ts'

interface Credentials {
  readonly email: string
  readonly password: string
}

interface Ports {
  readonly accounts: Accounts
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
    user !== undefined && isRight
      ? await startedSession(user, client, { accounts, clock })
      : undefined
  if (user !== undefined && session !== undefined) return { user, session }
  await recordEvent(
    {
      action: 'session.refused',
      organizationId: null,
      targetId: user?.id ?? null,
      // Not the address: people type their password into the wrong field.
      details: { reason: reasonOf(user, isRight) },
    },
    strangerAt(client),
    clock.now().toISOString(),
    accounts,
  )
  throw new Failure('UNAUTHORIZED', 'Invalid e-mail or password.')
}

function startedSession(
  user: UserRow,
  client: ClientFacts,
  { accounts, clock }: Pick<Ports, 'accounts' | 'clock'>,
): Promise<NewSession | undefined> {
  const proof = { method: 'password' } as const
  return accounts.transaction(async (stores) => {
    const session = await startSession(user, proof, client, stores, clock)
    if (session === undefined) return undefined
    const at = clock.now().toISOString()
    await recordEvent(sessionStarted(user, proof), personAt(user, client), at, stores)
    return session
  })
}

function reasonOf(user: UserRow | undefined, isRight: boolean): string {
  if (user === undefined) return 'unknown address'
  return isRight ? 'disabled' : 'wrong password'
}
