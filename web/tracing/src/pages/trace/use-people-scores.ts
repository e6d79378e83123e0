import { sessionQuery } from '@assay/account/api/session.ts'
import type { Score } from '@assay/contract/scores.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { peopleScoresQuery } from '../../api/scores.ts'
import { useProject } from '../../shell/use-project.ts'
import type { ScoreTarget } from './score-values.ts'

/** The scores that people gave a trace, and the dialogs that change the own ones. */
export function usePeopleScores(projectId: string, traceId: string) {
  const current = useProject()
  const query = useInfiniteQuery(peopleScoresQuery(projectId, traceId))
  const { data: session } = useQuery(sessionQuery)
  const editing = useDialog<ScoreTarget>()
  const removing = useDialog<Score>()
  const canScore = current.can('run_agents') || current.can('manage_agents')
  const isOwn = ({ author_id }: Score) => author_id === session?.user.id
  return {
    ...{ projectId, traceId, query, scores: query.data ?? [], canScore, isOwn, editing, removing },
    /** The actions of a score, if it is the own one. */
    actionsOf: (score: Score) =>
      canScore && isOwn(score)
        ? {
            onEdit: () =>
              editing.open({
                ...{ evaluatorId: score.evaluator_id, name: score.name, score },
                ...(score.span_id !== null && { spanId: score.span_id }),
              }),
            onRemove: () => removing.open(score),
          }
        : {},
  }
}

export type PeopleScores = ReturnType<typeof usePeopleScores>
