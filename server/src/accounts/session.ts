import { limits } from '@assay/contract/limits.ts'
import type { Clock } from '../platform/clock.ts'
import { Unavailable } from '../platform/failure.ts'
import { newId } from '../platform/ids.ts'
import type { UserRow } from '../storage/accounts/people-tables.ts'
import type { SessionRow } from '../storage/accounts/session-tables.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import { type Credential, findRefusal, isDisabled, type Refusal } from './admission.ts'
import type { AuditEvent } from './audit.ts'
import type { ClientFacts, SignedIn } from './caller.ts'
import { hashOfToken, isToken, newToken } from './secret-token.ts'

/*
 * Sessions: only the browser has the random token. The database has its hash, when it was last used and when it ends.
 */

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** A session expires after this time without use. */
export const idleMs = 7 * dayMs
/** A session expires at this age. */
export const longestMs = 30 * dayMs
/** Use is recorded at most this often, so that reads do not cost a write each. */
export const lastSeenIntervalMs = 5 * minuteMs

export interface NewSession {
  /** For the cookie only. */
  readonly token: string
  readonly expiresAt: Date
}

/**
 * Starts a session with a new token, or returns why the person may not have one. Of a person with as many sessions as
 * they can have, it ends the least recently used one. Call it with the stores of a transaction, which locks the person.
 */
export async function startSession(
  user: Pick<UserRow, 'id'>,
  credential: Credential,
  client: Pick<ClientFacts, 'address' | 'userAgent'>,
  stores: Pick<AccountStores, 'users' | 'sessions' | 'platformAccess' | 'sso'>,
  clock: Clock,
): Promise<NewSession | Refusal> {
  const account = await stores.users.lock(user.id)
  if (account === undefined) return 'disabled'
  const refusal = await findRefusal({ emailKey: account.email_key, account, credential }, stores)
  if (refusal !== undefined) return refusal
  const now = clock.now()
  const token = newToken()
  const expiresAt = new Date(now.getTime() + longestMs)
  await stores.sessions.removeExpired(user.id, now.toISOString(), before(now, idleMs))
  const earlier = await stores.sessions.list(user.id)
  for (const { id } of earlier.slice(limits.sessionsPerUser.value - 1)) {
    await stores.sessions.remove(user.id, id)
  }
  const id = newId()
  await stores.sessions.insert({
    id,
    user_id: user.id,
    method: credential.method,
    sso_config_id: credential.method === 'sso' ? credential.ssoConfigId : null,
    created_at: now.toISOString(),
    last_seen_at: now.toISOString(),
    expires_at: expiresAt.toISOString(),
    ip: client.address,
    user_agent: client.userAgent,
  })
  await stores.sessions.insertToken({
    token_hash: hashOfToken(token),
    session_id: id,
    created_at: now.toISOString(),
  })
  return { token, expiresAt }
}

/**
 * A second token for an active session, for the other product: both end together. Returns undefined when the session
 * has ended, or a refusal. Call it with the stores of a transaction.
 */
export async function continueSession(
  id: string,
  stores: Pick<AccountStores, 'users' | 'sessions' | 'platformAccess' | 'sso'>,
  clock: Clock,
): Promise<{ user: UserRow; session: NewSession } | Refusal | undefined> {
  const session = await stores.sessions.find(id)
  if (session === undefined || !isAlive(session, clock.now())) return undefined
  const user = await stores.users.lock(session.user_id)
  if (user === undefined) return undefined
  const credential = toCredential(session)
  const refusal = await findRefusal({ emailKey: user.email_key, account: user, credential }, stores)
  if (refusal !== undefined) return refusal
  const token = newToken()
  await stores.sessions.removeOldestTokens(id, limits.sessionTokens.value - 1)
  await stores.sessions.insertToken({
    token_hash: hashOfToken(token),
    session_id: id,
    created_at: clock.now().toISOString(),
  })
  return { user, session: { token, expiresAt: new Date(session.expires_at) } }
}

function toCredential({ sso_config_id }: SessionRow): Credential {
  return sso_config_id === null
    ? { method: 'password' }
    : { method: 'sso', ssoConfigId: sso_config_id }
}

export function sessionStarted(user: UserRow, { method }: Credential): AuditEvent {
  return {
    action: 'session.started',
    organizationId: null,
    targetId: user.id,
    details: { method },
  }
}

/** The person of an active session; records its use. */
export async function findSession(
  token: string,
  stores: Pick<AccountStores, 'sessions'>,
  clock: Clock,
): Promise<SignedIn | undefined> {
  if (!isToken(token)) return undefined
  const session = await stores.sessions.findWithUser(hashOfToken(token))
  const now = clock.now()
  if (session === undefined || isDisabled(session) || !isAlive(session, now)) return undefined
  if (session.last_seen_at < before(now, lastSeenIntervalMs)) {
    await stores.sessions.touch(session.id, now.toISOString()).catch(unlessUnavailable)
  }
  return {
    user: {
      id: session.user_id,
      email: session.email,
      name: session.name,
      isSuperAdmin: session.is_super_admin === 1,
    },
    sessionId: session.id,
    expiresAt: new Date(session.expires_at),
  }
}

type Ends = Pick<SessionRow, 'last_seen_at' | 'expires_at'>

/** Whether the session has expired neither by age nor by disuse. */
export function isAlive({ last_seen_at, expires_at }: Ends, now: Date): boolean {
  return Math.min(Date.parse(last_seen_at) + idleMs, Date.parse(expires_at)) > now.getTime()
}

function before(now: Date, ms: number): string {
  return new Date(now.getTime() - ms).toISOString()
}

// On a full disk people can still read; only their last use is not recorded.
/** Ignores that the store refuses writes for a while: what is recorded beside a request can wait for the next. */
export function unlessUnavailable(error: unknown): void {
  if (!(error instanceof Unavailable)) throw error
}
