import { limits } from '@assay/contract/limits.ts'
import type { Score as ApiScore } from '@assay/contract/scores.ts'
import { parseInstant } from '../../domain/instant.ts'
import { emptyObject } from '../../domain/json-text.ts'
import type { Score } from '../../domain/score.ts'
import { findBuiltInName } from '../../evaluators/built-in.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { nameId } from '../../platform/name-id.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { toApiScore } from './serialize-score.ts'

/*
 * The scores that people give.
 */

/** What a person thinks of a trace or a span. */
export interface PersonRating {
  readonly traceId: string
  /** Null for the whole trace. */
  readonly spanId: string | null
  readonly name: string
  readonly evaluatorId: string | null
  readonly score: number
  /** Default: whether the score is at least 0.5. */
  readonly passed: boolean | undefined
  readonly reasoning: string
}

interface Rater {
  readonly projectId: string
  readonly user: { readonly id: string; readonly name: string }
}

interface Ports {
  readonly telemetry: Pick<TelemetryStore, 'recordScores'>
  readonly clock: Clock
}

/** Replaces the earlier score of the same person and name. Throws CONFLICT when the person has too many on the trace. */
export async function recordPersonScore(
  { passed, score: value, ...rating }: PersonRating,
  { projectId, user }: Rater,
  { telemetry, clock }: Ports,
): Promise<ApiScore> {
  const at = parseInstant(clock.now().toISOString())
  const score: Score = {
    ...rating,
    ...{ id: personScoreId(user.id, rating), value, passed: passed ?? value >= 0.5 },
    ...{ runId: null, source: 'person', authorId: user.id, status: 'scored' },
    ...{ evalType: null, tokensIn: null, tokensOut: null, costUsd: null, latencyMs: null },
    ...{ details: emptyObject, createdAt: at, updatedAt: at },
  }
  const { missingTraceIds, fullTraceIds } = await telemetry.recordScores(projectId, [score])
  if (missingTraceIds.length > 0) throw traceNotFound()
  if (fullTraceIds.length > 0) {
    const most = `${limits.personScores.value.toLocaleString('en-US')} scores on a trace`
    throw new Failure('CONFLICT', `A person can have at most ${most}. Remove one of yours first.`)
  }
  return toApiScore(score, user.name)
}

/** The name of an evaluator may change. No name of a score has a control character. */
function personScoreId(
  userId: string,
  { spanId, name, evaluatorId }: Pick<Score, 'spanId' | 'name' | 'evaluatorId'>,
): string {
  if (spanId !== null) return nameId(userId, `span\n${name}\n${spanId}`)
  return nameId(userId, evaluatorId === null ? name : `evaluator\n${evaluatorId}`)
}

export async function getEvaluatorName(
  organizationId: string,
  id: string,
  accounts: Pick<Accounts, 'evaluators'>,
): Promise<string> {
  const name = await findEvaluatorName(organizationId, id, accounts)
  if (name === undefined) throw new Failure('NOT_FOUND', 'Evaluator not found.')
  return name
}

export async function findEvaluatorName(
  organizationId: string,
  id: string,
  { evaluators }: Pick<Accounts, 'evaluators'>,
): Promise<string | undefined> {
  return findBuiltInName(id) ?? (await evaluators.find(organizationId, id))?.name
}

export const traceNotFound = () => new Failure('NOT_FOUND', 'Trace not found.')
