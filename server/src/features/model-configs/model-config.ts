import type { ModelConfig, ModelConfigInput } from '@assay/contract/model-configs.ts'
import type { ModelConfigRow } from '../../storage/accounts/model-tables.ts'

/*
 * Converts model configurations between the API and their rows.
 */

export type ModelConfigContents = Pick<
  ModelConfigRow,
  | 'label'
  | 'provider'
  | 'model'
  | 'base_url'
  | 'input_usd_per_mtok'
  | 'output_usd_per_mtok'
  | 'cache_read_usd_per_mtok'
>

export function toContents(input: ModelConfigInput): ModelConfigContents {
  const { label, provider, model, base_url = null } = input
  return {
    ...{ label, provider, model, base_url },
    input_usd_per_mtok: input.input_usd_per_mtok ?? null,
    output_usd_per_mtok: input.output_usd_per_mtok ?? null,
    cache_read_usd_per_mtok: input.cache_read_usd_per_mtok ?? null,
  }
}

/** The stored contents in the form of a request body. */
export function toBody(row: ModelConfigRow): ModelConfigContents {
  const { label, provider, model, base_url } = row
  const { input_usd_per_mtok, output_usd_per_mtok, cache_read_usd_per_mtok } = row
  return {
    ...{ label, provider, model, base_url },
    ...{ input_usd_per_mtok, output_usd_per_mtok, cache_read_usd_per_mtok },
  }
}

export function toApiModelConfig(row: ModelConfigRow): ModelConfig {
  const { id, organization_id, api_key, created_at, updated_at } = row
  return {
    ...{ id, organization_id, ...toBody(row) },
    has_api_key: api_key !== null,
    ...{ created_at, updated_at },
  }
}

/** The names of the fields that a change affects, for the audit log. */
export function changedFields(before: ModelConfigRow, after: ModelConfigRow): readonly string[] {
  const fields = [...(Object.keys(toBody(after)) as (keyof ModelConfigContents)[]), 'api_key']
  return fields.filter(
    (field) => before[field as keyof ModelConfigRow] !== after[field as keyof ModelConfigRow],
  )
}
