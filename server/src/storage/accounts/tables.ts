import type { Role } from '@assay/contract/access.ts'
import type { AuditAction, AuditTarget } from '@assay/contract/audit.ts'
import type { Organization } from '@assay/contract/organizations.ts'
import type { TracingKey } from '@assay/contract/tracing-keys.ts'

/*
 * The accounts database as types: one interface a table, its columns by their names in the database.
 * Text, integer and real columns only, so that one set of statements serves SQLite and PostgreSQL.
 */

/** ISO 8601 in UTC with milliseconds, as `Date.toISOString` writes it: comparing the text compares the time. */
export type Timestamp = string

/** A boolean in an integer column. */
export type Flag = 0 | 1

export interface UserRow {
  readonly id: string
  /** As the person wrote it. */
  readonly email: string
  /** What makes two spellings one address: see `emailKeyOf`. */
  readonly email_key: string
  /** Null until the address is verified; what the person claims is not enough. */
  readonly email_verified_at: Timestamp | null
  /** The Owner who marked the address as verified; null when the person has proven it, or it is not verified. */
  readonly email_vouched_by: string | null
  readonly name: string
  /** Null for a person without a password. */
  readonly password_hash: string | null
  readonly is_super_admin: Flag
  readonly disabled_at: Timestamp | null
  readonly created_at: Timestamp
}

export interface OrganizationRow {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly data_residency_region: Organization['data_residency_region']
  readonly plan_tier: Organization['plan_tier']
  readonly created_at: Timestamp
}

export interface MembershipRow {
  readonly organization_id: string
  readonly user_id: string
  readonly role: Role
  readonly joined_at: Timestamp
}

export interface ProjectRow {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  /** Unique in the organization. */
  readonly slug: string
  readonly legacy_key_hash: string
  /** Null for the deployment's own period. */
  readonly retention_days: number | null
  readonly created_at: Timestamp
}

export interface TracingKeyRow {
  readonly id: string
  readonly project_id: string
  readonly key_prefix: TracingKey['key_prefix']
  readonly key_hint: string
  readonly hash: string
  /** Null once the person is gone. */
  readonly created_by: string | null
  readonly created_at: Timestamp
  readonly revoked_at: Timestamp | null
}

/** How somebody proved who they are. */
export type SignInMethod = 'password' | 'sso'

export interface SessionRow {
  readonly id: string
  readonly user_id: string
  readonly method: SignInMethod
  /** The configuration that vouched for the person; null with a password. */
  readonly sso_config_id: string | null
  readonly created_at: Timestamp
  readonly last_seen_at: Timestamp
  /** The end that no use puts off. */
  readonly expires_at: Timestamp
  readonly ip: string
  readonly user_agent: string | null
}

/** A session has a token on each host where the person uses it. */
export interface SessionTokenRow {
  readonly token_hash: string
  readonly session_id: string
}

/** Who did it: a person by an account, or whoever has the set-up token or the machine, or somebody unknown. */
export type AuditActorKind = 'user' | 'set-up' | 'command line' | 'nobody'

/** One line of the audit log. Lines are added and read, never changed or removed. */
export interface AuditRow {
  /** Sorts as text in the order of writing. */
  readonly id: string
  readonly at: Timestamp
  /** Null for what concerns no single organization. */
  readonly organization_id: string | null
  readonly actor_kind: AuditActorKind
  readonly actor_id: string | null
  /** As it was at the time. */
  readonly actor_email: string | null
  readonly action: AuditAction
  readonly target_kind: AuditTarget
  readonly target_id: string | null
  readonly client_address: string | null
  readonly user_agent: string | null
  readonly request_id: string | null
  /** A JSON object. */
  readonly details: string
}

