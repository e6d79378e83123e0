import { call } from '@assay/contract/client.ts'
import { type Candidate, recommend } from '@assay/contract/recommendations.ts'
import { queryOptions } from '@tanstack/react-query'
import { base } from './base.ts'

/** Needs at least two candidates. */
export function recommendationQuery(projectId: string, candidates: readonly Candidate[]) {
  return queryOptions({
    queryKey: ['recommendation', projectId, candidates],
    queryFn: ({ signal }) => {
      const body = { candidates: [...candidates] }
      return call(base, recommend, { params: { projectId }, body }, { signal })
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
}
