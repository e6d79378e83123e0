import type { ModelProvider } from '@assay/contract/model-configs.ts'
import type { RateCard } from '../models/token-rates.ts'
import type { ModelConnections } from './model-outbound.ts'

/** A model that can be called, with its key. Do not log or serialize it. */
export interface GatewayModel {
  /** Whose turns its calls take. */
  readonly organizationId: string
  readonly provider: ModelProvider
  readonly model: string
  /** Null: the provider's public API. */
  readonly baseUrl: string | null
  readonly apiKey: string | null
  /** Null: its calls have no known cost. */
  readonly rates: RateCard | null
  /** Reaches the addresses that calls may go to. */
  readonly outbound: ModelConnections
  readonly meter?: SpendMeter
}

/** Counts what calls cost against an allowance. */
export interface SpendMeter {
  isUsedUp(): Promise<boolean>
  add(usd: number): Promise<void>
}
