import type { SsoDomain } from '@assay/contract/sso.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { ClientFacts, MemberCaller } from '../../accounts/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ResolveTxt } from '../../platform/dns-txt.ts'
import { Failure } from '../../platform/failure.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { NamedDomain } from '../../storage/accounts/sso-domain-store.ts'
import { toApiSsoDomain, toTxtRecord } from './sso-config.ts'

export interface VerifyPorts {
  readonly accounts: Accounts
  readonly clock: Clock
  readonly resolveTxt: ResolveTxt
}

interface Verification {
  readonly domain: string
  readonly method?: 'dns' | 'approval' | undefined
}

/** Verifies that the organization owns the domain, by DNS or by approval of a super admin. Can be repeated. */
export async function verifyDomain(
  { domain, method }: Verification,
  caller: MemberCaller,
  client: ClientFacts,
  { accounts, clock, resolveTxt }: VerifyPorts,
): Promise<SsoDomain> {
  const { isSuperAdmin } = caller.user
  if (method === 'approval' && !isSuperAdmin) {
    throw new Failure('FORBIDDEN', 'Only super admins can approve a domain.')
  }
  const named = await namedDomain(domain, caller.organizationId, accounts)
  if (named.verified_at !== null) return toApiSsoDomain(named)
  const verifiedBy = method ?? (isSuperAdmin ? 'approval' : 'dns')
  if (verifiedBy === 'dns') await refuseUnlessPublished(named, resolveTxt)

  const at = clock.now().toISOString()
  return accounts.transaction(async (stores) => {
    const config = await stores.sso.lock(named.sso_config_id)
    const still = await namedDomain(named.domain, caller.organizationId, stores)
    if (config === undefined || still.token !== named.token) throw notNamed()
    const isOwn = await stores.ssoDomains.insertVerified({
      domain: named.domain,
      sso_config_id: config.id,
      verified_at: at,
      verified_by: verifiedBy,
    })
    const now = await namedDomain(named.domain, caller.organizationId, stores)
    if (now.verified_at === null) {
      throw new Failure('CONFLICT', 'This domain belongs to another organization.')
    }
    if (!isOwn) return toApiSsoDomain(now)
    if (config.enforced === 1) {
      await stores.ssoSessions.removeByPasswordIn(named.domain, caller.sessionId)
    }
    await recordEvent(
      {
        action: 'sso_domain.verified',
        organizationId: caller.organizationId,
        targetId: config.id,
        details: { domain: named.domain, method: verifiedBy },
      },
      userActor(caller.user, client),
      at,
      stores,
    )
    return toApiSsoDomain(now)
  })
}

async function namedDomain(
  domain: string,
  organizationId: string,
  { sso, ssoDomains }: Pick<Accounts, 'sso' | 'ssoDomains'>,
): Promise<NamedDomain> {
  const config = await sso.findByOrganization(organizationId)
  const domains = config === undefined ? [] : await ssoDomains.list(config.id)
  const named = domains.find((one) => one.domain === domain.toLowerCase())
  if (named === undefined) throw notNamed()
  return named
}

const notNamed = () =>
  new Failure('NOT_FOUND', 'The single sign-on configuration does not have this domain.')

async function refuseUnlessPublished(
  { domain, token }: NamedDomain,
  resolveTxt: ResolveTxt,
): Promise<void> {
  const expected = toTxtRecord(token)
  const records = await resolveTxt(domain).catch(() => undefined)
  if (records?.some((record) => record.trim() === expected) === true) return
  const message =
    records === undefined
      ? `DNS gave no TXT records for ${domain}.`
      : `The DNS of ${domain} does not hold the record yet.`
  throw new Failure('VALIDATION_ERROR', message, {
    status: 422,
    details: {
      hint: `Add a TXT record with the value ${expected} to ${domain}. It may take some time until the record is visible.`,
    },
  })
}
