import type { ModelProvider } from '@assay/contract/model-configs.ts'
import type { Timestamp } from './column-types.ts'

/*
 * Models that organizations call, and prices.
 */

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
