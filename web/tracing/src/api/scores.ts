import { call } from '@assay/contract/client.ts'
import type { DataOf } from '@assay/contract/endpoint.ts'
import { readScoreStats } from '@assay/contract/scores.ts'
import { queryOptions } from '@tanstack/react-query'
import { base } from './base.ts'

export type ScoreStats = DataOf<typeof readScoreStats>

/** By day, of the last 30 days. */
export function scoreStatsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['score-stats', projectId],
    queryFn: ({ signal }) =>
      call(base, readScoreStats, { params: { projectId }, query: {} }, { signal }),
  })
}
