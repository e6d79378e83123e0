import { finishOidc, startSso, verifySsoDomain, writeSsoConfig } from '@assay/contract/sso.ts'
import { newId } from '../src/platform/ids.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { oidcClient, type TestOidcProvider } from './oidc-provider.ts'
import { addUser, type Tenant } from './people.ts'
import type { Credentials, Service } from './started-app.ts'

/*
 * An organization with single sign-on, set up through the API, and a user's way through it.
 */

export interface SsoTenant extends Tenant {
  /** Verified for the organization and approved for the platform. */
  readonly domain: string
  readonly owner: Credentials
  readonly params: { readonly orgId: string }
}

export const oidcBody = (provider: TestOidcProvider, domain: string) => ({
  protocol: 'oidc',
  issuer: provider.issuer,
  client_id: oidcClient.id,
  client_secret: oidcClient.secret,
  domains: [domain],
})

let domains = 0

/** A domain that no other test uses. */
export function newDomain(): string {
  domains += 1
  return `corp-${domains}.test`
}

/** With OpenID Connect, or with the given configuration body. */
export async function addSsoTenant(
  service: Service,
  provider: TestOidcProvider,
  body: Readonly<Record<string, unknown>> = {},
): Promise<SsoTenant> {
  const tenant = await service.addTenant()
  const domain = newDomain()
  const owner = await service.signedIn(tenant.members.Owner)
  const params = { orgId: tenant.organizationId }
  const written = { ...oidcBody(provider, domain), ...body }
  await service.call(writeSsoConfig, { params, body: written }, owner)
  await approve(service, params.orgId, domain)
  await service.accounts.platformAccess.insert({
    id: newId(),
    pattern: `@${domain}`,
    added_by: null,
    created_at: new Date().toISOString(),
  })
  return { ...tenant, domain, owner, params }
}

/** As a super admin approves it. */
export async function approve(service: Service, orgId: string, domain: string): Promise<void> {
  const admin = await service.signedIn(await addUser(service.accounts, { superAdmin: true }))
  await service.call(verifySsoDomain, { params: { orgId, domain }, query: {} }, admin)
}

export interface SsoSignInOptions {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly returnTo?: string
  /** Instead of a new one. */
  readonly browser?: TestBrowser
}

/** Where the browser of a user with this address ends up after the provider. */
export async function signInThrough(
  service: Service,
  provider: TestOidcProvider,
  { params }: Pick<SsoTenant, 'params'>,
  email: string,
  { claims = {}, returnTo, browser = openBrowser(service) }: SsoSignInOptions = {},
): Promise<{ readonly location: string; readonly browser: TestBrowser }> {
  const query = { email, ...(returnTo === undefined ? {} : { return_to: returnTo }) }
  const started = await browser.call(startSso, { query })
  const person = { sub: `subject of ${email}`, email, ...claims }
  const back = provider.authorize(started.data, person)
  const finished = await browser.call(finishOidc, { params, query: Object.fromEntries(back) })
  return { location: finished.data, browser }
}
