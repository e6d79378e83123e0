import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import type { DataOf } from '@assay/contract/endpoint.ts'
import { readHistogram } from '@assay/contract/stats.ts'
import type { TraceFilters } from '@assay/contract/traces.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

export type Histogram = DataOf<typeof readHistogram>

/** Traces over time. `key` identifies the filters; `filtersAt` resolves a relative time range. */
export function histogramQuery(
  projectId: string,
  key: unknown,
  filtersAt: (nowMs: number) => TraceFilters,
) {
  return queryOptions({
    queryKey: ['histogram', projectId, key],
    queryFn: ({ signal }) => {
      const query = { ...filtersAt(Date.now()), buckets: 80 }
      return call(base, readHistogram, { params: { projectId }, query }, { signal })
    },
    placeholderData: keepPreviousData,
    staleTime: 3_000,
  })
}
