import { X509Certificate } from 'node:crypto'
import type { Input } from '@assay/contract/endpoint.ts'
import type { SsoConfig, writeSsoConfig } from '@assay/contract/sso.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { ClientFacts, MemberCaller } from '../../accounts/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { newId, newSecret } from '../../platform/ids.ts'
import { type Outbound, OutboundRefused } from '../../platform/outbound-fetch.ts'
import type { SecretBox, SecretPlace } from '../../platform/secret-box.ts'
import type { Timestamp } from '../../storage/accounts/column-types.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { NamedDomain } from '../../storage/accounts/sso-domain-store.ts'
import type { SsoConfigRow } from '../../storage/accounts/sso-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import { isOfNow, toApiSsoConfig, toFingerprint } from './sso-config.ts'

export interface SavePorts {
  readonly accounts: Accounts
  readonly clock: Clock
  readonly box: SecretBox
  readonly outbound: Outbound
  readonly baseUrl: string
}

export type SsoConfigInput = Input<typeof writeSsoConfig>['body']

/**
 * Saves the configuration in one transaction. A secret that is not sent again is kept only while the issuer stays the
 * same; sessions are kept only while no other provider is trusted.
 */
export async function saveConfig(
  input: SsoConfigInput,
  caller: MemberCaller,
  client: ClientFacts,
  ports: SavePorts,
): Promise<SsoConfig> {
  const trust = await toTrust(input, ports.outbound)
  const at = ports.clock.now().toISOString()
  return ports.accounts.transaction(async (stores) => {
    const before = await lockedConfig(caller.organizationId, stores)
    const config = nextConfig(input, trust, before, caller.organizationId, at, ports.box)
    if (before !== undefined) await stores.sso.update(config)
    else if (!(await stores.sso.insert(config))) throw changedMeanwhile()

    const { domains, hasLostOne } = await saveDomains(config.id, input.domains, stores)
    const test = await stores.ssoIdentities.findTest(config.id, caller.user.id)
    const isTrustUnchanged = before !== undefined && toFingerprint(before) === toFingerprint(config)
    const isNewlyEnforced = config.enforced === 1 && !(isTrustUnchanged && before.enforced === 1)
    if (isNewlyEnforced) refuseUnlessSafe(isOfNow(test, config), domains)

    if (!isTrustUnchanged || hasLostOne) await stores.ssoSessions.removeByConfig(config.id)
    if (isNewlyEnforced) await endOtherSignIns(domains, caller, stores)
    await recordEvent(
      {
        action: 'sso_config.saved',
        organizationId: caller.organizationId,
        targetId: config.id,
        details: {
          protocol: config.protocol,
          changed: changedFields(before, config),
          domains: domains.map(({ domain }) => domain),
          enforced: config.enforced === 1,
        },
      },
      userActor(caller.user, client),
      at,
      stores,
    )
    return toApiSsoConfig(config, domains, test, ports.baseUrl)
  })
}

async function lockedConfig(
  organizationId: string,
  { sso }: Pick<AccountStores, 'sso'>,
): Promise<SsoConfigRow | undefined> {
  const found = await sso.findByOrganization(organizationId)
  return found === undefined ? undefined : await sso.lock(found.id)
}

const changedMeanwhile = () =>
  new Failure(
    'CONFLICT',
    'Somebody else changed the configuration at the same time. Reload and try again.',
  )

/** The columns of one protocol; the others are null. */
type Trust = Pick<
  SsoConfigRow,
  'issuer' | 'client_id' | 'idp_entity_id' | 'idp_sso_url' | 'idp_certificate'
>

const noTrust: Trust = {
  issuer: null,
  client_id: null,
  idp_entity_id: null,
  idp_sso_url: null,
  idp_certificate: null,
}

async function toTrust(input: SsoConfigInput, outbound: Outbound): Promise<Trust> {
  if (input.protocol === 'oidc') {
    const issuer = parseAddress('issuer', input.issuer ?? '')
    if (issuer.search !== '' || issuer.hash !== '') throw unusable('issuer', 'must have no query')
    await outbound.judge(issuer.href).catch(asUnusable)
    return { ...noTrust, issuer: input.issuer ?? null, client_id: input.client_id ?? null }
  }
  // Only browsers connect to it, so it may be in a private network.
  parseAddress('idp_sso_url', input.idp_sso_url ?? '')
  return {
    ...noTrust,
    idp_entity_id: input.idp_entity_id ?? null,
    idp_sso_url: input.idp_sso_url ?? null,
    idp_certificate: certificatesIn(input.idp_certificate ?? ''),
  }
}

function parseAddress(field: string, text: string): URL {
  const url = URL.parse(text)
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === ''
  if (isWeb) return url
  throw unusable(field, 'must be an address that starts with https://')
}

function unusable(field: string, reason: string, target?: string): Failure {
  return new Failure('VALIDATION_ERROR', `${field} ${reason}`, {
    status: 422,
    details: target === undefined ? {} : { target },
  })
}

