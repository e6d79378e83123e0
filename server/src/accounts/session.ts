import type { Clock } from '../platform/clock.ts'
import { Unavailable } from '../platform/failure.ts'
import { newId } from '../platform/ids.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import type { SessionRow, UserRow } from '../storage/accounts/tables.ts'
import { type Credential, isDisabled, type Refusal, refusalOf } from './admission.ts'
import type { AuditEvent } from './audit.ts'
import type { ClientFacts, SignedIn } from './caller.ts'
import { hashOfToken, isToken, newToken } from './secret-token.ts'

/*
 * Sessions: a random token that only the browser has. The database knows its hash, when it was last used and
 * when it ends.
 */

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** A session that nobody uses for this long is over. */
export const idleMs = 7 * dayMs
/** And so is any session of this age. */
export const longestMs = 30 * dayMs
/** Use is noted this often at most: reading must not cost a write each time. */
export const lastSeenIntervalMs = 5 * minuteMs

export interface NewSession {
  /** For the cookie, and for nothing else. */
  readonly token: string
  readonly expiresAt: Date
}

/**
 * Starts a session under a new token, or tells why the person may have none now. To be called with the stores
 * of a transaction: the person is read anew, and locked until its end.
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
  const refusal = await refusalOf({ emailKey: account.email_key, account, credential }, stores)
  if (refusal !== undefined) return refusal
  const now = clock.now()
  const token = newToken()
  const expiresAt = new Date(now.getTime() + longestMs)
  await stores.sessions.removeExpired(user.id, now.toISOString(), before(now, idleMs))
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
  await stores.sessions.insertToken({ token_hash: hashOfToken(token), session_id: id })
  return { token, expiresAt }
}

/**
 * Another token for a session that is alive: it is one session with both, and ends with both. Undefined when it is
 * over; a refusal when the person may have none now. To be called as `startSession` is.
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
  const credential = credentialOf(session)
  const refusal = await refusalOf({ emailKey: user.email_key, account: user, credential }, stores)
  if (refusal !== undefined) return refusal
  const token = newToken()
  await stores.sessions.insertToken({ token_hash: hashOfToken(token), session_id: id })
  return { user, session: { token, expiresAt: new Date(session.expires_at) } }
}

function credentialOf({ sso_config_id }: SessionRow): Credential {
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

/** The person of a session that is still alive, read anew; its use is noted. */
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

/** Whether the session has neither run out nor been left unused for too long. */
export function isAlive({ last_seen_at, expires_at }: Ends, now: Date): boolean {
  return Math.min(Date.parse(last_seen_at) + idleMs, Date.parse(expires_at)) > now.getTime()
}

function before(now: Date, ms: number): string {
  return new Date(now.getTime() - ms).toISOString()
}

// A full disk must not keep people from reading: the note of the use is then missing, nothing else.
function unlessUnavailable(error: unknown): void {
  if (!(error instanceof Unavailable)) throw error
}
