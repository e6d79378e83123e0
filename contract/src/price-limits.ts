/*
 * The limits of prices and of re-pricing. Part of `limits`.
 */

export const priceLimits = {
  priceRules: {
    value: 200,
    unit: 'prices and aliases',
    of: 'prices and aliases of an organization, and of a project',
  },
  modelWildcards: {
    value: 5,
    unit: 'wildcards (`*`)',
    of: 'model of a price or alias; those stored with more still apply',
  },
  priceNoteLength: { value: 500, unit: 'characters', of: 'note of a price' },
  priceUsdMax: { value: 1_000_000, unit: 'dollars', of: 'any price' },
  tierFactorMax: { value: 100, unit: 'times', of: 'the factor of a service tier on a price' },
  observedModelTraces: {
    value: 5000,
    unit: 'traces',
    of: 'read by GET …/prices/models, newest first',
  },
  observedModels: { value: 500, unit: 'models', of: 'listed by GET …/prices/models' },
  repricedTraces: {
    value: 1_000_000,
    unit: 'traces',
    of: 'counted for `trace_count` of a re-pricing and its preview; a re-pricing itself has no limit',
  },
  repricePreviewSpans: {
    value: 200_000,
    unit: 'spans',
    of: 'a re-pricing preview, per request',
  },
  repricedModels: { value: 100, unit: 'models', of: 'models listed for a re-pricing' },
} as const
