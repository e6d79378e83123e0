import type { CostRunStatus, RunResultStatus, RunStop } from '@assay/contract/cost-runs.ts'
import type { ScenarioGenerator } from '@assay/contract/scenarios.ts'
import type { Timestamp } from './column-types.ts'

/*
 * The tables of stored runs of the cost calculator. JSON columns are as in the API. Money is in whole nanodollars, which
 * a double represents exactly up to nine million dollars.
 */

/** A run without its agent and its estimate, which are long. */
export interface CostRunHead extends CostRunBills {
  /** Sorts as text in the order of creation. */
  readonly id: string
  readonly project_id: string
  /** Null once the user is removed. */
  readonly created_by: string | null
  /** Still `running` after the end of the lease if the process was killed. */
  readonly status: CostRunStatus
  readonly generator: ScenarioGenerator
  /** The model that wrote the scenarios, if it was one of the organization. */
  readonly model_config_id: string | null
  readonly include_multi_turn: 0 | 1
  /** As requested. */
  readonly scenario_count: number
  readonly agent_excerpt: string
  /** A JSON list of sentences. */
  readonly notices: string
  /** The last execution as JSON; null if never executed. */
  readonly execution: string | null
  /** Null also while something is in progress, and if it was killed. */
  readonly stopped_by: RunStop | null
  /** Identifies the execution or generation that holds the lease. */
  readonly execution_id: string | null
  /** The end of the lease; null while nothing is in progress. */
  readonly running_until: Timestamp | null
  /** Whether somebody has requested the end of what holds the lease. */
  readonly is_canceled: 0 | 1
  readonly created_at: Timestamp
  readonly started_at: Timestamp | null
  readonly finished_at: Timestamp | null
}

export interface CostRunBills {
  readonly agent_nano_usd: number
  readonly user_nano_usd: number
  readonly tools_nano_usd: number
  readonly judge_nano_usd: number
}

export interface CostRunRow extends CostRunHead {
  /** Identifies the bill that was counted last, so that one whose response was lost can be sent again. */
  readonly last_bill_id: string | null
  readonly agent_config: string
  readonly estimate: string
}

export interface CostScenarioRow {
  readonly project_id: string
  readonly run_id: string
  /** From 0. */
  readonly position: number
  readonly id: string
  /** A `ScenarioSummary` without its id, as JSON. */
  readonly content: string
}

export interface CostResultRow {
  readonly project_id: string
  readonly run_id: string
  readonly scenario_id: string
  readonly model_config_id: string
  readonly trace_id: string | null
  readonly status: RunResultStatus
  readonly turns: number
  readonly tokens_in: number
  readonly tokens_out: number
  /** Of the agent; null if a price is unknown. */
  readonly cost_nano_usd: number | null
  readonly latency_ms: number
  readonly score: number | null
  readonly error: string | null
  readonly finished_at: Timestamp
}
