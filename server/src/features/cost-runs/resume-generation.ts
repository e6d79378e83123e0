import { agentConfig } from '@assay/contract/agent-config.ts'
import type { CostEstimate } from '@assay/contract/cost-calculator.ts'
import type { GeneratedScenarios, ScenarioEvent } from '@assay/contract/scenarios.ts'
import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import { newId } from '../../platform/ids.ts'
import type { Requester } from '../../platform/requester.ts'
import { EveryCallFailed } from '../../scenarios/fill-by-model.ts'
import type { CostRunRow } from '../../storage/accounts/cost-run-tables.ts'
import { findWriter } from './scenario-writer.ts'
import { isInProgress } from './serialize-run.ts'
import { runInProgress, runNotFound } from './stored-runs.ts'
import { withLease } from './take-lease.ts'
import { noneWritten, type WriteScenariosPorts, writeScenarios } from './write-scenarios.ts'

/*
 * Writes the scenarios that a run lacks. The plan of a run does not change, so those that it has stay where they are.
 */

export interface Resumption {
  readonly organizationId: string
  readonly run: CostRunRow
  /** Undefined: without a model. */
  readonly model: GatewayModel | undefined
  readonly notice: string | undefined
  readonly missing: number
  readonly requester: Requester
  readonly signal: AbortSignal
}

/** Throws a Failure if the run, or the model that wrote its scenarios, does not exist, and while it is in progress. */
export async function findResumable(
  organizationId: string,
  projectId: string,
  runId: string,
  ports: WriteScenariosPorts,
): Promise<Omit<Resumption, 'requester' | 'signal'>> {
  const { costRuns, clock } = ports.accounts
  const run = await costRuns.find(projectId, runId)
  if (run === undefined) throw runNotFound()
  if (isInProgress(run, await clock.now())) throw runInProgress()
  const writer =
    run.generator === 'model'
      ? await findWriter(organizationId, run.model_config_id, ports)
      : undefined
  const missing = run.scenario_count - (await costRuns.countScenarios(projectId, runId))
  const model = writer !== undefined && 'model' in writer ? writer.model : undefined
  const notice = writer !== undefined && 'unavailable' in writer ? writer.unavailable : undefined
  return { organizationId, run, model, notice, missing }
}

/** Returns those that were missing. Throws a Failure if it is in progress again or was deleted, and with status 502 if the model fails all calls. */
export async function* resumeGeneration(
  { run: found, missing, ...resumption }: Resumption,
  ports: WriteScenariosPorts,
): AsyncGenerator<ScenarioEvent, GeneratedScenarios> {
  const { id: runId, project_id: projectId } = found
  yield { type: 'started', run_id: runId, total: missing }
  const lease = { projectId, runId, executionId: newId() }
  // As it is within the lease: an execution may have added notices since.
  const run = await withLease(lease, 'startGeneration', ports, (before) => Promise.resolve(before))
  try {
    return yield* writeScenarios(
      {
        ...{ ...resumption, projectId, runId, lease },
        agent: agentConfig.parse(JSON.parse(run.agent_config)),
        estimate: JSON.parse(run.estimate) as CostEstimate,
        scenarioCount: run.scenario_count,
        includeMultiTurn: run.include_multi_turn === 1,
        notices: JSON.parse(run.notices) as string[],
      },
      ports,
    )
  } catch (error) {
    if (!(error instanceof EveryCallFailed)) throw error
    throw noneWritten(error)
  }
}
