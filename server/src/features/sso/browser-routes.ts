import type { Input } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import { signInPageWith } from '@assay/contract/sign-in-problems.ts'
import {
  acceptSamlResponse,
  discoverSso,
  finishOidc,
  finishSaml,
  linkSso,
  readSamlMetadata,
  startSso,
} from '@assay/contract/sso.ts'
import type { ClientFacts } from '../../accounts/caller.ts'
import { toDomain, toEmailKey } from '../../accounts/email.ts'
import { networkWaiter } from '../../accounts/network-waiter.ts'
import type { Bind } from '../../http/call.ts'
import { checkedForm } from '../../http/form-body.ts'
import { checkedJson } from '../../http/json-body.ts'
import { toClientNetwork } from '../../platform/client-network.ts'
import type { Counters } from '../../platform/counters.ts'
import { Failure } from '../../platform/failure.ts'
import { openRateLimit } from '../../platform/rate-limit.ts'
import type { SsoConfigRow, SsoFlowRow } from '../../storage/accounts/sso-tables.ts'
import { discover, startUrl } from './discover.ts'
import { discoveryLimit } from './discovery-limit.ts'
import { finishFlow, recordRefusal, testedPage, unchanged } from './finish-sign-in.ts'
import { consumeFlow, findFlow, longestFlowMs } from './flow.ts'
import { goToProvider } from './go-to-provider.ts'
import { type LinkPorts, linkByPassword } from './link-by-password.ts'
import type { Oidc } from './oidc.ts'
import { samlMetadata } from './saml-metadata.ts'
import type { SamlVerifier } from './saml-verifier.ts'
import { loadAssertion, saveAssertion } from './saved-assertion.ts'
import { SignInRefused } from './sign-in-refused.ts'
import { serviceAddresses } from './sso-config.ts'

/*
 * The redirects of a browser to an identity provider and back. Every failure ends on a page that shows one of a few
 * problem codes.
 */

export interface BrowserPorts extends LinkPorts {
  readonly bind: Bind
  readonly counters: Counters
  readonly oidc: Oidc
  readonly samlVerifier: SamlVerifier
  readonly baseUrl: string
}

export function registerSsoInBrowsers(ports: BrowserPorts): void {
  registerSignInRedirect(ports)
  registerOidcReturn(ports)
  registerSamlReturn(ports)

  ports.bind(linkSso, async ({ body, client, signal, signIn, setSession }) => {
    const connected = { ...client, signal }
    const { session, returnTo } = await linkByPassword(body.password, signIn, connected, ports)
    setSession(session)
    return { return_to: returnTo }
  })
}

function registerSignInRedirect(ports: BrowserPorts): void {
  const { bind, accounts, counters, baseUrl } = ports
  const limit = discoveryLimit(counters)
  const starts = openRateLimit(counters('sso starts by network'), {
    burst: limits.ssoStarts.value,
    intervalMs: limits.ssoStartSeconds.value * 1000,
  })

  // Unparsed, so that requests with an invalid body count towards the limit.
  bind.unparsed(discoverSso, async ({ body, client }) => {
    await limit(client.address)
    const { email } = checkedJson(discoverSso, body) as Input<typeof discoverSso>['body']
    return await discover(email, baseUrl, accounts)
  })

  bind(startSso, ({ query: { email = '', return_to }, product, client, signIn }) =>
    orProblem(client, ports, async () => {
      // Providers redirect back to the tracing host only, so the cookie of the flow must be set there.
      if (product === 'chat') return startUrl(email, baseUrl, return_to)
      const config = await accounts.sso.findByDomain(toDomain(toEmailKey(email)))
      if (config === undefined) throw new SignInRefused('unknown_address', 'no such domain')
      if ((await starts.take(toClientNetwork(client.address))) > 0) {
        throw new SignInRefused('unavailable', 'too many sign-ins were started from this network')
      }
      const purpose = { testerId: null, returnTo: return_to }
      return await goToProvider(config, purpose, email, signIn, ports)
    }),
  )

  bind(readSamlMetadata, async ({ params: { orgId } }) => {
    // The same for every id, so that the response does not reveal which organizations exist.
    if (/^[0-9a-f-]{36}$/.test(orgId)) return samlMetadata(serviceAddresses(baseUrl, orgId))
    throw new Failure('NOT_FOUND', 'There is nothing at this address.')
  })
}

