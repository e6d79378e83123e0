import type { SecretPlace } from '../platform/secret-box.ts'
import type { ModelConfigRow } from '../storage/accounts/tables.ts'

/** The place that the key of a model configuration is sealed for: it does not open in any other row. */
export function modelKeyPlace({
  id,
  organization_id,
}: Pick<ModelConfigRow, 'id' | 'organization_id'>): SecretPlace {
  return {
    table: 'model_configs',
    column: 'api_key',
    organizationId: organization_id,
    rowId: id,
  }
}
