import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import { readStats } from '@assay/contract/stats.ts'
import { queryOptions } from '@tanstack/react-query'

/** Stats of the last thirty days: names, environments and models, the most used first. */
export function statsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['stats', projectId],
    queryFn: ({ signal }) =>
      call(base, readStats, { params: { projectId }, query: { bucket: 'day' } }, { signal }),
    staleTime: 300_000,
  })
}
