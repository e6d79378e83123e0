import type { Product } from '@assay/contract/endpoint.ts'
import {
  checkSetupToken,
  readSession,
  readSetup,
  setUp as setUpEndpoint,
  signIn as signInEndpoint,
  signOut,
  signUp as signUpEndpoint,
} from '@assay/contract/sign-in.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import { openLookupLimit } from '../../accounts/lookup-limit.ts'
import { toApiUser } from '../../accounts/user.ts'
import type { Bind } from '../../http/call.ts'
import type { Counters } from '../../platform/counters.ts'
import type { Mailer } from '../../platform/mail.ts'
import { checkToken, setUp } from './set-up.ts'
import { signIn } from './sign-in.ts'
import { type SignUpPorts, signUp } from './sign-up.ts'

interface Ports extends SignUpPorts {
  readonly bind: Bind
  readonly counters: Counters
  /** Its bearer may set up the service. */
  readonly setupToken: string
  readonly mailer: Mailer | undefined
  readonly products: Readonly<Record<Product, string>>
}

export function registerSignIn(ports: Ports): void {
  const { bind, accounts, counters, clock, products } = ports
  const limitReads = openLookupLimit('reads of the set-up', counters)
  const limitSetUp = openLookupLimit('set-up', counters)

  bind(readSetup, async ({ client }) => {
    await limitReads(client.address)
    return {
      needed: !(await accounts.installation.isSetUp()),
      mail_configured: ports.mailer !== undefined,
      products,
    }
  })

  bind(checkSetupToken, async ({ body, client }) => {
    await limitSetUp(client.address)
    await checkToken(body.token, client, ports)
    return { valid: true as const }
  })

  bind(setUpEndpoint, async ({ body, client, signal, setSession }) => {
    await limitSetUp(client.address)
    const { answer, session } = await setUp(body, { ...client, signal }, ports)
    setSession(session)
    return answer
  })

  bind(signInEndpoint, async ({ body, client, signal, setSession }) => {
    const { user, session } = await signIn(body, { ...client, signal }, ports)
    setSession(session)
    return { user: toApiUser(user) }
  })

  bind(signUpEndpoint, async ({ body, client, signal, setSession }) => {
    const { user, session } = await signUp(body, { ...client, signal }, ports)
    setSession(session)
    return { user: toApiUser(user) }
  })

  bind(signOut, async ({ caller: { user, sessionId }, client, setSession }) => {
    await accounts.transaction(async (stores) => {
      await stores.sessions.remove(user.id, sessionId)
      await recordEvent(
        { action: 'session.ended', organizationId: null, targetId: user.id, details: {} },
        userActor(user, client),
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
      products,
    }
  })
}
