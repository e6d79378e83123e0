import type { Flag, Timestamp } from './column-types.ts'

/*
 * Evaluators, their collections, and rules that evaluate new traces.
 */

/** An evaluator of an organization; those built in are code. */
export interface EvaluatorRow {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly category: string
  readonly description: string
  /** A JSON list of texts. */
  readonly tags: string
  readonly prompt_template: string
  readonly threshold: number
  readonly created_at: Timestamp
}

/** A list of evaluators of an organization; those built in are code. */
export interface EvaluatorCollectionRow {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly description: string
  readonly created_at: Timestamp
}

export interface CollectedEvaluatorRow {
  readonly organization_id: string
  readonly collection_id: string
  /** From 0. */
  readonly position: number
  /** Of a row in `evaluators`, or of one built in. */
  readonly evaluator_id: string
}

/** Evaluates new traces of a project. The collection and the model may have been deleted since. */
export interface EvaluationRuleRow extends EvaluationRuleProgress {
  readonly id: string
  readonly organization_id: string
  readonly project_id: string
  readonly name: string
  readonly is_enabled: Flag
  /** JSON, as in the API. */
  readonly filters: string
  readonly sample_rate: number
  readonly collection_id: string
  readonly model_config_id: string | null
  readonly max_cost_usd_per_day: number
  readonly created_by: string | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  /** Traces that arrived before are not evaluated. */
  readonly active_since: Timestamp
}

export interface EvaluationRuleProgress {
  /** In the settled traces of the project: all up to it are decided. Null before the first. */
  readonly position: string | null
  readonly checked_until: Timestamp | null
  readonly last_evaluated_at: Timestamp | null
  /** The date in UTC that the counts of the day are of. */
  readonly counted_day: string
  readonly evaluated_of_day: number
  readonly skipped_of_day: number
  readonly cost_usd_of_day: number
  readonly evaluated_total: number
  readonly skipped_total: number
  readonly cost_usd_total: number
}
