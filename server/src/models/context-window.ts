import type { ModelProvider } from '@assay/contract/model-configs.ts'
import { parseInstant } from '../domain/instant.ts'
import { pricerFor } from './pricer.ts'

/** How many tokens of input and output a model has room for: as listed, else by its family. */
export function contextWindowOf(provider: ModelProvider, model: string, at: Date): number {
  const question = { provider, model, serviceTier: null, at: parseInstant(at.toISOString()) }
  const { outcome } = pricerFor('').find(question)
  const listed = 'card' in outcome ? outcome.listed?.contextWindow : undefined
  return listed ?? familyWindows.find(([name]) => name.test(model))?.[1] ?? usualWindow
}

const familyWindows: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/gemini|gpt-4\.1/i, 1_000_000],
  [/gpt-[5-9]/i, 272_000],
  [/claude|(?:^|\/)o\d/i, 200_000],
]
const usualWindow = 128_000
