import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import { extractAgent, listTraceRuns } from '@assay/contract/trace-runs.ts'
import { queryOptions } from '@tanstack/react-query'

/** The newest traces that an agent can be imported from. */
export function traceRunsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['trace-runs', projectId],
    queryFn: ({ signal }) => call(base, listTraceRuns, { params: { projectId } }, { signal }),
  })
}

/** The agent and its volumes, as the traces show them. */
export function extractionQuery(projectId: string, traceIds: readonly string[]) {
  return queryOptions({
    queryKey: ['agent-extraction', projectId, traceIds],
    queryFn: ({ signal }) => {
      const body = { trace_ids: [...traceIds] }
      return call(base, extractAgent, { params: { projectId }, body }, { signal })
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  })
}
