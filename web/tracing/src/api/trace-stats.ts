import { call } from '@assay/contract/client.ts'
import { readStats } from '@assay/contract/stats.ts'
import { queryOptions } from '@tanstack/react-query'
import { base } from './base.ts'

/** Figures of the last thirty days: what names, environments and models there are, the most used first. */
export function statsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['stats', projectId],
    queryFn: ({ signal }) =>
      call(base, readStats, { params: { projectId }, query: { bucket: 'day' } }, { signal }),
    staleTime: 300_000,
  })
}
