import type { Role } from '@assay/contract/access.ts'
import type { AuditAction, AuditTarget } from '@assay/contract/audit.ts'
import type { ModelProvider } from '@assay/contract/model-configs.ts'
import type { Organization } from '@assay/contract/organizations.ts'
import type { TracingKey } from '@assay/contract/tracing-keys.ts'
import type { Flag, Timestamp } from './column-types.ts'
import type { CostResultRow, CostRunRow, CostScenarioRow } from './cost-run-tables.ts'

/*
 * The tables of the accounts database as types: one interface per table, with the column names of the
 * database. Text, integer and real columns only, so that the same statements run on SQLite and PostgreSQL.
 */

export interface UserRow {
  readonly id: string
  /** As entered by the user. */
  readonly email: string
  /** Equal for spellings of the same address: see `toEmailKey`. */
  readonly email_key: string
  /** Null until the address is verified. */
  readonly email_verified_at: Timestamp | null
  /**
   * The Owner who marked the address as verified; null when the user verified it, or it is not verified.
   */
  readonly email_verified_by: string | null
  readonly name: string
  /** Null for users without a password. */
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
  /** Null for the default of the deployment. */
  readonly retention_days: number | null
  readonly created_at: Timestamp
}

export interface TracingKeyRow {
  readonly id: string
  readonly project_id: string
  readonly key_prefix: TracingKey['key_prefix']
  readonly key_hint: string
  readonly hash: string
  /** Null once the user is removed. */
  readonly created_by: string | null
  readonly created_at: Timestamp
  readonly revoked_at: Timestamp | null
}

/** The authentication method. */
export type SignInMethod = 'password' | 'sso'

export interface SessionRow {
  readonly id: string
  readonly user_id: string
  readonly method: SignInMethod
  /** The configuration that authenticated the user; null with a password. */
  readonly sso_config_id: string | null
  readonly created_at: Timestamp
  readonly last_seen_at: Timestamp
  /** The absolute expiry, which use does not extend. */
  readonly expires_at: Timestamp
  readonly ip: string
  readonly user_agent: string | null
}

/** A session has a token for each host on which it is used. */
export interface SessionTokenRow {
  readonly token_hash: string
  readonly session_id: string
  readonly created_at: Timestamp
}

/** The actor: a user with an account, the holder of the setup token, the command line, or unknown. */
export type AuditActorKind = 'user' | 'set-up' | 'command line' | 'anonymous'

/** An event of the audit log. Events are added and read, never changed or removed. */
export interface AuditRow {
  /** Sorts as text in the order of writing. */
  readonly id: string
  readonly at: Timestamp
  /** Null for events without an organization. */
  readonly organization_id: string | null
  readonly actor_kind: AuditActorKind
  readonly actor_id: string | null
  /** At the time of the event. */
  readonly actor_email: string | null
  readonly action: AuditAction
  readonly target_kind: AuditTarget
  readonly target_id: string | null
  readonly client_address: string | null
  readonly user_agent: string | null
  readonly request_id: string | null
  /** A JSON object. */
  readonly details: string
  /** More than 1 in an entry that stands for several events. */
  readonly event_count: number
  /** When the last of several happened. */
  readonly last_at: Timestamp | null
}

/** Counts the entries of events that are repeated, and finds the entry that counts further ones. */
export interface AuditRepeatRow {
  readonly key: string
  readonly entries: number
  readonly line_id: string | null
  readonly expires_at: Timestamp
}

export interface InviteRow {
  readonly id: string
  readonly token_hash: string
  readonly organization_id: string
  /** As entered by the inviter. */
  readonly email: string
  readonly email_key: string
  readonly role: Role
  /** Null once the user is removed. */
  readonly invited_by: string | null
  readonly created_at: Timestamp
  readonly expires_at: Timestamp
  readonly accepted_at: Timestamp | null
  readonly revoked_at: Timestamp | null
}

/** A link to choose a new password: at most one per user. */
export interface PasswordLinkRow {
  readonly user_id: string
  readonly token_hash: string
  /** Whether it was sent by email, so that using it verifies the address. */
  readonly by_mail: Flag
  readonly created_at: Timestamp
  readonly expires_at: Timestamp
}

/** A code that transfers a session to the host of the other product. */
export interface SessionTransferRow {
  readonly code_hash: string
  readonly session_id: string
  /** SHA-256 of the cookie on the other host. */
  readonly flow_hash: string
  readonly expires_at: Timestamp
}

/** Who may create an account without an invite. */
export interface PlatformAccessRow {
  readonly id: string
  /** An address (`ana@x.org`) or a domain (`@x.org`), as `toEmailKey` formats it. */
  readonly pattern: string
  /** Null for the command line, and once the user is removed. */
  readonly added_by: string | null
  readonly created_at: Timestamp
}

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

