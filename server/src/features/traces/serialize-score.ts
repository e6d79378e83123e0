import type { Score as ApiScore } from '@assay/contract/scores.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { Score } from '../../domain/score.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'

export function toApiScore(score: Score, authorName: string | null): ApiScore {
  const { id, traceId, spanId, name, source, authorId, evaluatorId, runId, status } = score
  return {
    ...{ id, trace_id: traceId, span_id: spanId, name, source },
    ...{ author_id: authorId, author_name: authorName },
    ...{ evaluator_id: evaluatorId, run_id: runId, status },
    ...{ score: score.value, passed: score.passed, reasoning: score.reasoning },
    created_at: formatInstant(score.createdAt),
    updated_at: formatInstant(score.updatedAt),
  }
}

/** Serializes some of these scores, with the names of their authors. */
export async function openScoreSerializer(
  scores: readonly Score[],
  { users }: Pick<Accounts, 'users'>,
): Promise<(score: Score) => ApiScore> {
  const ids = [...new Set(scores.flatMap(({ authorId }) => authorId ?? []))]
  const names = new Map((await users.listNames(ids)).map(({ id, name }) => [id, name]))
  return (score) => toApiScore(score, names.get(score.authorId ?? '') ?? null)
}
