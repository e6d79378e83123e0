import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import { recommend } from '@assay/contract/recommendations.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

export type RecommendationBody = Args<typeof recommend>['body']

/** Needs at least two candidates. */
export function recommendationQuery(projectId: string, body: RecommendationBody) {
  return queryOptions({
    queryKey: ['recommendation', projectId, body],
    queryFn: ({ signal }) => call(base, recommend, { params: { projectId }, body }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
}
