import { base } from '@assay/account/api/base.ts'
import { callWithMeta } from '@assay/contract/client.ts'
import { type LogRecord, listLogs, type logFilters } from '@assay/contract/logs.ts'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { z } from 'zod'

export type LogFilters = z.output<typeof logFilters>

export interface LogsPage {
  readonly logs: readonly LogRecord[]
  readonly nextCursor: string | null
  /** The filters of this page, with a fixed time range. */
  readonly filters: LogFilters
}

interface PagePosition {
  readonly cursor?: string
  /** The first page fixes the filters, so that a relative time range does not slide between pages. */
  readonly filters?: LogFilters
}

const first: PagePosition = {}

/**
 * Log records, newest first, page by page. `key` identifies the filters; `filtersAt` resolves a relative
 * time range.
 */
export function logsQuery(
  projectId: string,
  key: unknown,
  filtersAt: (nowMs: number) => LogFilters,
) {
  return infiniteQueryOptions({
    queryKey: ['logs', projectId, key],
    initialPageParam: first,
    queryFn: async ({ pageParam, signal }): Promise<LogsPage> => {
      const filters = pageParam.filters ?? filtersAt(Date.now())
      const { cursor } = pageParam
      const query = { ...filters, limit: 200, ...(cursor === undefined ? {} : { cursor }) }
      const args = { params: { projectId }, query }
      const { data, meta } = await callWithMeta(base, listLogs, args, { signal })
      return { logs: data, nextCursor: meta.cursor, filters }
    },
    getNextPageParam: ({ nextCursor, filters }): PagePosition | undefined =>
      nextCursor === null ? undefined : { cursor: nextCursor, filters },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    // Bodies may be large: structural comparison would cost more than it saves.
    structuralSharing: false,
  })
}
