import { base } from '@assay/account/api/base.ts'
import { call, callWithMeta } from '@assay/contract/client.ts'
import {
  cancelCostRun,
  listCostRuns,
  readCostRun,
  removeCostRun,
  updateScenario,
} from '@assay/contract/cost-runs.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import { generateScenarios } from '@assay/contract/scenarios.ts'
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'

const runsKey = (projectId: string) => ['cost-runs', projectId] as const

/** Newest first, page by page. */
export function costRunsQuery(projectId: string) {
  return infiniteQueryOptions({
    queryKey: [...runsKey(projectId), 'list'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === undefined ? {} : { cursor: pageParam }
      return callWithMeta(base, listCostRuns, { params: { projectId }, query }, { signal })
    },
    getNextPageParam: ({ meta }) => meta.cursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  })
}

/** While another tab or person executes the run, or has its scenarios written. */
const refetchMs = 3000

export function costRunQuery(projectId: string, runId: string) {
  return queryOptions({
    queryKey: [...runsKey(projectId), 'run', runId],
    queryFn: ({ signal }) => call(base, readCostRun, { params: { projectId, runId } }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.status === 'running' || data?.is_generating === true ? refetchMs : false,
    // A run has up to 8,000 results.
    structuralSharing: false,
  })
}

export type ScenarioChange = Args<typeof updateScenario>['body']

export function useUpdateScenario(projectId: string, runId: string) {
  const refresh = useRefreshRuns(projectId)
  return useMutation({
    mutationFn: ({ scenarioId, body }: { scenarioId: string; body: ScenarioChange }) =>
      call(base, updateScenario, { params: { projectId, runId, scenarioId }, body }),
    ...refresh,
  })
}

export type GenerateBody = Args<typeof generateScenarios>['body']

/** Writes one scenario again. */
export function useRegenerateScenario(projectId: string) {
  const refresh = useRefreshRuns(projectId)
  return useMutation({
    mutationFn: (body: GenerateBody) =>
      call(base, generateScenarios, { params: { projectId }, body }),
    ...refresh,
  })
}

/** Ends an execution or a generation, whoever has started it. */
export function useCancelRun(projectId: string) {
  const onSettled = useInvalidateRuns(projectId)
  return useMutation({
    mutationFn: (runId: string) => call(base, cancelCostRun, { params: { projectId, runId } }),
    onSettled,
  })
}

export function useRemoveRun(projectId: string) {
  const refresh = useRefreshRuns(projectId)
  return useMutation({
    mutationFn: (runId: string) => call(base, removeCostRun, { params: { projectId, runId } }),
    ...refresh,
  })
}

/** A refusal is shown at once, also where the refetch has to wait for the service. */
function useRefreshRuns(projectId: string) {
  const invalidate = useInvalidateRuns(projectId)
  return { onSuccess: invalidate, onError: () => void invalidate() }
}

export function useInvalidateRuns(projectId: string): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: runsKey(projectId) })
}