function registerOidcReturn(ports: BrowserPorts): void {
  const { bind, accounts, clock, oidc, baseUrl } = ports

  bind(finishOidc, ({ params, query, client, signIn, findCaller, setSession }) =>
    orProblem(client, ports, async (belongsTo) => {
      const flow = await consumeFlow(query.state, signIn, accounts, clock)
      belongsTo(flow.row)
      const config = unchanged(await accounts.sso.find(flow.row.sso_config_id), flow.row)
      refuseElsewhere(config, 'oidc', params.orgId)
      const callbackUrl = serviceAddresses(baseUrl, params.orgId).oidcCallback
      const asserted = await oidc.asserted({ config, flow, callbackUrl }, query)
      const present = await findCaller()
      const { location, session } = await finishFlow(flow.row, asserted, present, client, ports)
      if (session !== undefined) setSession(session)
      return location
    }),
  )
}

// The provider's page posts the response without our cookies. The browser is then redirected to one of our
// addresses, with its cookies, and the sign-in happens only there.
function registerSamlReturn(ports: BrowserPorts): void {
  const { bind, accounts, counters, clock, samlVerifier, baseUrl } = ports
  const ofNetwork = openRateLimit(counters('saml responses by network'), {
    burst: limits.samlPosts.value,
    intervalMs: limits.samlPostSeconds.value * 1000,
  })
  // No more of them before the sign-in expires.
  const burst = limits.samlResponsesOfSignIn.value
  const ofFlow = openRateLimit(counters('saml responses by sign-in'), {
    ...{ burst, intervalMs: longestFlowMs },
  })
  const refuseRepeated = async ({ state_hash, asserted_identity }: SsoFlowRow) => {
    if (asserted_identity !== null) throw new SignInRefused('expired', 'a response was accepted')
    if ((await ofFlow.take(state_hash)) > 0)
      throw new SignInRefused('expired', 'too many responses')
  }

  // Unparsed, so that a network over its limit costs no more than its bytes.
  bind.unparsed(acceptSamlResponse, ({ params, body, client, signal }) =>
    orProblem(client, ports, async (belongsTo) => {
      if ((await ofNetwork.take(toClientNetwork(client.address))) > 0) {
        throw new SignInRefused('unavailable', 'too many SAML responses from this network')
      }
      const form = checkedForm(acceptSamlResponse, body) as Input<typeof acceptSamlResponse>['body']
      const { SAMLResponse, RelayState: state } = form
      const flow = await findFlow(state, accounts, clock)
      belongsTo(flow)
      await refuseRepeated(flow)
      const config = unchanged(await accounts.sso.find(flow.sso_config_id), flow)
      refuseElsewhere(config, 'saml', params.orgId)
      const exchange = { config, addresses: serviceAddresses(baseUrl, params.orgId), state }
      const waiter = networkWaiter({ ...client, signal })
      const assertion = await samlVerifier.verify(exchange, SAMLResponse, clock.now(), waiter)
      await saveAssertion(flow, assertion, accounts)
      return `/api/v1/auth/sso/complete/${params.orgId}?state=${encodeURIComponent(state)}`
    }),
  )

  bind(finishSaml, ({ params, query, client, signIn, findCaller, setSession }) =>
    orProblem(client, ports, async (belongsTo) => {
      const { row } = await consumeFlow(query.state, signIn, accounts, clock)
      belongsTo(row)
      const config = unchanged(await accounts.sso.find(row.sso_config_id), row)
      refuseElsewhere(config, 'saml', params.orgId)
      const present = await findCaller()
      const asserted = loadAssertion(row)
      const { location, session } = await finishFlow(row, asserted, present, client, ports)
      if (session !== undefined) setSession(session)
      return location
    }),
  )
}

/** A response is accepted only at the callback address of its provider. */
function refuseElsewhere(
  { protocol, organization_id }: SsoConfigRow,
  expected: SsoConfigRow['protocol'],
  organizationId: string,
): void {
  if (protocol === expected && organization_id === organizationId) return
  throw new SignInRefused(
    'invalid_response',
    'the response was sent to the callback of another provider',
  )
}

/** The location that `work` returns; a refusal leads back to where its flow started. */
async function orProblem(
  client: ClientFacts,
  ports: BrowserPorts,
  work: (belongsTo: (flow: SsoFlowRow) => void) => Promise<string>,
): Promise<string> {
  let flow: SsoFlowRow | undefined
  try {
    return await work((row) => {
      flow = row
    })
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error
    await recordRefusal(error, flow, client, ports)
    return flow === undefined || flow.tester_id === null
      ? signInPageWith(error.problem, flow?.return_to)
      : testedPage(flow.return_to, error.problem)
  }
}
