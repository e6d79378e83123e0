import { type AgentConfig, agentConfig } from '@assay/contract/agent-config.ts'
import type { RunExecution } from '@assay/contract/cost-runs.ts'
import { limits } from '@assay/contract/limits.ts'
import type { ExecutionRequest } from '@assay/contract/run-execution.ts'
import type { ScenarioSummary } from '@assay/contract/scenarios.ts'
import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import { getConfiguredModel } from '../../model-gateway/get-configured-model.ts'
import type { Models } from '../../model-gateway/models.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { OpenScoring, Scoring } from '../../simulation/scoring.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { CostRunLease } from '../../storage/accounts/cost-run-store.ts'
import type {
  CostResultRow,
  CostRunHead,
  CostRunRow,
} from '../../storage/accounts/cost-run-tables.ts'
import { parseExecution, resultPages, scenarioPages } from './serialize-run.ts'
import {
  noScenarios,
  runInProgress,
  runNotFound,
  scenarioNotFound,
  toApiScenario,
} from './stored-runs.ts'
import { type TakeLeasePorts, withLease } from './take-lease.ts'

/*
 * What an execution needs, and what it has to do: everything that can be refused is, before it changes results. What is
 * executed is read within the lease, so that neither an edit nor the end of a generation comes between.
 */

export interface PrepareExecutionPorts extends TakeLeasePorts {
  readonly models: Models
  readonly openScoring: OpenScoring
}

export interface Target {
  readonly organizationId: string
  readonly projectId: string
  readonly runId: string
}

export interface Prepared {
  readonly run: CostRunRow
  readonly agent: AgentConfig
  readonly lease: CostRunLease
  /** Scenarios before models, so that models have the same ones when an execution stops early. */
  readonly items: readonly Item[]
  /** Whether the requested scenarios have results that are kept. */
  readonly hasResults: boolean
  /** Of the simulated user, tools and judges: the same for all models. */
  readonly simulator: GatewayModel
  readonly models: readonly ConfiguredModel[]
  /** Undefined: nothing is scored. */
  readonly scoring: Scoring | undefined
}

export interface ConfiguredModel {
  readonly configId: string
  readonly model: GatewayModel
}

export interface Item extends ConfiguredModel {
  readonly scenario: ScenarioSummary
  /** Of an earlier execution: only its score is missing. */
  readonly earlier: CostResultRow | undefined
}

/** Starts the lease. */
export async function prepareExecution(
  { organizationId, projectId, runId }: Target,
  body: ExecutionRequest,
  ports: PrepareExecutionPorts,
): Promise<Prepared> {
  const found = await ports.accounts.costRuns.findHead(projectId, runId)
  if (found === undefined) throw runNotFound()
  const models = await findModels(organizationId, body.model_config_ids, ports.models)
  const collectionId = body.collection_id ?? null
  const scoring =
    collectionId === null ? undefined : await ports.openScoring(organizationId, collectionId)
  const simulator = await findSimulator(organizationId, found, models, ports.models)
  const execution: RunExecution = {
    ...{ model_config_ids: models.map(({ configId }) => configId), collection_id: collectionId },
    ...{ max_cost_usd: body.max_cost_usd ?? null, concurrency: body.concurrency },
  }
  const lease = { projectId, runId: found.id, executionId: newId() }
  return await withLease(lease, 'start', ports, async (run, retry) => {
    const prepared = { run, models, simulator, scoring, lease }
    const scenarios = await readScenarios(run, body.scenario_ids, ports.accounts.costRuns)
    if (scenarios.length === 0) throw noScenarios()
    const keepsScores = isComparable(run, execution)
    const work = await findWork(prepared, scenarios, keepsScores, ports.accounts.costRuns)
    await retry(() => start(lease, execution, keepsScores, ports))
    return { ...prepared, ...work }
  })
}

/** Whether scores of earlier results can stay. Means of those of another collection would not be comparable. */
function isComparable(run: CostRunRow, { collection_id: collectionId }: RunExecution): boolean {
  return collectionId === null || parseExecution(run.execution)?.collection_id === collectionId
}

