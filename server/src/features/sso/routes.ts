import {
  readSsoConfig,
  readSsoService,
  removeSsoConfig,
  testSsoConfig,
  verifySsoDomain,
  writeSsoConfig,
} from '@assay/contract/sso.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { ClientFacts, MemberCaller } from '../../accounts/caller.ts'
import type { Bind } from '../../http/call.ts'
import type { Counters } from '../../platform/counters.ts'
import type { ResolveTxt } from '../../platform/dns-txt.ts'
import { Failure } from '../../platform/failure.ts'
import { type Outbound, OutboundFailed, OutboundRefused } from '../../platform/outbound-fetch.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import { registerSsoInBrowsers } from './browser-routes.ts'
import { goToProvider } from './go-to-provider.ts'
import type { LinkPorts } from './link-by-password.ts'
import type { Oidc, OidcPorts } from './oidc.ts'
import type { SamlVerifier } from './saml-verifier.ts'
import { saveConfig } from './save-config.ts'
import { SignInRefused } from './sign-in-refused.ts'
import { serviceAddresses, toApiSsoConfig } from './sso-config.ts'
import { verifyDomain } from './verify-domain.ts'

export interface SsoPorts extends LinkPorts {
  readonly bind: Bind
  readonly counters: Counters
  readonly box: SecretBox
  /** Outbound requests to identity providers, under their own rules. */
  readonly outbound: Outbound
  readonly resolveTxt: ResolveTxt
  readonly samlVerifier: SamlVerifier
  readonly baseUrl: string
}

export function registerSso(given: SsoPorts): void {
  const { bind, accounts, baseUrl } = given
  const ports = { ...given, oidc: oidcWhenNeeded(given) }
  registerSsoInBrowsers(ports)

  bind(readSsoConfig, async ({ caller }) => {
    const config = await accounts.sso.findByOrganization(caller.organizationId)
    if (config === undefined) return null
    const domains = await accounts.ssoDomains.list(config.id)
    const test = await accounts.ssoIdentities.findTest(config.id, caller.user.id)
    return toApiSsoConfig(config, domains, test, baseUrl)
  })

  bind(writeSsoConfig, ({ body, caller, client }) => saveConfig(body, caller, client, ports))

  bind(removeSsoConfig, async ({ caller, client }) => {
    await removeConfig(caller, client, ports)
    return { status: 'removed' as const }
  })

  bind(readSsoService, async ({ caller }) => {
    const addresses = serviceAddresses(baseUrl, caller.organizationId)
    return {
      oidc: { callback_url: addresses.oidcCallback },
      saml: {
        callback_url: addresses.samlConsumer,
        sp_entity_id: addresses.samlEntityId,
        metadata_url: addresses.samlMetadata,
      },
    }
  })

  bind(verifySsoDomain, ({ params, query, caller, client }) =>
    verifyDomain({ ...params, ...query }, caller, client, ports),
  )

  bind(testSsoConfig, async ({ body, caller, signIn }) => {
    const config = await accounts.sso.findByOrganization(caller.organizationId)
    if (config === undefined) throw noConfig()
    const purpose = { testerId: caller.user.id, returnTo: body.return_to }
    const start = goToProvider(config, purpose, caller.user.email, signIn, ports)
    return { start_url: await start.catch(asUnusable) }
  })
}

const noConfig = () => new Failure('NOT_FOUND', 'This organization has no single sign-on.')

function removeConfig(
  caller: MemberCaller,
  client: ClientFacts,
  { accounts, clock }: Pick<SsoPorts, 'accounts' | 'clock'>,
): Promise<void> {
  return accounts.transaction(async (stores) => {
    const found = await stores.sso.findByOrganization(caller.organizationId)
    const config = found === undefined ? undefined : await stores.sso.lock(found.id)
    if (config === undefined) throw noConfig()
    await stores.ssoSessions.removeByConfig(config.id)
    await stores.sso.remove(config.id)
    await recordEvent(
      {
        action: 'sso_config.removed',
        organizationId: caller.organizationId,
        targetId: config.id,
        details: { protocol: config.protocol },
      },
      userActor(caller.user, client),
      clock.now().toISOString(),
      stores,
    )
  })
}

/** The person who configures it can fix the problem, so the reason is included. */
function asUnusable(error: unknown): never {
  if (!(error instanceof SignInRefused)) throw error
  const { cause } = error
  const target =
    cause instanceof OutboundRefused || cause instanceof OutboundFailed ? cause.target : undefined
  throw new Failure('VALIDATION_ERROR', `The identity provider cannot be used: ${error.message}`, {
    status: 422,
    details: target === undefined ? {} : { target },
    cause: error,
  })
}

/** Loaded at the first such sign-in: most deployments have no identity provider. */
function oidcWhenNeeded(ports: OidcPorts): Oidc {
  let opening: Promise<Oidc> | undefined
  const opened = () => (opening ??= import('./oidc.ts').then(({ openOidc }) => openOidc(ports)))
  return {
    authorizationUrl: async (...args) => await (await opened()).authorizationUrl(...args),
    asserted: async (...args) => await (await opened()).asserted(...args),
  }
}
