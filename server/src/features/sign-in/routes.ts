import {
  readSession,
  readSetup,
  setUp as setUpEndpoint,
  signIn as signInEndpoint,
  signOut,
} from '@assay/contract/sign-in.ts'
import { personAt, recordEvent } from '../../accounts/audit.ts'
import type { Bind } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { openPasswords } from '../../platform/password-hash.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import { setUp } from './set-up.ts'
import { signIn } from './sign-in.ts'
import { shownUser } from './user.ts'

interface Ports {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly clock: Clock
  /** Lets its bearer set the service up. */
  readonly setupToken: string
}

export function registerSignIn({ bind, accounts, clock, setupToken }: Ports): void {
  const passwords = openPasswords()

  bind(readSetup, async () => ({ needed: !(await accounts.installation.isSetUp()) }))

  bind(setUpEndpoint, async ({ body, client, setSession }) => {
    const ports = { accounts, passwords, clock, setupToken }
    const { answer, session } = await setUp(body, client, ports)
    setSession(session)
    return answer
  })

  bind(signInEndpoint, async ({ body, client, setSession }) => {
    const { user, session } = await signIn(body, client, { accounts, passwords, clock })
    setSession(session)
    return { user: shownUser(user) }
  })

  bind(signOut, async ({ caller: { user, sessionId }, client, setSession }) => {
    await accounts.transaction(async (stores) => {
      await stores.sessions.remove(user.id, sessionId)
      await recordEvent(
        { action: 'session.ended', organizationId: null, targetId: user.id, details: {} },
        personAt(user, client),
        clock.now().toISOString(),
        stores,
      )
    })
    setSession(null)
    return { signed_out: true as const }
  })

  bind(readSession, async ({ caller: { user, expiresAt } }) => {
    const { id, email, name, isSuperAdmin } = user
    return {
      user: { id, email, name, is_super_admin: isSuperAdmin },
      expires_at: expiresAt.toISOString(),
    }
  })
}
