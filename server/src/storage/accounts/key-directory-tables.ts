import type { Timestamp } from './column-types.ts'

/*
 * The tables of the key directory. Hashes, keys and signatures are base64url.
 */

export interface KeyStatementRow {
  readonly organization_id: string
  readonly user_id: string
  /** From 1, without gaps. */
  readonly seq: number
  readonly hash: string
  /** In canonical form. */
  readonly statement: string
  /** Null when it revokes a device. */
  readonly sig_new: string | null
  readonly sig_by: string
  /** By the clock of the service. */
  readonly created_at: Timestamp
}

/** A key or device id that was enrolled by anyone, ever. */
export interface UsedEncryptionKeyRow {
  readonly hash: string
}

/** The log of an organization: its head, and the key that signs it. */
export interface KeyLogRow {
  readonly id: string
  readonly organization_id: string
  /** Sealed for this row and column. */
  readonly private_key: string
  readonly public_key: string
  readonly size: number
  readonly hash: string
  readonly signature: string
}
