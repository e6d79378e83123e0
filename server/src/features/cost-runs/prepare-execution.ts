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
import type { CostResultRow, CostRunRow } from '../../storage/accounts/cost-run-tables.ts'
import { leaseTime } from './run-lease.ts'
import { parseExecution, resultPages, scenarioPages } from './serialize-run.ts'
import {
  noScenarios,
  runInProgress,
  runNotFound,
  scenarioNotFound,
  toApiScenario,
} from './stored-runs.ts'

/*
 * What an execution needs, and what it has to do: everything that can be refused is, before it starts.
 */

export interface PrepareExecutionPorts {
  readonly accounts: Pick<Accounts, 'costRuns' | 'transaction'>
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
  const { costRuns } = ports.accounts
  const run = await costRuns.find(projectId, runId)
  if (run === undefined) throw runNotFound()
  const models = await findModels(organizationId, body.model_config_ids, ports.models)
  const collectionId = body.collection_id ?? null
  const scoring =
    collectionId === null ? undefined : await ports.openScoring(organizationId, collectionId)
  const simulator = await findSimulator(organizationId, run, models, ports.models)
  const execution: RunExecution = {
    ...{ model_config_ids: models.map(({ configId }) => configId), collection_id: collectionId },
    ...{ max_cost_usd: body.max_cost_usd ?? null, concurrency: body.concurrency },
  }
  const scenarios = await readScenarios(run, body.scenario_ids, costRuns)
  const lease = { projectId, runId: run.id, executionId: newId() }
  await start(lease, execution, ports)
  const prepared = { run, models, simulator, scoring, lease }
  try {
    if (scenarios.length === 0) throw noScenarios()
    return { ...prepared, ...(await findWork(prepared, scenarios, costRuns)) }
  } catch (error) {
    // Otherwise the run would be in progress until the lease expires.
    const { status, execution: last, notices, stopped_by, started_at, finished_at } = run
    const before = { status, execution: last, notices, stopped_by, started_at, finished_at }
    await costRuns.finish(lease, before)
    throw error
  }
}

/** Scores of another collection are removed: means of both would not be comparable. */
async function start(
  lease: CostRunLease,
  execution: RunExecution,
  { accounts }: PrepareExecutionPorts,
): Promise<void> {
  const { projectId, runId } = lease
  const { collection_id: collectionId } = execution
  await accounts.transaction(async ({ costRuns, clock }) => {
    const last = parseExecution((await costRuns.findHead(projectId, runId))?.execution ?? null)
    const started = { ...(await leaseTime(clock)), execution: JSON.stringify(execution) }
    if (!(await costRuns.start(lease, started))) throw runInProgress()
    if (collectionId === null || last?.collection_id === collectionId) return
    await costRuns.removeScores(projectId, runId)
  })
}

/** Results are read within the lease: nobody else adds any. */
async function findWork(
  { run, models, scoring }: Pick<Prepared, 'run' | 'models' | 'scoring'>,
  scenarios: readonly ScenarioSummary[],
  costRuns: Accounts['costRuns'],
): Promise<Pick<Prepared, 'agent' | 'items' | 'hasResults'>> {
  const { done, modelIds } = await readEarlier(run, costRuns, (result) => {
    const isScored = scoring === undefined || result.score !== null
    return isScored || result.trace_id === null
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
  { model_config_id: writerId }: CostRunRow,
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
  isComplete: (result: CostResultRow) => boolean,
): Promise<Earlier> {
  const done = new Map<string, Finished>()
  const modelIds = new Set<string>()
  for await (const rows of resultPages(run, costRuns)) {
    for (const result of rows) {
      modelIds.add(result.model_config_id)
      if (result.status === 'failed') continue
      const key = toKey(result.scenario_id, result.model_config_id)
      done.set(key, { result, isComplete: isComplete(result) })
    }
  }
  return { done, modelIds }
}
