import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CostEstimate } from '@assay/contract/cost-calculator.ts'
import type { RunStop } from '@assay/contract/cost-runs.ts'
import { limits } from '@assay/contract/limits.ts'
import type {
  GeneratedScenarios,
  ScenarioEvent,
  ScenarioSummary,
} from '@assay/contract/scenarios.ts'
import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import { Failure } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import { nameId } from '../../platform/name-id.ts'
import type { Requester } from '../../platform/requester.ts'
import { type Cell, type Plan, planCells } from '../../scenarios/coverage.ts'
import {
  type EarlierTexts,
  EveryCallFailed,
  type Filled,
  fillByModel,
} from '../../scenarios/fill-by-model.ts'
import { openTemplates, wordsOf } from '../../scenarios/generate-offline.ts'
import { openSeenTexts } from '../../scenarios/similarity.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { CostRunLease } from '../../storage/accounts/cost-run-store.ts'
import type { CostScenarioRow } from '../../storage/accounts/cost-run-tables.ts'
import { openRetries } from './outage-retries.ts'
import { keepLease } from './run-lease.ts'
import { mergeNotices, toStop } from './run-outcome.ts'
import { openScenarioWriter, type ScenarioWriter, type WriterPorts } from './scenario-writer.ts'
import { scenarioPages } from './serialize-run.ts'
import { runInProgress, runNotFound, toApiScenario } from './stored-runs.ts'

/*
 * Writes the scenarios of a run, all or those that it lacks. They are stored as they arrive, so that nothing is lost when
 * the caller leaves, somebody cancels or the process is killed.
 */

export interface WriteScenariosPorts extends WriterPorts {
  readonly accounts: Accounts
  readonly log: Log
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal
}

export interface Writing extends Plan {
  readonly organizationId: string
  readonly projectId: string
  readonly requester: Requester
  readonly runId: string
  readonly lease: CostRunLease
  readonly estimate: CostEstimate
  /** Undefined: without a model. */
  readonly model: GatewayModel | undefined
  /** Of the run. */
  readonly notices: readonly string[]
  /** Why the model of the platform is not used, where there is one. */
  readonly notice: string | undefined
  readonly signal: AbortSignal
}

/** Ends the lease however it ends. When somebody cancels or the service stops, returns what is written. Throws EveryCallFailed. */
export async function* writeScenarios(
  writing: Writing,
  ports: WriteScenariosPorts,
): AsyncGenerator<ScenarioEvent, GeneratedScenarios> {
  const { runId, model, estimate } = writing
  const { costRuns } = ports.accounts
  const lease = keepLease(writing.lease, ports)
  const retry = openRetries(ports)
  /** By position. */
  const written: ScenarioSummary[] = []
  const ending = AbortSignal.any([lease.signal, ports.stopping])
  const signal = AbortSignal.any([writing.signal, ending])
  const deadline = ports.clock.now().getTime() + limits.generationSeconds.value * 1000
  const timed = { ...writing, signal, deadline }
  const writer = model === undefined ? undefined : openScenarioWriter({ ...timed, model }, ports)
  const task = { ...timed, writer }
  const costUsd = () => writer?.costUsd() ?? 0
  let done = 0
  let toWrite = writing.scenarioCount
  let failure: unknown
  let stop: RunStop | undefined
  let notices: string[] = []
  try {
    yield { type: 'estimate', estimate }
    const earlier = await readEarlier(writing, ports)
    const cells = planCells(writing).filter(({ position }) => !earlier.positions.has(position))
    toWrite = cells.length
    for await (const batch of fill({ ...task, cells, earlier }, ports)) {
      signal.throwIfAborted()
      const rows = batch.map((one) => toRow(writing, one))
      await retry(() => insertScenarios(rows, writing, ports))
      for (const [at, { content }] of batch.entries()) {
        const scenario = { id: rows[at]?.id ?? '', ...content }
        written[rows[at]?.position ?? 0] = scenario
        yield { type: 'scenario', scenario }
      }
      done += batch.length
      yield { type: 'progress', done, total: toWrite, cost_usd: costUsd() }
    }
  } catch (error) {
    if (!ending.aborted || error !== ending.reason) {
      failure = error
      throw error
    }
  } finally {
    // Also when nobody reads on.
    lease.end()
    const why = {
      ...{ canceled: lease.isCanceled(), service_stopped: ports.stopping.aborted },
      ...{ disconnected: writing.signal.aborted, model_failed: failure instanceof EveryCallFailed },
      error: failure !== undefined || lease.signal.aborted,
    }
    stop = done < toWrite ? toStop(why) : undefined
    notices = listNotices(writing, Object.values(written))
    const outcome = {
      ...(stop !== undefined && { stopped_by: stop }),
      notices: JSON.stringify(mergeNotices(writing.notices, notices)),
    }
    await retry(() => costRuns.finish(writing.lease, outcome))
  }
  const generator = model === undefined ? 'offline' : 'model'
  // Without the positions that are empty.
  const scenarios = Object.values(written)
  const ended = stop === 'canceled' ? 'was canceled' : 'stopped'
  if (stop !== undefined)
    notices.push(`The generation ${ended} after ${done} of ${toWrite} scenarios.`)
  return { run_id: runId, estimate, scenarios, generator, cost_usd: costUsd(), notices }
}

