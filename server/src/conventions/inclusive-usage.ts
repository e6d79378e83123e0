import type { Usage } from '../domain/span.ts'
import { firstCount } from './attribute-reading.ts'
import type { KeyTable } from './convention.ts'
import type { Attributes } from './decoded-span.ts'
import type { ReportedUsage, UsageHabits } from './reported-usage.ts'

/*
 * Tokens as one sender counts them, converted to one meaning: input includes what was read from and written to
 * the cache, output includes reasoning. Most senders count this way; some leave either out.
 */

/** The counts under one convention's keys. Names of one count are never added up: senders write several of them. */
export function toInclusiveUsage(
  reported: Attributes,
  keys: KeyTable,
  habits: UsageHabits = {},
): ReportedUsage | undefined {
  const count = (of: keyof KeyTable) => firstCount(reported, keys[of] ?? [])
  const usage = {
    input: count('tokensIn'),
    output: count('tokensOut'),
    total: count('tokensTotal'),
    cacheRead: count('tokensCacheRead'),
    cacheWrite: count('tokensCacheWrite'),
    reasoning: count('tokensReasoning'),
  }
  return hasCount(usage) ? { ...usage, ...habits } : undefined
}

function hasCount({ input, output, cacheRead, cacheWrite, reasoning }: ReportedUsage): boolean {
  return (input ?? output ?? cacheRead ?? cacheWrite ?? reasoning) !== undefined
}

/** Undefined when no count was reported. A reported count is never made smaller. */
export function inclusiveUsage(reported: ReportedUsage): Usage | undefined {
  if (!hasCount(reported)) return undefined
  const { cacheRead, cacheWrite, reasoning } = reported
  const input = reported.input ?? reported.impliedInput
  const output = reported.output ?? reported.impliedOutput
  const cache = (cacheRead ?? 0) + (cacheWrite ?? 0)
  const { isCacheApart, isReasoningApart } = detectExclusiveParts(
    { ...reported, input, output },
    cache,
  )
  return {
    tokensIn: input === undefined ? null : input + (isCacheApart ? cache : 0),
    tokensOut: output === undefined ? null : output + (isReasoningApart ? (reasoning ?? 0) : 0),
    tokensCacheRead: cacheRead ?? null,
    tokensCacheWrite: cacheWrite ?? null,
    tokensReasoning: reasoning ?? null,
  }
}

interface ExclusiveParts {
  readonly isCacheApart: boolean
  readonly isReasoningApart: boolean
}

function detectExclusiveParts(reported: ReportedUsage, cache: number): ExclusiveParts {
  const { input = 0, output = 0, total, reasoning = 0 } = reported
  // A part larger than the whole cannot be within it.
  const cacheMust = cache > input
  const reasoningMust = reasoning > output
  const usual: ExclusiveParts = {
    isCacheApart: cacheMust || reported.cacheIsApart === true,
    isReasoningApart: reasoningMust || reported.reasoningIsApart === true,
  }
  if (total === undefined || (cache === 0 && reasoning === 0)) return usual
  // A total is proof, unless only an impossible way of counting adds up to it.
  const sumTokens = ({ isCacheApart, isReasoningApart }: ExclusiveParts) =>
    input + output + (isCacheApart ? cache : 0) + (isReasoningApart ? reasoning : 0)
  return (
    [usual, ...countingModes].find(
      (way) =>
        sumTokens(way) === total &&
        (way.isCacheApart || !cacheMust) &&
        (way.isReasoningApart || !reasoningMust),
    ) ?? usual
  )
}

const countingModes: readonly ExclusiveParts[] = [
  { isCacheApart: false, isReasoningApart: false },
  { isCacheApart: true, isReasoningApart: false },
  { isCacheApart: false, isReasoningApart: true },
  { isCacheApart: true, isReasoningApart: true },
]
