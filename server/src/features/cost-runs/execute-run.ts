import type { CostRunStatus } from '@assay/contract/cost-runs.ts'
import { limits } from '@assay/contract/limits.ts'
import type { ExecutionEvent, ExecutionRequest } from '@assay/contract/run-execution.ts'
import type { JsonPieces } from '../../http/call.ts'
import { openDeadline } from '../../platform/deadline.ts'
import { inOrderOfCompletion } from '../../platform/in-order-of-completion.ts'
import type { Requester } from '../../platform/requester.ts'
import { toAgentPrompt } from '../../simulation/agent-prompt.ts'
import { nothingRecorded, type RecordedTools } from '../../simulation/simulated-tools.ts'
import { openSpending } from '../../simulation/spending.ts'
import type { CostResultRow } from '../../storage/accounts/cost-run-tables.ts'
import { completedLine } from './completed-line.ts'
import type { Prepared, Target } from './prepare-execution.ts'
import { readRecordedTools } from './recorded-tools.ts'
import { type Execution, type ItemOutcome, type RunItemPorts, runItem } from './run-item.ts'
import { keepLease } from './run-lease.ts'
import { mergeNotices, toStop } from './run-outcome.ts'
import { openRunWriter, type RunWriterPorts } from './run-writer.ts'
import { serializeRun } from './serialize-run.ts'
import { toApiResult } from './summarize-results.ts'

/*
 * Executes a run: each result is stored as soon as its conversation has ended, so that an execution that is interrupted
 * loses only the conversations under way.
 */

export interface ExecuteRunPorts extends RunItemPorts, RunWriterPorts {
  /** By default the published limit. */
  readonly executionMs?: number | undefined
}

export interface ExecuteRunRequest {
  readonly target: Target
  readonly body: ExecutionRequest
  readonly userId: string
  readonly requester: Requester
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
}

/** The run is a value of its own: it can have megabytes. */
export type RunEvent = Exclude<ExecutionEvent, { type: 'completed' | 'error' }> | CompletedRun

interface CompletedRun {
  readonly type: 'completed'
  /** A JSON object. */
  readonly pieces: AsyncIterable<string>
}

/** Ends its lease however it ends. */
export async function* executeRun(
  request: ExecuteRunRequest,
  prepared: Prepared,
  ports: ExecuteRunPorts,
): AsyncGenerator<RunEvent> {
  const { target, body, userId, requester } = request
  const { executionMs = limits.executionSeconds.value * 1000, stopping } = ports
  const failed = new AbortController()
  const lease = keepLease(prepared.lease, ports)
  const signal = AbortSignal.any([request.signal, stopping, failed.signal, lease.signal])
  const time = openDeadline(signal, Date.now() + executionMs)
  const spending = openSpending(body.max_cost_usd ?? null)
  const execution: Execution & { recorded: RecordedTools } = {
    ...{ target, prepared, userId, requester, spending, toolAnswers: new Map() },
    ...{ agent: toAgentPrompt(prepared.agent), signal: time.signal, deadline: time.endsAt },
    recorded: nothingRecorded,
  }
  const writer = openRunWriter(prepared.lease, spending.bills, ports)
  const outcomes = { completed: 0, failed: 0, stopped: 0 }
  const total = prepared.items.length
  const runOne = async (item: Prepared['items'][0]): Promise<ItemOutcome> => {
    if (time.signal.aborted || spending.isUsedUp()) return { result: undefined, isStopped: true }
    try {
      const outcome = await runItem(item, execution, ports)
      if (await writer.store(outcome.result)) return outcome
      // Whoever has the lease now pays for the rest.
      failed.abort()
      return { result: undefined, isStopped: true }
    } catch (error) {
      failed.abort()
      throw error
    }
  }
  try {
    yield { type: 'started', run_id: target.runId, total }
    execution.recorded = await findRecorded(execution, ports)
    const ended = inOrderOfCompletion(prepared.items, body.concurrency, runOne)
    for await (const { result, isStopped } of ended) {
      outcomes[isStopped ? 'stopped' : toOutcome(result)] += 1
      if (result === undefined) continue
      yield { type: 'result', result: toApiResult(result) }
      const done = outcomes.completed + outcomes.failed
      yield { type: 'progress', done, total, cost_usd: spending.totalUsd() }
    }
  } finally {
    // Also when nobody reads on. All conversations have ended.
    const status = statusOf(outcomes, prepared)
    const why = {
      canceled: lease.isCanceled(),
      service_stopped: stopping.aborted,
      error: failed.signal.aborted || lease.signal.aborted,
      disconnected: request.signal.aborted,
      time_limit: time.isUp(),
      cost_limit: spending.isUsedUp(),
    }
    time.end()
    lease.end()
    await writer.finish({
      status,
      stopped_by: status === 'partial' ? toStop(why) : null,
      notices: JSON.stringify(listNotices(prepared)),
    })
  }
  yield { type: 'completed', pieces: readRun(target, ports) }
}

/** Without them, results of tools are simulated otherwise. */
async function findRecorded(
  { prepared, target: { projectId }, requester, signal }: Execution,
  { telemetry, log }: ExecuteRunPorts,
): Promise<RecordedTools> {
  const names = new Set(prepared.agent.tools.map(({ name }) => name))
  try {
    return await readRecordedTools(projectId, names, telemetry, { requester, signal })
  } catch (error) {
    if (!signal.aborted) log.error('recorded answers of tools could not be read', error)
    return nothingRecorded
  }
}

export function toStreamed(event: RunEvent): Exclude<RunEvent, CompletedRun> | JsonPieces {
  return event.type === 'completed' ? completedLine(event.pieces) : event
}

async function* readRun({ projectId, runId }: Target, { accounts }: ExecuteRunPorts) {
  const run = await accounts.costRuns.find(projectId, runId)
  // Projects can be removed during an execution.
  if (run === undefined) throw new Error('the run is gone')
  yield* serializeRun(run, accounts.costRuns, await accounts.clock.now())
}

function toOutcome(result: CostResultRow | undefined): 'completed' | 'failed' {
  return result?.status === 'failed' ? 'failed' : 'completed'
}

function statusOf(
  { completed, failed }: { readonly completed: number; readonly failed: number },
  { items, hasResults }: Prepared,
): CostRunStatus {
  if (completed + failed < items.length) return 'partial'
  return failed > 0 && completed === 0 && !hasResults ? 'failed' : 'completed'
}

/** Those of earlier executions stay, as their results do. */
function listNotices({ run, agent, models, simulator, scoring }: Prepared): string[] {
  const real = agent.tools.filter(({ mode }) => mode === 'real').map(({ name }) => name)
  const unpriced = models.filter(({ model }) => model.rates === null)
  const notices = [
    `Users and tools are simulated by ${simulator.model}.`,
    ...(scoring?.callsModel === true ? [`Judges call ${simulator.model}.`] : []),
    ...(real.length === 0
      ? []
      : [`Tools with the mode "real" were simulated: ${shorten(real.join(', '))}.`]),
    ...unpriced.map(
      ({ model }) =>
        `${model.model} has no known price. It counts as $5 per million tokens toward the cost limit.`,
    ),
  ]
  return mergeNotices(JSON.parse(run.notices) as string[], notices)
}

function shorten(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300).toWellFormed()}…`
}