export function noneWritten(cause: EveryCallFailed): Failure {
  const message = `The model wrote no scenarios: ${cause.message}`
  return new Failure('INTERNAL_ERROR', message, { status: 502, cause })
}

interface Earlier extends EarlierTexts {
  readonly positions: ReadonlySet<number>
}

async function readEarlier(
  { projectId, runId }: Writing,
  { accounts: { costRuns } }: WriteScenariosPorts,
): Promise<Earlier> {
  const [seen, names, positions] = [openSeenTexts(), new Array<string>(), new Set<number>()]
  for await (const rows of scenarioPages({ project_id: projectId, id: runId }, costRuns)) {
    for (const row of rows) {
      const scenario = toApiScenario(row)
      seen.add(wordsOf(scenario))
      names.push(scenario.name)
      positions.add(row.position)
    }
    // Texts can have megabytes.
    await nextTurn()
  }
  return { seen, names, positions }
}

/** Throws a Failure if the run has been deleted in the meantime, or the lease was lost: an execution may have read the others. */
async function insertScenarios(
  rows: readonly CostScenarioRow[],
  { projectId, runId, lease }: Writing,
  { accounts }: WriteScenariosPorts,
): Promise<void> {
  const isHeld = await accounts.transaction(async ({ costRuns }) => {
    if (!(await costRuns.lock(lease))) return false
    await costRuns.insertScenarios(rows)
    return true
  })
  if (isHeld) return
  const run = await accounts.costRuns.findHead(projectId, runId)
  throw run === undefined ? runNotFound() : runInProgress()
}

interface FillTask extends Writing {
  readonly writer: ScenarioWriter | undefined
  /** Milliseconds since 1970. */
  readonly deadline: number
  /** Those to fill. */
  readonly cells: readonly Cell[]
  readonly earlier: EarlierTexts
}

/** A call that begins later would hardly end in time. */
const callNeedsMs = 10_000
const perBatch = 20

async function* fill(
  { agent, signal, deadline, cells, earlier, writer }: FillTask,
  { clock }: WriteScenariosPorts,
): AsyncGenerator<readonly Filled[]> {
  if (writer !== undefined) {
    const hasTime = () => clock.now().getTime() + callNeedsMs < deadline
    const callsAtOnce = limits.modelCallsOfOrganization.value
    const { write } = writer
    const calls = { write, hasTime, signal, callsAtOnce, earlier }
    return yield* fillByModel(agent, cells, calls)
  }
  const write = openTemplates(agent, earlier.seen)
  for (let at = 0; at < cells.length; at += perBatch) {
    yield cells.slice(at, at + perBatch).map((cell) => ({ cell, content: write(cell) }))
  }
}

function toRow({ projectId, runId }: Writing, { cell: { position }, content }: Filled) {
  return {
    ...{ project_id: projectId, run_id: runId, position },
    ...{ id: nameId(runId, String(position)), content: JSON.stringify(content) },
  }
}

function listNotices({ model, notice }: Writing, scenarios: readonly ScenarioSummary[]): string[] {
  const ofTemplates = scenarios.filter(({ origin }) => origin === 'template').length
  const isMixed = model !== undefined && ofTemplates > 0
  const count = scenarios.length
  return [
    ...(notice === undefined ? [] : [notice]),
    ...(isMixed
      ? [`${ofTemplates} of ${count} scenarios are from templates: the model did not write them.`]
      : []),
  ]
}
