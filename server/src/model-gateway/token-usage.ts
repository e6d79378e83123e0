import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { noUsage, type Usage } from '../domain/span.ts'

/*
 * The tokens of a call as its provider reports them.
 */

/** Unknown unless each count can be one: anyone can configure a provider. */
export function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  const counts = {
    tokensIn: inputTokens.total ?? null,
    tokensOut: outputTokens.total ?? null,
    tokensCacheRead: inputTokens.cacheRead ?? null,
    tokensCacheWrite: inputTokens.cacheWrite ?? null,
    tokensReasoning: outputTokens.reasoning ?? null,
  }
  return Object.values(counts).every(isTokenCount) ? counts : noUsage
}

/** More than any request has. Sums of these are exact. */
const tokenCountMax = 1e9

function isTokenCount(count: number | null): boolean {
  return count === null || (Number.isInteger(count) && count >= 0 && count <= tokenCountMax)
}