export interface InviteRow {
  readonly id: string
  readonly token_hash: string
  readonly organization_id: string
  /** As the inviter wrote it. */
  readonly email: string
  readonly email_key: string
  readonly role: Role
  /** Null once the person is gone. */
  readonly invited_by: string | null
  readonly created_at: Timestamp
  readonly expires_at: Timestamp
  readonly accepted_at: Timestamp | null
  readonly revoked_at: Timestamp | null
}

/** A link with which a person chooses a new password: at most one a person. */
export interface PasswordLinkRow {
  readonly user_id: string
  readonly token_hash: string
  /** Whether it went to the address by mail, so that whoever uses it has shown that the address is theirs. */
  readonly by_mail: Flag
  readonly created_at: Timestamp
  readonly expires_at: Timestamp
}

/** A code that takes a session over to the other product's host. */
export interface SessionTransferRow {
  readonly code_hash: string
  readonly session_id: string
  /** Of what the browser keeps on the other host. */
  readonly flow_hash: string
  readonly expires_at: Timestamp
}

/** Who may have an account without being invited. */
export interface PlatformAccessRow {
  readonly id: string
  /** An address (`ana@x.org`) or a domain (`@x.org`), as `emailKeyOf` spells it. */
  readonly pattern: string
  /** Null for the command line, and once the person is gone. */
  readonly added_by: string | null
  readonly created_at: Timestamp
}

/** At most one of an organization. What is of the other protocol is null. */
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
  /** PEM, one or more. */
  readonly idp_certificate: string | null
  /** Whether people of its domains may sign in through it only. */
  readonly enforced: Flag
  readonly default_role: Exclude<Role, 'Owner'>
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

/** A domain that an organization says is its own. */
export interface SsoDomainRow {
  readonly sso_config_id: string
  readonly domain: string
  /** What shows it, when it is found in the domain's DNS. */
  readonly token: string
}

/** A domain that is an organization's own. */
export interface SsoVerifiedDomainRow {
  readonly domain: string
  readonly sso_config_id: string
  readonly verified_at: Timestamp
  readonly verified_by: 'dns' | 'approval'
}

/** Who somebody at an identity provider is here. The same subject in another configuration is somebody else. */
export interface SsoIdentityRow {
  readonly sso_config_id: string
  readonly issuer: string
  readonly subject: string
  readonly user_id: string
  readonly created_at: Timestamp
}

/** That a person got through a configuration as it was then. */
export interface SsoTestRow {
  readonly sso_config_id: string
  readonly user_id: string
  readonly fingerprint: string
  readonly succeeded_at: Timestamp
}

/** A browser that has been sent to an identity provider and not come back. */
export interface SsoFlowRow {
  /** SHA-256 of the state that travels. */
  readonly state_hash: string
  /** SHA-256 of the cookie of the browser that began. */
  readonly browser_hash: string
  readonly sso_config_id: string
  readonly fingerprint: string
  /** Signing in; testing the configuration; or connecting an account with what a provider has said already. */
  readonly purpose: 'sign-in' | 'test' | 'link'
  /** Of a test: who tests. */
  readonly tester_id: string | null
  readonly return_to: string
  /** What the provider said, as JSON, where it is kept until the browser comes for it. */
  readonly asserted: string | null
  readonly expires_at: Timestamp
}

export interface SsoUsedAssertionRow {
  readonly sso_config_id: string
  readonly assertion_id: string
  readonly expires_at: Timestamp
}

/** Who has asked for discovery lately. */
export interface SsoDiscoveryClientRow {
  /** As `clientNetworkOf` spells it. */
  readonly client: string
  /** When, in milliseconds, oldest first, separated by spaces. */
  readonly recent: string
  readonly expires_at: Timestamp
}

