import { base } from '@assay/account/api/base.ts'
import { callWithMeta } from '@assay/contract/client.ts'
import { type LogRecord, listLogs, severityNames } from '@assay/contract/logs.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'

/** From lowest to highest severity. */
export { severityNames }
export type SeverityName = (typeof severityNames)[number]

export interface LogsPage {
  readonly records: readonly LogRecord[]
  readonly nextCursor: string | null
}

export interface LogsOfTrace {
  readonly projectId: string
  readonly traceId: string
  /** Only the records of this span. */
  readonly spanId?: string
  /** The minimum severity. */
  readonly severity?: SeverityName
}

const limit = 200

/** The log records of a trace, newest first, page by page. An empty page may have a next one. */
export function traceLogsQuery({ projectId, traceId, spanId, severity }: LogsOfTrace) {
  return infiniteQueryOptions({
    queryKey: ['trace-logs', projectId, traceId, spanId, severity],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }): Promise<LogsPage> => {
      const query = {
        limit,
        trace_id: traceId,
        ...(spanId === undefined ? {} : { span_id: spanId }),
        ...(severity === undefined ? {} : { severity }),
        ...(cursor === undefined ? {} : { cursor }),
      }
      const { data, meta } = await callWithMeta(
        base,
        listLogs,
        { params: { projectId }, query },
        { signal },
      )
      return { records: data, nextCursor: meta.cursor }
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchOnWindowFocus: false,
  })
}
