import type { SignInProblem } from '@assay/contract/sign-in-problems.ts'
import { anonymousActor, recordEvent, userActor } from '../../accounts/audit.ts'
import type { ClientFacts, SignedIn } from '../../accounts/caller.ts'
import { toDomain, toEmailKey } from '../../accounts/email.ts'
import type { RefusedSignIns } from '../../accounts/refused-sign-ins.ts'
import { hashOfToken, newToken } from '../../accounts/secret-token.ts'
import { type NewSession, sessionStarted, startSession } from '../../accounts/session.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Timestamp } from '../../storage/accounts/column-types.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { SsoConfigRow, SsoFlowRow } from '../../storage/accounts/sso-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import {
  admitPerson,
  confirmedPerson,
  type IdentityProviderSignIn,
  refused,
  refuseOutsideDomains,
} from './admit-person.ts'
import { type AssertedIdentity, SignInRefused } from './sign-in-refused.ts'
import { toFingerprint } from './sso-config.ts'

export interface FinishPorts {
  readonly refusedSignIns: Pick<RefusedSignIns, 'record'>
  readonly accounts: Accounts
  readonly clock: Clock
  readonly log: Log
}

/** The result of a flow. The browser is redirected to `location`. */
export interface Finished {
  readonly location: string
  readonly session: NewSession | undefined
}

/** Ends a flow with the provider's assertion, in one transaction: a session or a test result. */
export async function finishFlow(
  flow: SsoFlowRow,
  asserted: AssertedIdentity,
  present: SignedIn | undefined,
  client: ClientFacts,
  ports: FinishPorts,
): Promise<Finished> {
  if (flow.tester_id !== null) {
    await finishTest(flow, flow.tester_id, asserted, present, client, ports)
    return { location: testedPage(flow.return_to, 'ok'), session: undefined }
  }
  const session = await startedSession(flow, asserted, present?.user, client, ports).catch(
    async (error: unknown) => {
      if (error instanceof SignInRefused && error.problem === 'not_linked') {
        await saveForLinking(flow, asserted, ports.accounts)
      }
      throw error
    },
  )
  return { location: flow.return_to, session }
}

/** A session for the asserted identity; `present` has proven their presence in another way. */
export function startedSession(
  flow: SsoFlowRow,
  asserted: AssertedIdentity,
  present: IdentityProviderSignIn['present'],
  client: ClientFacts,
  { accounts, clock }: FinishPorts,
): Promise<NewSession> {
  return accounts.transaction(async (stores) => {
    const config = unchanged(await stores.sso.lock(flow.sso_config_id), flow)
    const at = clock.now().toISOString()
    const actor = (user: { id: string; email: string }) => userActor(user, client)
    const user = await admitPerson({ asserted, config, present, actor, at }, stores)
    const credential = { method: 'sso', ssoConfigId: config.id } as const
    const started = await startSession(user, credential, client, stores, clock)
    if (typeof started === 'string') throw refused(started)
    await recordSuccess(config, user.id, at, stores)
    await recordEvent(sessionStarted(user, credential), actor(user), at, stores)
    return started
  })
}

/** Keeps the assertion until the person confirms the account with its password. */
async function saveForLinking(
  flow: SsoFlowRow,
  asserted: AssertedIdentity,
  { ssoFlows }: Pick<AccountStores, 'ssoFlows'>,
): Promise<void> {
  await ssoFlows.insert({
    ...flow,
    // Found by the browser's secret; the new state is never sent.
    state_hash: hashOfToken(newToken()),
    purpose: 'link',
    asserted_identity: JSON.stringify(asserted),
  })
}

/** The configuration, if it still trusts the same provider as when the flow started. */
export function unchanged(config: SsoConfigRow | undefined, flow: SsoFlowRow): SsoConfigRow {
  if (config !== undefined && toFingerprint(config) === flow.fingerprint) return config
  throw new SignInRefused('changed', 'the configuration was changed in the meantime')
}

/** A successful test allows the tester to enforce single sign-on. */
async function recordSuccess(
  config: SsoConfigRow,
  userId: string,
  at: Timestamp,
  { ssoIdentities }: Pick<AccountStores, 'ssoIdentities'>,
): Promise<void> {
  await ssoIdentities.saveTest({
    sso_config_id: config.id,
    user_id: userId,
    fingerprint: toFingerprint(config),
    succeeded_at: at,
  })
}

// A test creates no session. It succeeds only if the tester could sign in while it is enforced; a tester outside the
// domains is not affected by that, and may test with any address inside.
async function finishTest(
  flow: SsoFlowRow,
  testerId: string,
  asserted: AssertedIdentity,
  present: SignedIn | undefined,
  client: ClientFacts,
  { accounts, clock }: FinishPorts,
): Promise<void> {
  if (present?.user.id !== testerId) {
    throw new SignInRefused('expired', 'the tester is no longer signed in')
  }
  await accounts.transaction(async (stores) => {
    const config = unchanged(await stores.sso.lock(flow.sso_config_id), flow)
    const at = clock.now().toISOString()
    const actor = () => userActor(present.user, client)
    await refuseOutsideDomains(asserted.email, config, stores)
    const tester = await stores.users.lock(testerId)
    if (tester === undefined) throw new Error('the person of a session does not exist')
    if (toEmailKey(asserted.email) === tester.email_key) {
      const providerSignIn = { asserted, config, present: tester, actor, at }
      const known = await stores.ssoIdentities.find(config.id, asserted.issuer, asserted.subject)
      if (known === undefined) await confirmedPerson(tester, providerSignIn, stores)
      else if (known.user_id !== testerId) throw anotherPerson()
    } else if (await isInside(tester.email_key, config, stores)) throw anotherPerson()
    await recordSuccess(config, testerId, at, stores)
    const { organization_id: organizationId, id: targetId } = config
    const details = { outcome: 'ok' }
    await recordEvent(
      { action: 'sso_config.tested', organizationId, targetId, details },
      actor(),
      at,
      stores,
    )
  })
}

const anotherPerson = () =>
  new SignInRefused('another_person', 'the provider authenticated a person other than the tester')

async function isInside(
  emailKey: string,
  config: SsoConfigRow,
  { ssoDomains }: Pick<AccountStores, 'ssoDomains'>,
): Promise<boolean> {
  const domains = await ssoDomains.list(config.id)
  return domains.some(({ domain }) => domain === toDomain(emailKey))
}

/** The page that a test returns to, with its result. */
export function testedPage(returnTo: string, outcome: SignInProblem | 'ok'): string {
  const [path = '/', ...fragment] = returnTo.split('#')
  const separator = path.includes('?') ? '&' : '?'
  return [`${path}${separator}sso_test=${outcome}`, ...fragment].join('#')
}

/** Logs a refusal, and records it in the audit log when it belongs to a flow. */
export async function recordRefusal(
  refusal: SignInRefused,
  flow: SsoFlowRow | undefined,
  client: ClientFacts,
  { accounts, refusedSignIns, log }: FinishPorts,
): Promise<void> {
  const { problem, message: reason } = refusal
  log.warn('a sign-in through an identity provider was refused', {
    problem,
    reason: reason.slice(0, 300),
    config: flow?.sso_config_id,
    id: client.requestId,
  })
  if (flow === undefined) return
  const config = await accounts.sso.find(flow.sso_config_id)
  if (config === undefined) return
  const { id, organization_id: organizationId } = config
  const refused = { organizationId, userId: null, reason: problem }
  await refusedSignIns.record(
    flow.tester_id === null ? refused : { ...refused, testedConfigId: id },
    anonymousActor(client),
  )
}
