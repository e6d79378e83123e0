import type { DataOf } from '@assay/contract/endpoint.ts'
import type { discoverSso } from '@assay/contract/sso.ts'
import { toDomain, toEmailKey } from '../../accounts/email.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

/** How people of the address's domain sign in. Does not depend on whether the address has an account. */
export async function discover(
  email: string,
  baseUrl: string,
  { sso }: Pick<AccountStores, 'sso'>,
): Promise<DataOf<typeof discoverSso>> {
  const config = await sso.findByDomain(toDomain(toEmailKey(email)))
  if (config === undefined) return { sso: false }
  return {
    sso: true,
    start_url: startUrl(email, baseUrl),
    enforced: config.enforced === 1,
  }
}

export function startUrl(email: string, baseUrl: string, returnTo = '/'): string {
  const query = { email, ...(returnTo === '/' ? {} : { return_to: returnTo }) }
  return `${baseUrl}/api/v1/auth/sso/start?${new URLSearchParams(query).toString()}`
}
