import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import { estimateCost } from '@assay/contract/cost-calculator.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import { queryOptions } from '@tanstack/react-query'

export type EstimateBody = Args<typeof estimateCost>['body']

/** The request is canceled when the body changes. Failed ones are repeated by the person, with the body corrected. */
export function costEstimateQuery(projectId: string, body: EstimateBody) {
  return queryOptions({
    queryKey: ['cost-estimate', projectId, body],
    queryFn: ({ signal }) => call(base, estimateCost, { params: { projectId }, body }, { signal }),
    retry: false,
    gcTime: 60_000,
  })
}