/** Together, so that scores are never of another collection than that of the execution, also if the process is killed. */
async function start(
  lease: CostRunLease,
  execution: RunExecution,
  keepsScores: boolean,
  { accounts }: PrepareExecutionPorts,
): Promise<void> {
  const isHeld = await accounts.transaction(async ({ costRuns }) => {
    if (!(await costRuns.setExecution(lease, JSON.stringify(execution)))) return false
    if (!keepsScores) await costRuns.removeScores(lease.projectId, lease.runId)
    return true
  })
  if (!isHeld) throw runInProgress()
}

/** Results are read within the lease: nobody else adds any. */
async function findWork(
  { run, models, scoring }: Pick<Prepared, 'run' | 'models' | 'scoring'>,
  scenarios: readonly ScenarioSummary[],
  keepsScores: boolean,
  costRuns: Accounts['costRuns'],
): Promise<Pick<Prepared, 'agent' | 'items' | 'hasResults'>> {
  const { done, modelIds } = await readEarlier(run, costRuns, (stored) => {
    const result = keepsScores ? stored : { ...stored, score: null }
    const isScored = scoring === undefined || result.score !== null
    return { result, isComplete: isScored || result.trace_id === null }
  })
  checkModels(new Set([...modelIds, ...models.map(({ configId }) => configId)]))
  const items = scenarios.flatMap((scenario) =>
    models.flatMap((one) => {
      const earlier = done.get(toKey(scenario.id, one.configId))
      return earlier?.isComplete === true ? [] : { ...one, scenario, earlier: earlier?.result }
    }),
  )
  return {
    agent: agentConfig.parse(JSON.parse(run.agent_config)),
    items,
    hasResults: items.length < scenarios.length * models.length,
  }
}

async function findModels(
  organizationId: string,
  ids: readonly string[],
  models: Models,
): Promise<ConfiguredModel[]> {
  return await Promise.all(
    [...new Set(ids)].map(async (configId) => ({
      configId,
      model: await getConfiguredModel(organizationId, configId, models, 'model_config_ids'),
    })),
  )
}

/** The model that wrote the scenarios stays the same when others are compared. */
async function findSimulator(
  organizationId: string,
  { model_config_id: writerId }: CostRunHead,
  [first]: readonly ConfiguredModel[],
  models: Models,
): Promise<GatewayModel> {
  const writer =
    writerId === null ? undefined : await models.findConfigured(organizationId, writerId)
  const found = writer ?? first?.model
  if (found === undefined) throw new Error('an execution has at least one model')
  return found
}

async function readScenarios(
  run: CostRunRow,
  ids: readonly string[] | undefined,
  costRuns: Accounts['costRuns'],
): Promise<ScenarioSummary[]> {
  const requested = ids && new Set(ids)
  const found: ScenarioSummary[] = []
  for await (const rows of scenarioPages(run, costRuns)) {
    const included = rows.filter(({ id }) => requested === undefined || requested.delete(id))
    found.push(...included.map(toApiScenario))
  }
  if (requested !== undefined && requested.size > 0) throw scenarioNotFound()
  return found
}

const toKey = (scenarioId: string, configId: string) => `${scenarioId} ${configId}`

interface Finished {
  readonly result: CostResultRow
  readonly isComplete: boolean
}

function checkModels(ids: ReadonlySet<string>): void {
  const most = limits.modelsPerRun.value
  if (ids.size <= most) return
  const message = `A run can have results of at most ${most} models. Generate another run.`
  throw new Failure('CONFLICT', message, { details: { field: 'model_config_ids' } })
}

interface Earlier {
  /** By `toKey`. Without failed results, which are run again. */
  readonly done: ReadonlyMap<string, Finished>
  /** Of all results. */
  readonly modelIds: ReadonlySet<string>
}

async function readEarlier(
  run: CostRunRow,
  costRuns: Accounts['costRuns'],
  toFinished: (result: CostResultRow) => Finished,
): Promise<Earlier> {
  const done = new Map<string, Finished>()
  const modelIds = new Set<string>()
  for await (const rows of resultPages(run, costRuns)) {
    for (const result of rows) {
      modelIds.add(result.model_config_id)
      if (result.status === 'failed') continue
      const key = toKey(result.scenario_id, result.model_config_id)
      done.set(key, toFinished(result))
    }
  }
  return { done, modelIds }
}