/** Recent discovery requests by client. */
export interface SsoDiscoveryClientRow {
  /** As `toClientNetwork` formats it. */
  readonly client: string
  /** The times in milliseconds, oldest first, separated by spaces. */
  readonly request_times: string
  readonly expires_at: Timestamp
}

/** A custom price or alias of a project, or of an organization for all its projects. */
export interface PriceRuleRow {
  readonly id: string
  readonly organization_id: string
  /** Null for a rule of the organization. */
  readonly project_id: string | null
  readonly kind: 'price' | 'alias'
  readonly model: string
  readonly provider: string | null
  readonly valid_from: Timestamp | null
  readonly valid_to: Timestamp | null
  /** A JSON object: the price, or the model that an alias stands for. */
  readonly terms: string
  readonly note: string | null
  /** The unique identity of a rule. */
  readonly identity: string
  /** Null once the user is removed. */
  readonly created_by: string | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

/** A model that an organization calls with its own key. */
export interface ModelConfigRow {
  readonly id: string
  readonly organization_id: string
  readonly label: string
  readonly provider: ModelProvider
  readonly model: string
  /** Null: the provider's public API. */
  readonly base_url: string | null
  /** Sealed for this row and column. */
  readonly api_key: string | null
  readonly input_usd_per_mtok: number | null
  readonly output_usd_per_mtok: number | null
  readonly cache_read_usd_per_mtok: number | null
  /** Null once the user is removed. */
  readonly created_by: string | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

/** What an organization has spent on the platform model in a month. */
export interface PlatformSpendRow {
  readonly organization_id: string
  /** `2026-01`, in UTC. */
  readonly month: string
  readonly usd: number
  readonly calls: number
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
  /** Where the next step starts, as JSON in a format of the kind; null at the start and the end. */
  readonly position: string | null
  /** A JSON object with at least `done` and `total`. */
  readonly progress: string
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

/** At most one row, `id` 1: a text sealed with the master secret, to detect a wrong one. */
export interface MasterKeyRow {
  readonly id: 1
  readonly canary: string
}

/** At most one row, `id` 1, which exists once the first user has set up the service. */
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
  readonly audit_event: string
  readonly started_at: Timestamp
}

/** A saved list of traces. */
export interface SavedViewRow {
  readonly id: string
  readonly project_id: string
  readonly user_id: string
  readonly name: string
  readonly query: string
  readonly created_at: Timestamp
}

/** An evaluator of an organization; those built in are code. */
export interface EvaluatorRow {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly category: string
  readonly description: string
  /** A JSON list of texts. */
  readonly tags: string
  readonly prompt_template: string
  readonly threshold: number
  readonly created_at: Timestamp
}

/** A list of evaluators of an organization; those built in are code. */
export interface EvaluatorCollectionRow {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly description: string
  readonly created_at: Timestamp
}

export interface CollectedEvaluatorRow {
  readonly organization_id: string
  readonly collection_id: string
  /** From 0. */
  readonly position: number
  /** Of a row in `evaluators`, or of one built in. */
  readonly evaluator_id: string
}

/** Evaluates new traces of a project. The collection and the model may have been deleted since. */
export interface EvaluationRuleRow extends EvaluationRuleProgress {
  readonly id: string
  readonly organization_id: string
  readonly project_id: string
  readonly name: string
  readonly is_enabled: Flag
  /** JSON, as in the API. */
  readonly filters: string
  readonly sample_rate: number
  readonly collection_id: string
  readonly model_config_id: string | null
  readonly max_cost_usd_per_day: number
  readonly created_by: string | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  /** Traces that arrived before are not evaluated. */
  readonly active_since: Timestamp
}

export interface EvaluationRuleProgress {
  /** In the settled traces of the project: all up to it are decided. Null before the first. */
  readonly position: string | null
  readonly checked_until: Timestamp | null
  readonly last_evaluated_at: Timestamp | null
  /** The date in UTC that the counts of the day are of. */
  readonly counted_day: string
  readonly evaluated_of_day: number
  readonly skipped_of_day: number
  readonly cost_usd_of_day: number
  readonly evaluated_total: number
  readonly skipped_total: number
  readonly cost_usd_total: number
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
  readonly audit_repeats: AuditRepeatRow
  readonly invites: InviteRow
  readonly password_links: PasswordLinkRow
  readonly session_transfers: SessionTransferRow
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
  readonly model_configs: ModelConfigRow
  readonly platform_spend: PlatformSpendRow
  readonly jobs: JobRow
  readonly master_key: MasterKeyRow
  readonly installation: InstallationRow
  readonly trace_comments: CommentRow
  readonly trace_changes: TraceChangeRow
  readonly saved_views: SavedViewRow
  readonly evaluators: EvaluatorRow
  readonly evaluator_collections: EvaluatorCollectionRow
  readonly collected_evaluators: CollectedEvaluatorRow
  readonly evaluation_rules: EvaluationRuleRow
  readonly cost_runs: CostRunRow
  readonly cost_scenarios: CostScenarioRow
  readonly cost_results: CostResultRow
}
