import type { CostRunSummary } from '@assay/contract/cost-runs.ts'
import type { ScenarioSummary } from '@assay/contract/scenarios.ts'
import { Failure } from '../../platform/failure.ts'
import type { ScenarioContent } from '../../scenarios/scenario-text.ts'
import type { CostRunHead, CostScenarioRow } from '../../storage/accounts/cost-run-tables.ts'
import { toApiHead } from './serialize-run.ts'

/*
 * Stored runs in the form of the API, and back.
 */

export function toApiRun(row: CostRunHead, now: string): CostRunSummary {
  return { ...toApiHead(row, now), agent_excerpt: row.agent_excerpt }
}

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
