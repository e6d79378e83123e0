import { type CostEstimate, defaultEstimateModels } from '@assay/contract/cost-calculator.ts'
import { limits } from '@assay/contract/limits.ts'
import type {
  GeneratedScenarios,
  ScenarioEvent,
  ScenarioSummary,
} from '@assay/contract/scenarios.ts'
import { checkListLimit } from '../../accounts/list-limit.ts'
import { type EstimateAgentPorts, estimateAgent } from '../../cost-estimate/estimate-agent.ts'
import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import { Failure } from '../../platform/failure.ts'
import { nameId } from '../../platform/name-id.ts'
import type { Requester } from '../../platform/requester.ts'
import { type Cell, type Plan, planCells } from '../../scenarios/coverage.ts'
import { EveryCallFailed, type Filled, fillByModel } from '../../scenarios/fill-by-model.ts'
import { openTemplates } from '../../scenarios/generate-offline.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { CostRunRow, CostScenarioRow } from '../../storage/accounts/cost-run-tables.ts'
import { openScenarioWriter, type ScenarioWriter, type WriterPorts } from './scenario-writer.ts'
import { runNotFound } from './stored-runs.ts'

/*
 * Creates a run and writes its scenarios. They are stored as they arrive, so that nothing is lost when the caller leaves.
 */

export interface GeneratePorts extends EstimateAgentPorts, WriterPorts {
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
  const { projectId, runId, scenarioCount: total, signal, model } = generation
  yield { type: 'started', run_id: runId, total }
  const estimate = await estimateRun(generation, ports)
  await createRun(generation, estimate, ports)
  yield { type: 'estimate', estimate }
  const deadline = Date.now() + limits.generationSeconds.value * 1000
  const task = { ...generation, deadline }
  const writer = model === undefined ? undefined : openScenarioWriter({ ...task, model }, ports)
  const scenarios: ScenarioSummary[] = []
  let done = 0
  const costUsd = () => writer?.costUsd() ?? 0
  try {
    for await (const batch of fill(task, planCells(generation), writer)) {
      signal.throwIfAborted()
      const rows = batch.map((one) => toRow(generation, one))
      await insertScenarios(rows, generation, ports)
      for (const [at, { content }] of batch.entries()) {
        const scenario = { id: rows[at]?.id ?? '', ...content }
        scenarios[rows[at]?.position ?? 0] = scenario
        yield { type: 'scenario', scenario }
      }
      done += batch.length
      yield { type: 'progress', done, total, cost_usd: costUsd() }
    }
  } catch (error) {
    if (!(error instanceof EveryCallFailed)) throw error
    await ports.accounts.costRuns.remove(projectId, runId, ports.clock.now().toISOString())
    throw new Failure('INTERNAL_ERROR', `The model wrote no scenarios: ${error.message}`, {
      status: 502,
    })
  }
  const generator = model === undefined ? 'offline' : 'model'
  const notices = noticesOf(generation, scenarios)
  return { run_id: runId, estimate, scenarios, generator, cost_usd: costUsd(), notices }
}

/** Throws NOT_FOUND if the run has been deleted in the meantime. */
async function insertScenarios(
  rows: readonly CostScenarioRow[],
  { projectId, runId }: Generation,
  { accounts: { costRuns } }: GeneratePorts,
): Promise<void> {
  try {
    await costRuns.insertScenarios(rows)
  } catch (error) {
    if ((await costRuns.findHead(projectId, runId)) === undefined) throw runNotFound()
    throw error
  }
}

/** Together with the limits of the project. */
async function createRun(
  generation: Generation,
  estimate: CostEstimate,
  { accounts, clock }: GeneratePorts,
): Promise<void> {
  const { projectId, userId, runId, agent, model, scenarioCount } = generation
  const row: CostRunRow = {
    ...{ id: runId, project_id: projectId, created_by: userId, status: 'draft' },
    ...{ generator: model === undefined ? 'offline' : 'model', scenario_count: scenarioCount },
    model_config_id: generation.modelConfigId,
    include_multi_turn: generation.includeMultiTurn ? 1 : 0,
    agent_excerpt: agent.system_prompt.slice(0, excerptLength).toWellFormed(),
    ...{ notices: '[]', execution: null, execution_id: null, running_until: null },
    ...{ agent_nano_usd: 0, user_nano_usd: 0, tools_nano_usd: 0, judge_nano_usd: 0 },
    ...{ created_at: clock.now().toISOString(), started_at: null, finished_at: null },
    ...{ agent_config: JSON.stringify(agent), estimate: JSON.stringify(estimate) },
  }
  await accounts.transaction(async ({ projects, costRuns }) => {
    await projects.lock(projectId)
    await checkRoom(projectId, scenarioCount, costRuns)
    await costRuns.insert(row)
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

interface FillTask extends Generation {
  readonly deadline: number
}

/** A call that begins later would hardly end in time. */
const callNeedsMs = 10_000
const perBatch = 20

async function* fill(
  { agent, signal, deadline }: FillTask,
  cells: readonly Cell[],
  writer: ScenarioWriter | undefined,
): AsyncGenerator<readonly Filled[]> {
  if (writer !== undefined) {
    const hasTime = () => Date.now() + callNeedsMs < deadline
    const callsAtOnce = limits.modelCallsOfOrganization.value
    const { write } = writer
    return yield* fillByModel(agent, cells, { write, hasTime, signal, callsAtOnce })
  }
  const write = openTemplates(agent)
  for (let at = 0; at < cells.length; at += perBatch) {
    yield cells.slice(at, at + perBatch).map((cell) => ({ cell, content: write(cell) }))
  }
}

function toRow({ projectId, runId }: Generation, { cell: { position }, content }: Filled) {
  return {
    ...{ project_id: projectId, run_id: runId, position },
    ...{ id: nameId(runId, String(position)), content: JSON.stringify(content) },
  }
}

function noticesOf({ model, notice }: Generation, scenarios: readonly ScenarioSummary[]): string[] {
  const ofTemplates = scenarios.filter(({ origin }) => origin === 'template').length
  const isMixed = model !== undefined && ofTemplates > 0
  return [
    ...(notice === undefined ? [] : [notice]),
    ...(isMixed
      ? [
          `${ofTemplates} of ${scenarios.length} scenarios are from templates: the model did not write them.`,
        ]
      : []),
  ]
}
