import type { Clock } from '../../platform/clock.ts'
import type { SsoConfigRow } from '../../storage/accounts/sso-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import { type BrowserSecret, type FlowPurpose, newFlow, saveFlow } from './flow.ts'
import type { Oidc } from './oidc.ts'
import type { SamlExchange } from './saml.ts'
import { serviceAddresses } from './sso-config.ts'

export interface ProviderPorts {
  readonly accounts: Pick<AccountStores, 'ssoFlows'>
  readonly clock: Clock
  readonly oidc: Oidc
  readonly baseUrl: string
}

/** Starts a flow and returns the URL to redirect to. Throws `SignInRefused` when the provider cannot be used. */
export async function goToProvider(
  config: SsoConfigRow,
  purpose: FlowPurpose,
  loginHint: string | undefined,
  browserSecret: BrowserSecret,
  { accounts, clock, oidc, baseUrl }: ProviderPorts,
): Promise<string> {
  const flow = newFlow(browserSecret)
  const addresses = serviceAddresses(baseUrl, config.organization_id)
  const url =
    config.protocol === 'oidc'
      ? await oidc.authorizationUrl(
          { config, flow, callbackUrl: addresses.oidcCallback },
          loginHint,
        )
      : await samlUrl({ config, addresses, state: flow.state })
  await saveFlow(flow, config, purpose, browserSecret, accounts, clock)
  return url
}

/** Loaded when needed: the library takes a tenth of a small service's memory, and most deployments do not use SAML. */
async function samlUrl(exchange: SamlExchange): Promise<string> {
  const { samlRequestUrl } = await import('./saml.ts')
  return await samlRequestUrl(exchange)
}
