import { findRefusal, type Refusal, toFailure } from '../../accounts/admission.ts'
import { anonymousActor, recordEvent, userActor } from '../../accounts/audit.ts'
import { toEmailKey } from '../../accounts/email.ts'
import { type ConnectedClient, networkWaiter } from '../../accounts/network-waiter.ts'
import type { RefusedSignIns } from '../../accounts/refused-sign-ins.ts'
import { type NewSession, sessionStarted, startSession } from '../../accounts/session.ts'
import type { SignInRateLimiter } from '../../accounts/sign-in-rate-limiter.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { Passwords } from '../../platform/password-hash.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { UserRow } from '../../storage/accounts/people-tables.ts'

interface Credentials {
  readonly email: string
  readonly password: string
}

export interface SignInPorts {
  readonly accounts: Accounts
  /** With a queue that nothing but signing in can fill. */
  readonly signInPasswords: Passwords
  readonly rateLimiter: SignInRateLimiter
  readonly refusedSignIns: Pick<RefusedSignIns, 'record'>
  readonly clock: Clock
}

/**
 * Starts a session for the correct password. An unknown address, a wrong password and a disabled person get the same
 * response after the same work; so do all addresses of a domain that must use single sign-on.
 */
export async function signIn(
  credentials: Credentials,
  client: ConnectedClient,
  ports: SignInPorts,
): Promise<SignIn> {
  const attempt = await ports.rateLimiter.enter(toEmailKey(credentials.email), client.address)
  const outcome = await checkCredentials(credentials, client, ports)
  if ('session' in outcome) {
    await attempt.succeeded()
    return outcome
  }
  const { userId, reason } = outcome
  await ports.refusedSignIns.record(
    { organizationId: null, userId, reason },
    anonymousActor(client),
  )
  if (reason === 'sso-required') throw toFailure(reason)
  throw new Failure('UNAUTHORIZED', 'Invalid e-mail or password.')
}

export interface SignIn {
  readonly user: UserRow
  readonly session: NewSession
}

interface Refused {
  /** Null when the address has no account. */
  readonly userId: string | null
  readonly reason: Refusal | 'unknown-address' | 'wrong-password'
}

const credential = { method: 'password' } as const

async function checkCredentials(
  { email, password }: Credentials,
  client: ConnectedClient,
  { accounts, signInPasswords, rateLimiter, clock }: SignInPorts,
): Promise<SignIn | Refused> {
  const emailKey = toEmailKey(email)
  const user = await accounts.users.findByEmailKey(emailKey)
  const isRight = await signInPasswords.verify(
    password,
    user?.password_hash ?? null,
    networkWaiter(client),
  )
  if (user !== undefined && isRight) {
    await rateLimiter.countSignIn(user.id)
    const session = await startedSession(user, client, { accounts, clock })
    return typeof session === 'string' ? { userId: user.id, reason: session } : { user, session }
  }
  // As if the address had no account, so that the addresses of super admins are not revealed.
  const nobody = { emailKey, account: undefined, credential, isPreapproved: true }
  const refusal = await findRefusal(nobody, accounts)
  const usual = user === undefined ? 'unknown-address' : 'wrong-password'
  return { userId: user?.id ?? null, reason: refusal ?? usual }
}

function startedSession(
  user: UserRow,
  client: ConnectedClient,
  { accounts, clock }: Pick<SignInPorts, 'accounts' | 'clock'>,
): Promise<NewSession | Refusal | 'wrong-password'> {
  return accounts.transaction(async (stores) => {
    // The password may have changed since it was checked.
    const locked = await stores.users.lock(user.id)
    if (locked?.password_hash !== user.password_hash) return 'wrong-password'
    const session = await startSession(user, credential, client, stores, clock)
    if (typeof session === 'string') return session
    const at = clock.now().toISOString()
    await recordEvent(sessionStarted(user, credential), userActor(user, client), at, stores)
    return session
  })
}
