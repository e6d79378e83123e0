import type { Role } from '@assay/contract/access.ts'
import type { Flag, Timestamp } from './column-types.ts'

/*
 * Single sign-on.
 */

/** At most one per organization. Columns of the other protocol are null. */
export interface SsoConfigRow {
  readonly id: string
  readonly organization_id: string
  readonly protocol: 'oidc' | 'saml'
  readonly issuer: string | null
  readonly client_id: string | null
  /** Sealed for this row and column. */
  readonly client_secret: string | null
  readonly client_secret_set_at: Timestamp | null
  readonly idp_entity_id: string | null
  readonly idp_sso_url: string | null
  /** One or more PEM certificates. */
  readonly idp_certificate: string | null
  /** Whether users of its domains must sign in with it. */
  readonly enforced: Flag
  readonly default_role: Exclude<Role, 'Owner'>
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

/** A domain that an organization claims. */
export interface SsoDomainRow {
  readonly sso_config_id: string
  readonly domain: string
  /** The DNS record value that verifies the claim. */
  readonly token: string
}

/** A domain that is verified for an organization. */
export interface SsoVerifiedDomainRow {
  readonly domain: string
  readonly sso_config_id: string
  readonly verified_at: Timestamp
  readonly verified_by: 'dns' | 'approval'
}

/**
 * The user of an identity at an identity provider. The same subject in another configuration is another
 * identity.
 */
export interface SsoIdentityRow {
  readonly sso_config_id: string
  readonly issuer: string
  readonly subject: string
  readonly user_id: string
  readonly created_at: Timestamp
}

/** A successful test of a configuration by a user, for the settings at that time. */
export interface SsoTestRow {
  readonly sso_config_id: string
  readonly user_id: string
  readonly fingerprint: string
  readonly succeeded_at: Timestamp
}

/** A sign-in in progress: a browser that was redirected to an identity provider. */
export interface SsoFlowRow {
  /** SHA-256 of the state parameter. */
  readonly state_hash: string
  /** SHA-256 of the cookie of the browser that started it. */
  readonly browser_hash: string
  readonly sso_config_id: string
  readonly fingerprint: string
  /** Sign in, test the configuration, or connect an account with a response that is already there. */
  readonly purpose: 'sign-in' | 'test' | 'link'
  /** For a test: the user who tests. */
  readonly tester_id: string | null
  readonly return_to: string
  /** The response of the provider as JSON, while the browser has not fetched it yet. */
  readonly asserted_identity: string | null
  readonly expires_at: Timestamp
}

export interface SsoUsedAssertionRow {
  readonly sso_config_id: string
  readonly assertion_id: string
  readonly expires_at: Timestamp
}
