import type { UnpricedReason } from '@assay/contract/traces.ts'

/** Why a model call has no price, as a sentence. */
export const unpricedReasonLabels: Readonly<Record<UnpricedReason, string>> = {
  no_model: 'The span has no model.',
  no_usage: 'The span has no token counts.',
  inconsistent_usage: 'The span has more cached tokens than input tokens.',
  local_model:
    'Local models have no list price. Set a price, for example 0, to include them in the cost.',
  unknown_provider:
    'The provider is not in the price list. Set a price for the model, or an alias to a listed model.',
  unknown_model:
    'The model is not in the price list. Set a price for it, or an alias to a listed model.',
  no_token_price: 'The price list has no token price for this model.',
  no_tier_price: 'There is no price for this service tier. Set a price with service tiers.',
  too_many_models: 'Its request had too many distinct model names. Re-price the span.',
}