function asUnusable(error: unknown): never {
  if (!(error instanceof OutboundRefused)) throw error
  throw unusable('issuer', `cannot be used: ${error.message}`, error.target)
}

const mostCertificates = 4

/** As PEM, with or without the PEM header in the input. */
function certificatesIn(text: string): string {
  const framed = [...text.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g)]
  const bodies = framed.length > 0 ? framed.map(([, body = '']) => body) : [text]
  if (bodies.length > mostCertificates) {
    throw unusable('idp_certificate', `must have at most ${mostCertificates} certificates`)
  }
  return bodies.map(certificateFrom).join('')
}

function certificateFrom(base64: string): string {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).toString()
  } catch {
    throw unusable('idp_certificate', 'must be an X.509 certificate in PEM form')
  }
}

function nextConfig(
  input: SsoConfigInput,
  trust: Trust,
  before: SsoConfigRow | undefined,
  organizationId: string,
  at: Timestamp,
  box: SecretBox,
): SsoConfigRow {
  const id = before?.id ?? newId()
  return {
    id,
    organization_id: organizationId,
    protocol: input.protocol,
    ...trust,
    ...toSecret(
      input,
      trust,
      before,
      secretPlace({ id, organization_id: organizationId }),
      at,
      box,
    ),
    enforced: input.enforced ? 1 : 0,
    default_role: input.default_role,
    created_at: before?.created_at ?? at,
    updated_at: at,
  }
}

export function secretPlace({
  id,
  organization_id,
}: Pick<SsoConfigRow, 'id' | 'organization_id'>): SecretPlace {
  return {
    table: 'sso_configs',
    column: 'client_secret',
    organizationId: organization_id,
    rowId: id,
  }
}

// A stored secret is only sent to the issuer it was entered for: changing the issuer must not send it elsewhere.
function toSecret(
  input: SsoConfigInput,
  { issuer }: Trust,
  before: SsoConfigRow | undefined,
  place: SecretPlace,
  at: Timestamp,
  box: SecretBox,
): Pick<SsoConfigRow, 'client_secret' | 'client_secret_set_at'> {
  const sent = input.protocol === 'oidc' ? input.client_secret : null
  if (typeof sent === 'string') {
    return { client_secret: box.seal(sent, place), client_secret_set_at: at }
  }
  const stays = sent === undefined && before !== undefined && before.issuer === issuer
  if (!stays) return { client_secret: null, client_secret_set_at: null }
  const { client_secret, client_secret_set_at } = before
  return { client_secret, client_secret_set_at }
}

/** Does not reveal whether another organization owns a domain before it is verified. */
async function saveDomains(
  configId: string,
  input: readonly string[],
  { ssoDomains }: Pick<AccountStores, 'ssoDomains'>,
): Promise<{ domains: readonly NamedDomain[]; hasLostOne: boolean }> {
  const before = await ssoDomains.list(configId)
  const dropped = before.filter(({ domain }) => !input.includes(domain))
  for (const { domain } of dropped) await ssoDomains.remove(configId, domain)
  for (const domain of input.filter((one) => before.every((row) => row.domain !== one))) {
    await ssoDomains.insert({ sso_config_id: configId, domain, token: newSecret(16) })
  }
  return {
    domains: await ssoDomains.list(configId),
    hasLostOne: dropped.some(({ verified_at }) => verified_at !== null),
  }
}

function refuseUnlessSafe(hasGotThrough: boolean, domains: readonly NamedDomain[]): void {
  if (domains.every(({ verified_at }) => verified_at === null)) {
    throw new Failure('CONFLICT', 'Verify a domain before you require single sign-on.')
  }
  if (hasGotThrough) return
  throw new Failure(
    'CONFLICT',
    'Test this configuration successfully before you require single sign-on.',
  )
}

/** Ends the password sessions of everybody who must use the provider now, except the caller's, who can undo it. */
async function endOtherSignIns(
  domains: readonly NamedDomain[],
  { sessionId }: MemberCaller,
  { ssoSessions }: Pick<AccountStores, 'ssoSessions'>,
): Promise<void> {
  for (const { domain, verified_at } of domains) {
    if (verified_at !== null) await ssoSessions.removeByPasswordIn(domain, sessionId)
  }
}

const noted = [
  'protocol',
  'issuer',
  'client_id',
  'client_secret_set_at',
  'idp_entity_id',
  'idp_sso_url',
  'idp_certificate',
  'enforced',
  'default_role',
] as const satisfies readonly (keyof SsoConfigRow)[]

/** By their names in the API. */
function changedFields(before: SsoConfigRow | undefined, after: SsoConfigRow): readonly string[] {
  const changed = noted.filter((field) => (before?.[field] ?? null) !== after[field])
  return changed.map((field) => (field === 'client_secret_set_at' ? 'client_secret' : field))
}
