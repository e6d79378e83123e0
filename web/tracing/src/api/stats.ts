import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import type { DataOf } from '@assay/contract/endpoint.ts'
import { readStats } from '@assay/contract/stats.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

export type Stats = DataOf<typeof readStats>
export type StatsBucket = Stats['bucket']

export interface StatsParams {
  readonly from?: string
  readonly to?: string
  readonly bucket?: StatsBucket
  readonly name?: string
  readonly environment?: string
  readonly model?: string
  readonly tag?: string
  readonly mode?: 'live' | 'simulation'
}

/** The stats of a project. `key` identifies the query; `paramsAt` resolves a relative time range. */
export function statsQuery(
  projectId: string,
  key: unknown,
  paramsAt: (nowMs: number) => StatsParams,
) {
  return queryOptions({
    queryKey: ['stats', projectId, key],
    queryFn: ({ signal }) =>
      call(base, readStats, { params: { projectId }, query: paramsAt(Date.now()) }, { signal }),
    placeholderData: keepPreviousData,
  })
}
