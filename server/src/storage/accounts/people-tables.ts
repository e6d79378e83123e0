import type { Role } from '@assay/contract/access.ts'
import type { Organization, Project } from '@assay/contract/organizations.ts'
import type { TracingKey } from '@assay/contract/tracing-keys.ts'
import type { Flag, Timestamp } from './column-types.ts'

/*
 * Users, organizations and their members, projects and tracing keys, and how people get accounts.
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
  readonly encrypted_history: Project['encrypted_history']
  readonly created_at: Timestamp
}

export interface TracingKeyRow {
  readonly id: string
  readonly project_id: string
  readonly name: string
  readonly key_prefix: TracingKey['key_prefix']
  readonly key_hint: string
  readonly hash: string
  /** Null once the user is removed. */
  readonly created_by: string | null
  readonly created_at: Timestamp
  /** Written at most once a minute. */
  readonly last_used_at: Timestamp | null
  readonly revoked_at: Timestamp | null
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

/** Who may create an account without an invite. */
export interface PlatformAccessRow {
  readonly id: string
  /** An address (`ana@x.org`) or a domain (`@x.org`), as `toEmailKey` formats it. */
  readonly pattern: string
  /** Null for the command line, and once the user is removed. */
  readonly added_by: string | null
  readonly created_at: Timestamp
}
