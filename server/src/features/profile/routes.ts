import {
  changePassword as changePasswordEndpoint,
  listSessions,
  revokeOtherSessions,
  revokeSession,
  type Session,
  updateProfile,
} from '@assay/contract/profile.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import { isAlive } from '../../accounts/session.ts'
import { toApiUser } from '../../accounts/user.ts'
import type { Bind } from '../../http/call.ts'
import { Failure } from '../../platform/failure.ts'
import type { SessionRow } from '../../storage/accounts/session-tables.ts'
import { type ChangePasswordPorts, changePassword } from './change-password.ts'

interface Ports extends ChangePasswordPorts {
  readonly bind: Bind
}

export function registerProfile(ports: Ports): void {
  const { bind, accounts, rateLimiter, clock } = ports

  bind(updateProfile, async ({ caller, client, body: { name } }) => {
    await rateLimiter.countChange(caller.user.id)
    return accounts.transaction(async (stores) => {
      const user = await stores.users.update(caller.user.id, { name })
      if (user === undefined) throw new Error('the signed-in person does not exist')
      await recordEvent(
        { action: 'user.renamed', organizationId: null, targetId: user.id, details: { name } },
        userActor(user, client),
        clock.now().toISOString(),
        stores,
      )
      return { user: toApiUser(user) }
    })
  })

  bind(changePasswordEndpoint, async ({ caller, client, signal, body, setSession }) => {
    setSession(await changePassword(body, caller, { ...client, signal }, ports))
    return { password_changed: true as const }
  })

  bind(listSessions, async ({ caller }) => {
    const sessions = await accounts.sessions.list(caller.user.id)
    const alive = sessions.filter((session) => isAlive(session, clock.now()))
    return alive.map((session) => toApiSession(session, caller.sessionId))
  })

  bind(revokeSession, async ({ caller: { user, sessionId }, client, params, setSession }) => {
    await accounts.transaction(async (stores) => {
      const isRemoved = await stores.sessions.remove(user.id, params.sessionId)
      if (!isRemoved) throw new Failure('NOT_FOUND', 'Session not found.')
      await recordEvent(
        {
          action: 'session.revoked',
          organizationId: null,
          targetId: params.sessionId,
          details: {},
        },
        userActor(user, client),
        clock.now().toISOString(),
        stores,
      )
    })
    if (params.sessionId === sessionId) setSession(null)
    return { status: 'revoked' as const }
  })

  bind(revokeOtherSessions, async ({ caller: { user, sessionId }, client }) =>
    accounts.transaction(async (stores) => {
      const count = await stores.sessions.removeByUser(user.id, sessionId)
      if (count === 0) return { status: 'revoked', count }
      await recordEvent(
        {
          action: 'session.others_revoked',
          organizationId: null,
          targetId: user.id,
          details: { count },
        },
        userActor(user, client),
        clock.now().toISOString(),
        stores,
      )
      return { status: 'revoked', count }
    }),
  )
}

function toApiSession(session: SessionRow, currentId: string): Session {
  const { id, method, created_at, last_seen_at, expires_at, ip, user_agent } = session
  const isCurrent = id === currentId
  return {
    ...{ id, is_current: isCurrent, method, created_at, last_seen_at, expires_at, ip, user_agent },
  }
}
