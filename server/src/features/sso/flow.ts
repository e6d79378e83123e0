import { createHmac, hash } from 'node:crypto'
import { hashOfToken, isToken, newToken } from '../../accounts/secret-token.ts'
import type { Clock } from '../../platform/clock.ts'
import type { SsoConfigRow, SsoFlowRow } from '../../storage/accounts/sso-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import { SignInRefused } from './sign-in-refused.ts'
import { toFingerprint } from './sso-config.ts'

/*
 * A pending sign-in: started here, redirected through an identity provider, and finished here once, within ten minutes
 * and in the same browser. The state travels in URLs, the browser's secret in a cookie, and other values are derived
 * from both. The database has hashes only.
 */

export const longestFlowMs = 10 * 60_000

export interface Flow {
  /** Sent to the provider and back. */
  readonly state: string
  /** Only in the cookie of the browser. */
  readonly browser: string
}

/** Reads and writes the cookie of the browser. */
export interface BrowserSecret {
  read(): string | undefined
  write(value: string, expiresAt: Date): void
}

type FlowStores = Pick<AccountStores, 'ssoFlows'>

/** Flows in several tabs share the browser's secret, but not their states. */
export function newFlow(browserSecret: BrowserSecret): Flow {
  const present = browserSecret.read()
  const browser = present !== undefined && isToken(present) ? present : newToken()
  return { state: newToken(), browser }
}

export interface FlowPurpose {
  /** The tester, for a test. */
  readonly testerId: string | null
  readonly returnTo: string
}

/** Starts a flow and sets the browser's secret. */
export async function saveFlow(
  { state, browser }: Flow,
  config: SsoConfigRow,
  { testerId, returnTo }: FlowPurpose,
  browserSecret: BrowserSecret,
  { ssoFlows }: FlowStores,
  clock: Clock,
): Promise<void> {
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + longestFlowMs)
  await ssoFlows.insert({
    state_hash: hashOfToken(state),
    browser_hash: hashOfToken(browser),
    sso_config_id: config.id,
    fingerprint: toFingerprint(config),
    purpose: testerId === null ? 'sign-in' : 'test',
    tester_id: testerId,
    return_to: returnTo,
    asserted_identity: null,
    expires_at: expiresAt.toISOString(),
  })
  browserSecret.write(browser, expiresAt)
}

export interface ConsumedFlow extends Flow {
  readonly row: SsoFlowRow
}

/** Ends and returns the flow that this browser started. Throws `SignInRefused`. */
export async function consumeFlow(
  state: string | undefined,
  browserSecret: BrowserSecret,
  { ssoFlows }: FlowStores,
  clock: Clock,
): Promise<ConsumedFlow> {
  const browser = browserSecret.read()
  const row =
    state === undefined || browser === undefined
      ? undefined
      : await ssoFlows.take(hashOfToken(state), hashOfToken(browser))
  if (state === undefined || browser === undefined || row === undefined) {
    throw new SignInRefused('expired', 'this sign-in was not started in this browser')
  }
  refuseExpired(row, clock)
  return { state, browser, row }
}

/** The flow of a response without the browser's cookie. It does not sign anybody in yet. */
export async function findFlow(
  state: string,
  { ssoFlows }: FlowStores,
  clock: Clock,
): Promise<SsoFlowRow> {
  const row = await ssoFlows.find(hashOfToken(state))
  if (row === undefined) throw new SignInRefused('expired', 'there is no such sign-in')
  refuseExpired(row, clock)
  return row
}

function refuseExpired({ expires_at }: SsoFlowRow, clock: Clock): void {
  if (expires_at > clock.now().toISOString()) return
  throw new SignInRefused('expired', 'the sign-in was started too long ago')
}

/** Derived from the browser's secret, so only the browser that started the flow can send it. */
export function deriveNonce(flow: Flow): string {
  return derived(flow, 'nonce')
}

/** The PKCE verifier: a leaked code cannot be used without the cookie. */
export function deriveCodeVerifier(flow: Flow): string {
  return derived(flow, 'code verifier')
}

/** The id of the SAML request that belongs to the state. */
export function deriveRequestId(state: string): string {
  // An XML id must not start with a digit.
  return `_${hash('sha256', `saml request ${state}`)}`
}

function derived({ state, browser }: Flow, purpose: string): string {
  return createHmac('sha256', browser).update(`${purpose} ${state}`).digest('base64url')
}
