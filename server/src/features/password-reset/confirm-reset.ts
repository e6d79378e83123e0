import { findRefusal, toFailure } from '../../accounts/admission.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { ClientFacts } from '../../accounts/caller.ts'
import { type ConnectedClient, networkWaiter } from '../../accounts/network-waiter.ts'
import { hashOfToken } from '../../accounts/secret-token.ts'
import type { SignInRateLimiter } from '../../accounts/sign-in-rate-limiter.ts'
import { hasProvenAddress } from '../../accounts/user.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { Passwords } from '../../platform/password-hash.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { PasswordLinkRow, UserRow } from '../../storage/accounts/people-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

interface Ports {
  readonly accounts: Accounts
  readonly passwords: Passwords
  readonly rateLimiter: SignInRateLimiter
  readonly clock: Clock
}

interface Form {
  readonly token: string
  readonly password: string
}

/**
 * Sets the password, ends all sessions of the person and consumes the link. A mailed link verifies the
 * address. Throws NOT_FOUND for an invalid link, FORBIDDEN for a person who may not sign in with a
 * password, and RATE_LIMITED.
 */
export async function confirmReset(
  { token, password }: Form,
  client: ConnectedClient,
  { accounts, passwords, rateLimiter, clock }: Ports,
): Promise<void> {
  const attempt = await rateLimiter.enterNetwork(client.address)
  // Refused before the password is hashed, which takes long.
  await requireLink(token, accounts)
  const passwordHash = await passwords.hash(password, networkWaiter(client))
  const at = clock.now().toISOString()
  await accounts.transaction(async (stores) => {
    const { link, user } = await takenLink(token, stores)
    await stores.users.update(user.id, {
      password_hash: passwordHash,
      ...(link.by_mail === 1 &&
        !hasProvenAddress(user) && { email_verified_at: at, email_verified_by: null }),
    })
    await stores.sessions.removeByUser(user.id)
    await recordEvent(
      {
        action: 'password.reset',
        organizationId: null,
        targetId: user.id,
        details: { by_mail: link.by_mail === 1 },
      },
      userActor(user, client),
      at,
      stores,
    )
  })
  await attempt.succeeded()
}

/** Throws NOT_FOUND unless the link can be used, and RATE_LIMITED. */
export async function checkReset(
  token: string,
  client: ClientFacts,
  { accounts, rateLimiter }: Pick<Ports, 'accounts' | 'rateLimiter'>,
): Promise<void> {
  const attempt = await rateLimiter.enterNetwork(client.address)
  await requireLink(token, accounts)
  await attempt.succeeded()
}

async function requireLink(token: string, { passwordLinks, clock }: Accounts): Promise<void> {
  const found = await passwordLinks.find(hashOfToken(token), await clock.now())
  if (found === undefined) throw notFound()
}

const notFound = () =>
  new Failure('NOT_FOUND', 'This link is not valid: it has expired or was already used.')

async function takenLink(
  token: string,
  stores: AccountStores,
): Promise<{ link: PasswordLinkRow; user: UserRow }> {
  const link = await stores.passwordLinks.take(hashOfToken(token), await stores.clock.now())
  const user = link && (await stores.users.lock(link.user_id))
  if (link === undefined || user === undefined) throw notFound()
  const credential = { method: 'password' } as const
  const refusal = await findRefusal({ emailKey: user.email_key, account: user, credential }, stores)
  if (refusal !== undefined) throw toFailure(refusal)
  return { link, user }
}
