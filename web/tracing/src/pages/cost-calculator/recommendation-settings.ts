import { omitUndefined } from '@assay/account/routes/search-params.ts'
import { limits } from '@assay/contract/limits.ts'
import { defaultWeights } from '@assay/contract/recommendations.ts'
import { parseNumber } from '../../form/parse-number.ts'
import type { RunSearch } from './run-search.ts'

/*
 * What a recommendation weighs and what it excludes, in the URL. Limits are as typed, so that an incomplete one is kept.
 */

export const weightNames = ['quality', 'cost', 'latency'] as const
export type WeightName = (typeof weightNames)[number]

export const limitNames = ['max_cost', 'min_score', 'max_latency'] as const
export type LimitName = (typeof limitNames)[number]

const mostOf = {
  max_cost: limits.candidateAmount.value,
  min_score: 1,
  max_latency: 86_400,
} as const

/** From 0 to 100. */
export function readWeight(search: RunSearch, name: WeightName): number {
  const value = search[name]
  return value === undefined ? Math.round(100 * defaultWeights[name]) : Number(value)
}

/** What is wrong with the text of a limit; undefined for a valid or an empty one. */
export function limitError(name: LimitName, text: string): string | undefined {
  const value = parseNumber(text)
  if (value === null) return undefined
  if (Number.isNaN(value)) return 'Must be a number'
  if (value < 0) return 'Must be at least 0'
  const most = mostOf[name]
  return value > most ? `Must be at most ${most.toLocaleString('en-US')}` : undefined
}

export interface RecommendationSettings {
  readonly weights?: { readonly [Name in WeightName]: number }
  readonly constraints?: {
    readonly max_cost_usd?: number
    readonly min_score?: number
    readonly max_latency_ms?: number
  }
}

/** Undefined if nothing has a weight. */
export function readSettings(search: RunSearch): RecommendationSettings | undefined {
  const [quality, cost, latency] = weightNames.map((name) => readWeight(search, name))
  const weights = { quality: quality ?? 0, cost: cost ?? 0, latency: latency ?? 0 }
  if (weights.quality + weights.cost + weights.latency === 0) return undefined
  const limit = (name: LimitName) => {
    const text = search[name] ?? ''
    return limitError(name, text) === undefined ? (parseNumber(text) ?? undefined) : undefined
  }
  const seconds = limit('max_latency')
  const constraints = omitUndefined({
    max_cost_usd: limit('max_cost'),
    min_score: limit('min_score'),
    max_latency_ms: seconds === undefined ? undefined : 1000 * seconds,
  })
  return {
    ...(weightNames.some((name) => search[name] !== undefined) ? { weights } : {}),
    ...(Object.keys(constraints).length > 0 ? { constraints } : {}),
  }
}

/** `Quality 80, cost 15, latency 5`. */
export function formatWeights(search: RunSearch): string {
  const text = weightNames.map((name) => `${name} ${readWeight(search, name)}`).join(', ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** Removes all of them from the URL. */
export const noSettings = Object.fromEntries(
  [...weightNames, ...limitNames].map((name) => [name, undefined]),
)
