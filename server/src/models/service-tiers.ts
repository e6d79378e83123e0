import type { ListedModel } from './price-list.ts'

/*
 * What the way in which a call is served does to the price of the list, which knows the standard way only. Facts
 * of the providers' price pages as of September 2026; what is not known there is left out, never guessed.
 */

const standardWords: ReadonlySet<string> = new Set([
  'default',
  'standard',
  'standard_only',
  'auto',
  'on_demand',
  'on-demand',
])

/** Whether a call is served in the ordinary way, as far as the sender's word goes. */
export function isStandardTier(tier: string | null): boolean {
  return tier === null || standardWords.has(tier)
}

/** Which the price of a short call is to be multiplied by; undefined where nobody says what the tier costs. */
export function tierFactor({ provider, model }: ListedModel, tier: string): number | undefined {
  const tiers = tiersByProvider[provider]
  if (tier === 'batch') return tiers?.batch
  if (tier === 'flex') return tiers?.flex
  if (tier === 'priority') return tiers?.priority?.[model]
  return undefined
}

/** Whether the tier is sold for calls that are long enough to cost more per token. */
export function isSoldForLongCalls(tier: string): boolean {
  return tier !== 'priority'
}

interface Tiers {
  readonly batch?: number
  readonly flex?: number
  /** By the list's id of the model. */
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
