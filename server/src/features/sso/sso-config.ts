import { hash } from 'node:crypto'
import type { SsoConfig, SsoDomain } from '@assay/contract/sso.ts'
import type { NamedDomain } from '../../storage/accounts/sso-domain-store.ts'
import type { SsoConfigRow, SsoTestRow } from '../../storage/accounts/sso-tables.ts'

/*
 * The API form of a configuration, the addresses of the service for it, and its fingerprint.
 */

/** What the configuration trusts. When it changes, sessions, pending sign-ins and tests become invalid. */
export function toFingerprint(config: SsoConfigRow): string {
  const { id, protocol, issuer, client_id, client_secret_set_at } = config
  const { idp_entity_id, idp_sso_url, idp_certificate } = config
  // The time instead of the secret, whose sealed form changes with the master key.
  const oidc = [issuer, client_id, client_secret_set_at]
  const saml = [idp_entity_id, idp_sso_url, idp_certificate]
  return hash('sha256', JSON.stringify([id, protocol, ...oidc, ...saml]))
}

/** The addresses that an organization enters at its identity provider. */
export interface ServiceAddresses {
  readonly oidcCallback: string
  readonly samlConsumer: string
  readonly samlEntityId: string
  readonly samlMetadata: string
}

export function serviceAddresses(baseUrl: string, organizationId: string): ServiceAddresses {
  const at = (step: string) => `${baseUrl}/api/v1/auth/sso/${step}/${organizationId}`
  return {
    oidcCallback: at('callback'),
    samlConsumer: at('acs'),
    // One per organization, so that a response for one cannot be used with another.
    samlEntityId: at('metadata'),
    samlMetadata: at('metadata'),
  }
}

export function toApiSsoConfig(
  config: SsoConfigRow,
  domains: readonly NamedDomain[],
  test: SsoTestRow | undefined,
  baseUrl: string,
): SsoConfig {
  const { oidcCallback, samlConsumer, samlEntityId, samlMetadata } = serviceAddresses(
    baseUrl,
    config.organization_id,
  )
  return {
    id: config.id,
    organization_id: config.organization_id,
    protocol: config.protocol,
    issuer: config.issuer,
    client_id: config.client_id,
    has_client_secret: config.client_secret !== null,
    idp_entity_id: config.idp_entity_id,
    idp_sso_url: config.idp_sso_url,
    idp_certificate: config.idp_certificate,
    domains: domains.map(toApiSsoDomain),
    enforced: config.enforced === 1,
    default_role: config.default_role,
    callback_url: config.protocol === 'oidc' ? oidcCallback : samlConsumer,
    sp_entity_id: samlEntityId,
    metadata_url: samlMetadata,
    tested_at: isOfNow(test, config) ? test.succeeded_at : null,
    created_at: config.created_at,
    updated_at: config.updated_at,
  }
}

export function isOfNow(test: SsoTestRow | undefined, config: SsoConfigRow): test is SsoTestRow {
  return test?.fingerprint === toFingerprint(config)
}

export function toApiSsoDomain({
  domain,
  token,
  verified_at,
  verified_by,
}: NamedDomain): SsoDomain {
  return { domain, verified_at, verified_by, txt_record: toTxtRecord(token) }
}

export function toTxtRecord(token: string): string {
  return `assay-verification=${token}`
}
