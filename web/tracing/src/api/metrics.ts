import { base } from '@assay/account/api/base.ts'
import { callWithMeta } from '@assay/contract/client.ts'
import { listMetrics, type Metric, type MetricSeries, readMetric } from '@assay/contract/metrics.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

const pagesMax = 10

export interface MetricNames {
  readonly metrics: readonly Metric[]
  /** There are more than were fetched. */
  readonly isCut: boolean
}

/** The metrics of a project by name, as many as a list searched in the browser can have. */
export function metricNamesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['metric-names', projectId],
    queryFn: async ({ signal }): Promise<MetricNames> => {
      const metrics: Metric[] = []
      let cursor: string | null | undefined
      for (let page = 0; page < pagesMax; page++) {
        const query = cursor === undefined || cursor === null ? {} : { cursor }
        const args = { params: { projectId }, query }
        const { data, meta } = await callWithMeta(base, listMetrics, args, { signal })
        metrics.push(...data)
        cursor = meta.cursor
        if (cursor === null) break
      }
      return { metrics, isCut: cursor !== null }
    },
    staleTime: 30_000,
  })
}

export interface MetricParams {
  readonly from: string
  readonly to: string
  /** In seconds. */
  readonly step: number
  readonly service?: string
  /** `key=value`, combined with AND. */
  readonly attribute: readonly string[]
}

export interface MetricResult {
  readonly series: readonly MetricSeries[]
  readonly from: string
  readonly to: string
  readonly step: number
  /** The number of series with points in the range, which may be more than are returned. */
  readonly total: number
}

/**
 * The series of a metric over time. `key` identifies the query; `paramsAt` resolves a relative time
 * range.
 */
export function metricQuery(
  projectId: string,
  name: string,
  key: unknown,
  paramsAt: (nowMs: number) => MetricParams,
) {
  return queryOptions({
    queryKey: ['metric', projectId, name, key],
    queryFn: async ({ signal }): Promise<MetricResult> => {
      const { attribute, ...rest } = paramsAt(Date.now())
      const args = { params: { projectId, name }, query: { ...rest, attribute: [...attribute] } }
      const { data, meta } = await callWithMeta(base, readMetric, args, { signal })
      return { series: data, ...meta }
    },
    placeholderData: (before, query) =>
      query?.queryKey[2] === name ? keepPreviousData(before) : undefined,
    refetchInterval: 60_000,
    structuralSharing: false,
  })
}