/** A price or an alias that a project, or an organization for all its projects, has of its own. */
export interface PriceRuleRow {
  readonly id: string
  readonly organization_id: string
  /** Null for one of the organization. */
  readonly project_id: string | null
  readonly kind: 'price' | 'alias'
  readonly model: string
  readonly provider: string | null
  readonly valid_from: Timestamp | null
  readonly valid_to: Timestamp | null
  /** A JSON object: what it costs, or what it is in truth. */
  readonly terms: string
  readonly note: string | null
  /** What makes two of them the same: there is one of each. */
  readonly identity: string
  /** Null once the person is gone. */
  readonly created_by: string | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

/** Work that runs in the background, step by step (server/src/jobs). */
export interface JobRow {
  /** Sorts as text in the order of creation. */
  readonly id: string
  readonly kind: string
  readonly organization_id: string | null
  /** Null for the jobs of the deployment itself. */
  readonly project_id: string | null
  /** At most one active job has this key; null for no such limit. */
  readonly unique_key: string | null
  /** Null for the service, and once the user is removed. */
  readonly created_by: string | null
  /** JSON, as the kind declares it. */
  readonly input: string
  readonly state: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  /** Where the next step starts, as JSON that only the kind understands; null at the start and the end. */
  readonly position: string | null
  /** A JSON object with at least `done` and `total`. */
  readonly progress: string
  /** JSON, once completed. */
  readonly result: string | null
  /** Why it failed, in a sentence for users. */
  readonly problem: string | null
  /** How often the next step has been started. */
  readonly attempts: number
  /** The process that holds the lease. */
  readonly worker: string | null
  /** When a worker may take it: the end of the lease, of a retry delay, or the scheduled time. */
  readonly available_at: Timestamp
  readonly created_at: Timestamp
  readonly started_at: Timestamp | null
  readonly finished_at: Timestamp | null
}

/** At most one row, `id` 1: something that only the right master secret opens. */
export interface MasterKeyRow {
  readonly id: 1
  readonly canary: string
}

/** At most one row, `id` 1: it is there once the first person has set the service up. */
export interface InstallationRow {
  readonly id: 1
  readonly set_up_at: Timestamp
}

export interface CommentRow {
  readonly id: string
  readonly project_id: string
  readonly trace_id: string
  readonly author_id: string | null
  readonly text: string
  readonly created_at: Timestamp
}

/** A removal or a move of a trace that has started and is not completed. */
export interface TraceChangeRow {
  readonly id: string
  readonly project_id: string
  /** The project that the trace is moved from; null for a removal. */
  readonly from_project_id: string | null
  readonly trace_id: string
  /** An `AuditRow` as JSON, appended to the audit log on completion. */
  readonly audit_line: string
  readonly started_at: Timestamp
}

/** A list of traces that a person wants to see again. */
export interface SavedViewRow {
  readonly id: string
  readonly project_id: string
  readonly user_id: string
  readonly name: string
  readonly query: string
  readonly created_at: Timestamp
}

export interface Tables {
  readonly users: UserRow
  readonly organizations: OrganizationRow
  readonly memberships: MembershipRow
  readonly projects: ProjectRow
  readonly tracing_keys: TracingKeyRow
  readonly sessions: SessionRow
  readonly session_tokens: SessionTokenRow
  readonly audit_log: AuditRow
  readonly invites: InviteRow
  readonly password_links: PasswordLinkRow
  readonly hand_offs: SessionTransferRow
  readonly platform_access: PlatformAccessRow
  readonly sso_configs: SsoConfigRow
  readonly sso_domains: SsoDomainRow
  readonly sso_verified_domains: SsoVerifiedDomainRow
  readonly sso_identities: SsoIdentityRow
  readonly sso_tests: SsoTestRow
  readonly sso_flows: SsoFlowRow
  readonly sso_used_assertions: SsoUsedAssertionRow
  readonly sso_discovery_clients: SsoDiscoveryClientRow
  readonly price_rules: PriceRuleRow
  readonly jobs: JobRow
  readonly master_key: MasterKeyRow
  readonly installation: InstallationRow
  readonly trace_comments: CommentRow
  readonly trace_changes: TraceChangeRow
  readonly saved_views: SavedViewRow
}
