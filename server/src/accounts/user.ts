import type { User } from '@assay/contract/sign-in.ts'
import { newId } from '../platform/ids.ts'
import type { Timestamp } from '../storage/accounts/column-types.ts'
import type { UserRow } from '../storage/accounts/people-tables.ts'
import type { AuditEvent } from './audit.ts'
import { toEmailKey } from './email.ts'

export interface UserInput {
  readonly email: string
  readonly name: string
  /** Null for a person without a password. */
  readonly passwordHash: string | null
  /** Whether the address is known to be the person's. */
  readonly isVerified: boolean
  readonly isSuperAdmin: boolean
}

export function newUser(input: UserInput, at: Timestamp): UserRow {
  return {
    id: newId(),
    email: input.email,
    email_key: toEmailKey(input.email),
    email_verified_at: input.isVerified ? at : null,
    email_verified_by: null,
    name: input.name,
    password_hash: input.passwordHash,
    is_super_admin: input.isSuperAdmin ? 1 : 0,
    disabled_at: null,
    created_at: at,
  }
}

/** Whether the person has proven that the address is theirs, rather than an Owner having marked it as verified. */
export function hasProvenAddress(user: UserRow): boolean {
  return user.email_verified_at !== null && user.email_verified_by === null
}

export function userCreated(
  { id, email }: UserRow,
  way: 'sign-up' | 'invite' | 'single sign-on' | 'command line',
): AuditEvent {
  return { action: 'user.created', organizationId: null, targetId: id, details: { email, way } }
}

export function toApiUser({ id, email, name, is_super_admin }: UserRow): User {
  return { id, email, name, is_super_admin: is_super_admin === 1 }
}
