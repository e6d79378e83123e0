import type { Timestamp } from './column-types.ts'

/** The state of a rate limit that several processes share. */
export interface RateCounterRow {
  /** Of the name and the key, which can be an e-mail address. */
  readonly key_hash: string
  readonly name: string
  /** Numbers, separated by spaces. */
  readonly state: string
  readonly expires_at: Timestamp
}

export const rateCounterSchema = [
  `drop table sso_discovery_clients`,
  `create table rate_counters (
     key_hash    text not null primary key,
     name        text not null,
     state       text not null,
     expires_at  text not null
   )`,
  `create index rate_counters_by_expiry on rate_counters (name, expires_at)`,
]
