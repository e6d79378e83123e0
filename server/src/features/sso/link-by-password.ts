import { signInProblems } from '@assay/contract/sign-in-problems.ts'
import { toEmailKey } from '../../accounts/email.ts'
import { type ConnectedClient, networkWaiter } from '../../accounts/network-waiter.ts'
import { hashOfToken, isToken } from '../../accounts/secret-token.ts'
import type { NewSession } from '../../accounts/session.ts'
import type { SignInRateLimiter } from '../../accounts/sign-in-rate-limiter.ts'
import { Failure } from '../../platform/failure.ts'
import type { Passwords } from '../../platform/password-hash.ts'
import { type FinishPorts, recordRefusal, startedSession } from './finish-sign-in.ts'
import type { BrowserSecret } from './flow.ts'
import { loadAssertion } from './saved-assertion.ts'
import { SignInRefused } from './sign-in-refused.ts'

export interface LinkPorts extends FinishPorts {
  /** With a queue that nothing but signing in can fill. */
  readonly signInPasswords: Passwords
  readonly rateLimiter: SignInRateLimiter
}

/**
 * Finishes a sign-in that needs the password of an existing account. Also works where single sign-on is enforced,
 * because the provider has authenticated the person. Throws NOT_FOUND, UNAUTHORIZED, FORBIDDEN and RATE_LIMITED.
 */
export async function linkByPassword(
  password: string,
  browserSecret: BrowserSecret,
  client: ConnectedClient,
  ports: LinkPorts,
): Promise<{ readonly session: NewSession; readonly returnTo: string }> {
  const { accounts, clock, signInPasswords, rateLimiter } = ports
  const browser = browserSecret.read()
  const flow =
    browser !== undefined && isToken(browser)
      ? await accounts.ssoFlows.findLink(hashOfToken(browser))
      : undefined
  if (flow === undefined || flow.expires_at <= clock.now().toISOString()) {
    throw new Failure('NOT_FOUND', 'This sign-in has expired. Start it again.')
  }
  const asserted = loadAssertion(flow)
  const emailKey = toEmailKey(asserted.email)
  const attempt = await rateLimiter.enter(emailKey, client.address)
  const account = await accounts.users.findByEmailKey(emailKey)
  const passwordHash = account?.password_hash ?? null
  const isRight = await signInPasswords.verify(password, passwordHash, networkWaiter(client))
  if (!isRight) throw new Failure('UNAUTHORIZED', 'Wrong password.')
  try {
    const session = await startedSession(flow, asserted, account, client, ports)
    await accounts.ssoFlows.take(flow.state_hash, flow.browser_hash)
    await attempt.succeeded()
    return { session, returnTo: flow.return_to }
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error
    await recordRefusal(error, flow, client, ports)
    throw new Failure('FORBIDDEN', signInProblems[error.problem])
  }
}
