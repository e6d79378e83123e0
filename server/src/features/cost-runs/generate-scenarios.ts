import { type CostEstimate, defaultEstimateModels } from '@assay/contract/cost-calculator.ts'
import { limits } from '@assay/contract/limits.ts'
import type { GeneratedScenarios, ScenarioEvent } from '@assay/contract/scenarios.ts'
import { checkListLimit } from '../../accounts/list-limit.ts'
import { type EstimateAgentPorts, estimateAgent } from '../../cost-estimate/estimate-agent.ts'
import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { Requester } from '../../platform/requester.ts'
import type { Plan } from '../../scenarios/coverage.ts'
import { EveryCallFailed } from '../../scenarios/fill-by-model.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { CostRunLease } from '../../storage/accounts/cost-run-store.ts'
import type { CostRunRow } from '../../storage/accounts/cost-run-tables.ts'
import { openRetries, outageAtStartMs, waitBriefly } from './outage-retries.ts'
import { leaseTime } from './run-lease.ts'
import { noneWritten, type WriteScenariosPorts, writeScenarios } from './write-scenarios.ts'

/*
 * Creates a run and writes its scenarios.
 */

export interface GeneratePorts extends EstimateAgentPorts, WriteScenariosPorts {
  readonly accounts: Accounts
}

export interface Generation extends Plan {
  readonly organizationId: string
  readonly projectId: string
  readonly userId: string
  readonly requester: Requester
  readonly runId: string
  /** Undefined: without a model. */
  readonly model: GatewayModel | undefined
  readonly modelConfigId: string | null
  /** Why the model of the platform is not used, where there is one. */
  readonly notice: string | undefined
  readonly signal: AbortSignal
}

/** Returns the response. Throws a Failure with status 502 if the model fails all calls; no run is left then. */
export async function* generateScenarios(
  generation: Generation,
  ports: GeneratePorts,
): AsyncGenerator<ScenarioEvent, GeneratedScenarios> {
  const { projectId, runId, scenarioCount: total } = generation
  yield { type: 'started', run_id: runId, total }
  const estimate = await estimateRun(generation, ports)
  const lease = { projectId, runId, executionId: newId() }
  await createRun(generation, lease, estimate, ports)
  try {
    return yield* writeScenarios({ ...generation, lease, estimate, notices: [] }, ports)
  } catch (error) {
    if (!(error instanceof EveryCallFailed)) throw error
    await openRetries(ports)(() => removeRun(lease, ports))
    throw noneWritten(error)
  }
}

/** With its lease. When that fails, no run is left, unless the database is away for longer than retries wait. */
async function createRun(
  generation: Generation,
  lease: CostRunLease,
  estimate: CostEstimate,
  ports: GeneratePorts,
): Promise<void> {
  const inserting = { isDone: false }
  try {
    const retry = openRetries(ports, outageAtStartMs)
    await retry(() => insertRun({ ...generation, lease, estimate, inserting }, ports))
  } catch (error) {
    // Its transaction may have been committed.
    if (inserting.isDone) {
      await waitBriefly(openRetries(ports)(() => removeRun(lease, ports)))
    }
    throw error
  }
}

async function removeRun(lease: CostRunLease, { accounts }: GeneratePorts): Promise<void> {
  const { costRuns, clock } = accounts
  // A run with a lease is not removed.
  await costRuns.finish(lease, {})
  await costRuns.remove(lease.projectId, lease.runId, await clock.now())
}

interface Inserted extends Generation {
  readonly lease: CostRunLease
  readonly estimate: CostEstimate
  /** Whether a transaction has come to its end. */
  readonly inserting: { isDone: boolean }
}

/** Together with the limits of the project. */
async function insertRun(inserted: Inserted, { accounts }: GeneratePorts): Promise<void> {
  const { lease, estimate, inserting, ...generation } = inserted
  const { projectId, userId, runId, agent, model, scenarioCount } = generation
  const { now, until } = await leaseTime(accounts.clock)
  const row: CostRunRow = {
    ...{ id: runId, project_id: projectId, created_by: userId, status: 'draft' },
    ...{ generator: model === undefined ? 'offline' : 'model', scenario_count: scenarioCount },
    model_config_id: generation.modelConfigId,
    include_multi_turn: generation.includeMultiTurn ? 1 : 0,
    agent_excerpt: agent.system_prompt.slice(0, excerptLength).toWellFormed(),
    ...{ notices: '[]', execution: null, execution_id: lease.executionId, running_until: until },
    ...{ agent_nano_usd: 0, user_nano_usd: 0, tools_nano_usd: 0, judge_nano_usd: 0 },
    last_bill_id: null,
    ...{ is_canceled: 0, stopped_by: null, created_at: now, started_at: null, finished_at: null },
    ...{ agent_config: JSON.stringify(agent), estimate: JSON.stringify(estimate) },
  }
  await accounts.transaction(async ({ projects, costRuns }) => {
    await projects.lock(projectId)
    // By an attempt whose response was lost.
    if ((await costRuns.findHead(projectId, runId)) !== undefined) return
    await checkRoom(projectId, scenarioCount, costRuns)
    await costRuns.insert(row)
    inserting.isDone = true
  })
}

const excerptLength = 200

export async function checkRoom(
  projectId: string,
  scenarioCount: number,
  costRuns: Pick<Accounts['costRuns'], 'measure'>,
): Promise<void> {
  const stored = await costRuns.measure(projectId)
  checkListLimit(stored.runs, limits.costRunsPerProject, 'A project', 'Delete one first.')
  if (stored.scenarios + scenarioCount <= limits.scenariosPerProject.value) return
  const most = limits.scenariosPerProject.value.toLocaleString('en-US')
  throw new Failure('CONFLICT', `A project has at most ${most} scenarios. Delete a run first.`)
}

function estimateRun(generation: Generation, ports: GeneratePorts): Promise<CostEstimate> {
  const { agent, scenarioCount, includeMultiTurn } = generation
  const requested = { names: defaultEstimateModels }
  const plan = { agent, requested, caching: true, scenarioCount, includeMultiTurn }
  return estimateAgent(generation, plan, generation, ports)
}
