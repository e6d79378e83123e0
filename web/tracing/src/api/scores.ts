import { base } from '@assay/account/api/base.ts'
import { call, callWithMeta } from '@assay/contract/client.ts'
import type { Args, DataOf } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  type DisagreementKind,
  listScoreDisagreements,
  readScoreAgreement,
} from '@assay/contract/score-agreement.ts'
import { listScores, putScore, readScoreStats, removeScore } from '@assay/contract/scores.ts'
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'

export type ScoreStats = DataOf<typeof readScoreStats>

/** By day, of the last 30 days. */
export function scoreStatsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['score-stats', projectId],
    queryFn: ({ signal }) =>
      call(base, readScoreStats, { params: { projectId }, query: {} }, { signal }),
  })
}

/** The scores that people gave a trace, newest first, page by page. */
export function peopleScoresQuery(projectId: string, traceId: string) {
  return infiniteQueryOptions({
    queryKey: ['people-scores', projectId, traceId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) => {
      const limit = limits.listPageMax.value
      const query = {
        source: 'person',
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      } as const
      return callWithMeta(base, listScores, { params: { projectId, traceId }, query }, { signal })
    },
    getNextPageParam: ({ meta }) => meta.cursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  })
}

export type ScoreBody = Args<typeof putScore>['body']

/** Gives a trace a score, or replaces the own one. */
export function usePutScore(projectId: string, traceId: string) {
  const onSettled = useInvalidateScores(projectId, traceId)
  return useMutation({
    mutationFn: (body: ScoreBody) => call(base, putScore, { params: { projectId, traceId }, body }),
    onSettled,
  })
}

export function useRemoveScore(projectId: string, traceId: string) {
  const onSettled = useInvalidateScores(projectId, traceId)
  return useMutation({
    mutationFn: (scoreId: string) =>
      call(base, removeScore, { params: { projectId, traceId, scoreId } }),
    onSettled,
  })
}

/** Waits for the scores of the trace only. */
export function useInvalidateScores(projectId: string, traceId: string): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => {
    for (const aggregate of ['score-stats', 'score-agreement', 'score-disagreements'])
      void queryClient.invalidateQueries({ queryKey: [aggregate, projectId] })
    const { queryKey } = peopleScoresQuery(projectId, traceId)
    return queryClient.invalidateQueries({ queryKey })
  }
}

export type EvaluatorAgreement = DataOf<typeof readScoreAgreement>['evaluators'][number]

/** Of the last 30 days. */
export function scoreAgreementQuery(projectId: string) {
  return queryOptions({
    queryKey: ['score-agreement', projectId],
    queryFn: ({ signal }) =>
      call(base, readScoreAgreement, { params: { projectId }, query: {} }, { signal }),
  })
}

export type Disagreement = DataOf<typeof listScoreDisagreements>[number]

/** The traces of the last 30 days on which an evaluator and people disagree, page by page. */
export function disagreementsQuery(projectId: string, evaluatorId: string, kind: DisagreementKind) {
  return infiniteQueryOptions({
    queryKey: ['score-disagreements', projectId, evaluatorId, kind],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { evaluator_id: evaluatorId, kind, ...(cursor === undefined ? {} : { cursor }) }
      return callWithMeta(
        base,
        listScoreDisagreements,
        { params: { projectId }, query },
        { signal },
      )
    },
    getNextPageParam: ({ meta }) => meta.cursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  })
}
