import { compareIds } from '../../../domain/id-order.ts'
import type { TraceTotals } from '../../../domain/trace-totals.ts'
import type { StatsFilters } from '../port/stats.ts'

/*
 * Traces that are equal in every dimension that stats can be filtered by are counted in one rollup, so that
 * stats for any filter are a sum of rollups.
 */

export interface RollupDimensions {
  readonly name: string
  readonly environment: string | null
  readonly service: string | null
  readonly tags: readonly string[]
  readonly models: readonly string[]
}

/** Tags, and models, of one trace. Further ones, in byte order, are left out. */
const valuesMax = 20

export function toRollupDimensions(totals: TraceTotals): RollupDimensions {
  return {
    name: totals.rootName,
    environment: totals.environment,
    service: totals.service,
    tags: limitValues(totals.tags),
    models: limitValues(totals.models),
  }
}

function limitValues(all: readonly string[]): readonly string[] {
  if (all.length < 2) return all
  return [...new Set(all)].sort(compareIds).slice(0, valuesMax)
}

/** The key of a rollup, equal for equal dimensions. Keys of rollups with tags do not start with `[[],`. */
export function rollupKey({ name, environment, service, tags, models }: RollupDimensions): string {
  return JSON.stringify([tags, models, name, environment, service])
}

/** The key of the calls of one model in a rollup. */
export function modelRollupKey(key: string, model: string): string {
  return JSON.stringify([key, model])
}

export function parseRollupKey(key: string): RollupDimensions {
  const [tags, models, name, environment, service] = JSON.parse(key)
  return { tags, models, name, environment, service }
}

export function parseModelRollupKey(key: string): {
  readonly dimensions: RollupDimensions
  readonly model: string
} {
  const [dimensions, model] = JSON.parse(key)
  return { dimensions: parseRollupKey(dimensions), model }
}

export function isRollupMatch(
  { name, environment, service, tags = [], model }: StatsFilters,
  dimensions: RollupDimensions,
): boolean {
  return (
    (name === undefined || dimensions.name === name) &&
    (environment === undefined || dimensions.environment === environment) &&
    (service === undefined || dimensions.service === service) &&
    (model === undefined || dimensions.models.includes(model)) &&
    tags.every((tag) => dimensions.tags.includes(tag))
  )
}
