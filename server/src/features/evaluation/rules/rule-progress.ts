import { createHash } from 'node:crypto'
import type { EvaluationRule } from '@assay/contract/evaluation-rules.ts'
import { type Instant, parseInstant } from '../../../domain/instant.ts'
import type { Score } from '../../../domain/score.ts'
import { nameId } from '../../../platform/name-id.ts'
import type { Timestamp } from '../../../storage/accounts/column-types.ts'
import type {
  EvaluationRuleProgress,
  EvaluationRuleRow,
} from '../../../storage/accounts/evaluation-tables.ts'

/*
 * What an evaluation rule decides about a trace, and what it has done so far.
 */

/** Always the same for a rule and a trace, so that a restart decides the same. */
export function isSampled(ruleId: string, traceId: string, sampleRate: number): boolean {
  const hash = createHash('sha256').update(`${ruleId} ${traceId}`).digest()
  return hash.readUIntBE(0, 6) / 2 ** 48 < sampleRate
}

/** Of the run of a rule on a trace, of which there is at most one. */
export function ruleRunId(ruleId: string, traceId: string): string {
  return nameId(ruleId, traceId)
}

export function newRuleProgress(now: Timestamp): EvaluationRuleProgress {
  return {
    ...{ position: null, checked_until: null, last_evaluated_at: null, counted_day: dayOf(now) },
    ...{ evaluated_of_day: 0, skipped_of_day: 0, cost_usd_of_day: 0 },
    ...{ evaluated_total: 0, skipped_total: 0, cost_usd_total: 0 },
  }
}

export interface TraceOutcome {
  readonly evaluated?: number
  readonly skipped?: number
  readonly costUsd?: number
}

/** Of the traces up to a position. */
export interface RuleOutcome extends TraceOutcome {
  readonly position: string
  readonly settledAt: Instant
}

export function addOutcome(
  row: EvaluationRuleRow,
  { position, settledAt, evaluated = 0, skipped = 0, costUsd = 0 }: RuleOutcome,
  now: Timestamp,
): EvaluationRuleProgress {
  const today = countsOfDay(row, now)
  return {
    ...{ position, checked_until: new Date(Number(settledAt / 1_000_000n)).toISOString() },
    last_evaluated_at: evaluated > 0 ? now : row.last_evaluated_at,
    counted_day: countedDay(row, now),
    evaluated_of_day: today.evaluated + evaluated,
    skipped_of_day: today.skipped + skipped,
    cost_usd_of_day: today.costUsd + costUsd,
    evaluated_total: row.evaluated_total + evaluated,
    skipped_total: row.skipped_total + skipped,
    cost_usd_total: row.cost_usd_total + costUsd,
  }
}

/** What an attempt has cost that is repeated. The position stays. */
export function addCost(
  row: EvaluationRuleRow,
  costUsd: number,
  now: Timestamp,
): Partial<EvaluationRuleProgress> {
  const today = countsOfDay(row, now)
  return {
    counted_day: countedDay(row, now),
    ...{ evaluated_of_day: today.evaluated, skipped_of_day: today.skipped },
    cost_usd_of_day: today.costUsd + costUsd,
    cost_usd_total: row.cost_usd_total + costUsd,
  }
}

/**
 * What an evaluation has cost whose results wait until they can be stored. The position stays. It is the last evaluation,
 * so that `countStored` does not count the cost again if they turn out to be stored.
 */
export function addWaiting(
  row: EvaluationRuleRow,
  costUsd: number,
  now: Timestamp,
): Partial<EvaluationRuleProgress> {
  return { ...addCost(row, costUsd, now), last_evaluated_at: now }
}

/**
 * What the results of a trace that are stored add to the counts of a rule: nothing if they were counted, and no cost if
 * that was. `evaluatedAt`: when the rule had last evaluated another trace.
 */
export function countStored(
  scores: readonly Score[],
  row: EvaluationRuleRow,
  evaluatedAt: Timestamp | null,
): TraceOutcome {
  if (!scores.some((score) => isCreatedAfter(evaluatedAt, score))) return {}
  const uncounted = scores.filter((score) => isCreatedAfter(row.last_evaluated_at, score))
  return { evaluated: 1, costUsd: uncounted.reduce((sum, one) => sum + (one.costUsd ?? 0), 0) }
}

function isCreatedAfter(at: Timestamp | null, { createdAt }: Score): boolean {
  return at === null || createdAt > parseInstant(at)
}

export function countsOfDay(row: EvaluationRuleRow, now: Timestamp) {
  if (row.counted_day !== countedDay(row, now)) return { evaluated: 0, skipped: 0, costUsd: 0 }
  return {
    evaluated: row.evaluated_of_day,
    skipped: row.skipped_of_day,
    costUsd: row.cost_usd_of_day,
  }
}

/** The next day counts as the current one: a clock that steps back over midnight does not start a day again. */
function countedDay({ counted_day }: EvaluationRuleRow, now: Timestamp): string {
  const nextDay = dayOf(new Date(Date.parse(now) + dayMs).toISOString())
  return counted_day === nextDay ? nextDay : dayOf(now)
}

const dayMs = 24 * 60 * 60 * 1000

function dayOf(at: Timestamp): string {
  return at.slice(0, 10)
}

/** `problem`: why it is stopped. `usesModel`: whether it can cost anything. */
export function toApiRule(
  row: EvaluationRuleRow,
  { problem, usesModel }: { readonly problem: string | null; readonly usesModel: boolean },
  now: Timestamp,
): EvaluationRule {
  const today = countsOfDay(row, now)
  const isCostReached = usesModel && today.costUsd >= row.max_cost_usd_per_day
  const enabledStatus =
    problem !== null ? 'stopped' : isCostReached ? 'daily_cost_reached' : 'active'
  return {
    ...{ id: row.id, project_id: row.project_id, name: row.name, is_enabled: row.is_enabled === 1 },
    filters: JSON.parse(row.filters) as EvaluationRule['filters'],
    sample_rate: row.sample_rate,
    ...{ collection_id: row.collection_id, model_config_id: row.model_config_id },
    max_cost_usd_per_day: row.max_cost_usd_per_day,
    state: {
      status: row.is_enabled === 1 ? enabledStatus : 'disabled',
      ...{ problem, since: row.active_since, checked_until: row.checked_until },
      last_evaluated_at: row.last_evaluated_at,
      ...{ evaluated_today: today.evaluated, evaluated_total: row.evaluated_total },
      ...{ skipped_today: today.skipped, skipped_total: row.skipped_total },
      ...{ cost_usd_today: today.costUsd, cost_usd_total: row.cost_usd_total },
    },
    ...{ created_by: row.created_by, created_at: row.created_at, updated_at: row.updated_at },
  }
}
