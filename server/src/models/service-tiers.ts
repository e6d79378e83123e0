import type { ListedModel } from './price-list.ts'

/*
 * Price multipliers of service tiers; the price list has standard prices only. Facts of the providers'
 * price pages as of September 2026. Unknown multipliers are left out, never guessed.
 */

const standardWords: ReadonlySet<string> = new Set([
  'default',
  'standard',
  'standard_only',
  'auto',
  'on_demand',
  'on-demand',
])

/** Whether a call was served at the standard tier, as far as the sender reports it. */
export function isStandardTier(tier: string | null): boolean {
  return tier === null || standardWords.has(tier)
}

/** The multiplier for the price of a short call; undefined if the tier's price is unknown. */
export function tierFactor({ provider, model }: ListedModel, tier: string): number | undefined {
  const tiers = tiersByProvider[provider]
  if (tier === 'batch') return tiers?.batch
  if (tier === 'flex') return tiers?.flex
  if (tier === 'priority') return tiers?.priority?.[model]
  return undefined
}

/** Whether the tier is sold for calls with long-context prices. */
export function isSoldForLongCalls(tier: string): boolean {
  return tier !== 'priority'
}

interface Tiers {
  readonly batch?: number
  readonly flex?: number
  /** By the price list's model id. */
  readonly priority?: Readonly<Record<string, number>>
}

const tiersByProvider: Readonly<Record<string, Tiers>> = {
  openai: {
    batch: 0.5,
    flex: 0.5,
    priority: {
      'gpt-4o': 1.7,
      'gpt-4o-2024-05-13': 1.75,
      'gpt-4o-mini': 5 / 3,
      'gpt-4.1': 1.75,
      'gpt-4.1-mini': 1.75,
      'gpt-4.1-nano': 2,
      o3: 1.75,
      'o4-mini': 20 / 11,
      'gpt-5': 2,
      'gpt-5-mini': 1.8,
      'gpt-5.1': 2,
      'gpt-5.2': 2,
      'gpt-5.4': 2,
      'gpt-5.4-mini': 2,
      'gpt-5.5': 2.5,
      'gpt-5.6-luna': 2,
      'gpt-5.6-sol': 2,
      'gpt-5.6-terra': 2,
    },
  },
  anthropic: { batch: 0.5 },
  aws: { batch: 0.5 },
  azure: { batch: 0.5 },
  google: {
    batch: 0.5,
    flex: 0.5,
    priority: { 'gemini-2.5-pro': 1.8, 'gemini-2.5-flash': 1.8, 'gemini-2.5-flash-lite': 1.8 },
  },
  groq: { batch: 0.5, flex: 1 },
  mistral: { batch: 0.5 },
}
