import type { Timestamp } from './column-types.ts'

/*
 * Sessions, and their transfer between the hosts of the products.
 */

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

/** A code that transfers a session to the host of the other product. */
export interface SessionTransferRow {
  readonly code_hash: string
  readonly session_id: string
  /** SHA-256 of the cookie on the other host. */
  readonly flow_hash: string
  readonly expires_at: Timestamp
}
