import type { StatsFilters as ApiStatsFilters } from '@assay/contract/stats.ts'
import type { StatsFilters } from './stats.ts'

/** The filters of the API as those of the port. */
export function toStatsFilters(requested: ApiStatsFilters): StatsFilters {
  const { mode, name, environment, service, model, tag } = requested
  return {
    ...(mode !== undefined && { mode }),
    ...(name !== undefined && { name }),
    ...(environment !== undefined && { environment }),
    ...(service !== undefined && { service }),
    ...(model !== undefined && { model }),
    ...(tag !== undefined && { tags: [tag].flat() }),
  }
}
