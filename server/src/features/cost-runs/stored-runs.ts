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

export function toApiScenario({ id, content }: CostScenarioRow): ScenarioSummary {
  return { id, ...(JSON.parse(content) as ScenarioContent) }
}

export const runNotFound = () =>
  new Failure('NOT_FOUND', 'Run not found.', { details: { field: 'run_id' } })

export const scenarioNotFound = () =>
  new Failure('NOT_FOUND', 'The run has no such scenario.', { details: { field: 'scenario_id' } })

export const noScenarios = () =>
  new Failure('CONFLICT', 'The run has no scenarios. Resume its generation first.')

export const notInProgress = () => new Failure('CONFLICT', 'The run has already finished.')

export const runInProgress = () =>
  new Failure('CONFLICT', 'The run is in progress. Cancel it first, or wait until it has finished.')
