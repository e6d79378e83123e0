import type { CostRunSummary, RunExecution } from '@assay/contract/cost-runs.ts'
import type { ScenarioSummary } from '@assay/contract/scenarios.ts'
import { Failure } from '../../platform/failure.ts'
import type { ScenarioContent } from '../../scenarios/scenario-text.ts'
import type { CostRunHead, CostScenarioRow } from '../../storage/accounts/cost-run-tables.ts'

/*
 * Stored runs in the form of the API, and back.
 */

export function toApiRun(row: CostRunHead, now: string): CostRunSummary {
  const execution = row.execution === null ? null : (JSON.parse(row.execution) as RunExecution)
  // The process of a lease that has ended was killed.
  const isLost = row.status === 'running' && (row.running_until ?? '') < now
  return {
    ...{ id: row.id, project_id: row.project_id, status: isLost ? 'partial' : row.status },
    ...{ generator: row.generator, scenario_count: row.scenario_count, execution },
    cost_usd: {
      agent: row.agent_nano_usd / nano,
      simulated_user: row.user_nano_usd / nano,
      simulated_tools: row.tools_nano_usd / nano,
      judge: row.judge_nano_usd / nano,
    },
    ...{ created_at: row.created_at, started_at: row.started_at, finished_at: row.finished_at },
    agent_excerpt: row.agent_excerpt,
  }
}

export const nano = 1e9

export function isRunning({ running_until: until }: CostRunHead, now: string): boolean {
  return until !== null && until >= now
}

export function toApiScenario({ id, content }: CostScenarioRow): ScenarioSummary {
  return { id, ...(JSON.parse(content) as ScenarioContent) }
}

export const runNotFound = () =>
  new Failure('NOT_FOUND', 'The run does not exist, or was deleted.', {
    details: { field: 'run_id' },
  })

export const scenarioNotFound = () =>
  new Failure('NOT_FOUND', 'The run has no such scenario.', { details: { field: 'scenario_id' } })

export const runIsRunning = () =>
  new Failure('CONFLICT', 'The run is running. Cancel it first, or wait until it has finished.')
