import type { Span } from '../../domain/span.ts'
import type { Models } from '../../model-gateway/models.ts'
import type { Clock } from '../../platform/clock.ts'
import { Unavailable } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import type { Requester } from '../../platform/requester.ts'
import type { ServiceTraces } from '../../service-traces/service-traces.ts'
import type { AgentPrompt } from '../../simulation/agent-prompt.ts'
import {
  type ConversationFacts,
  type RecordedTrace,
  simulationLabels,
  toTraces,
} from '../../simulation/conversation-spans.ts'
import { type Conversation, runConversation } from '../../simulation/run-conversation.ts'
import type { RecordedTools } from '../../simulation/simulated-tools.ts'
import type { ToolAnswerCache } from '../../simulation/simulator.ts'
import { type Spending, withBill } from '../../simulation/spending.ts'
import type { CostResultRow } from '../../storage/accounts/cost-run-tables.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import type { Item, Prepared, Target } from './prepare-execution.ts'

/*
 * One scenario with one model: runs the conversation, records it as a trace and scores it.
 */

export interface RunItemPorts {
  readonly models: Models
  readonly telemetry: TelemetryStore
  readonly serviceTraces: Pick<ServiceTraces, 'record'>
  readonly clock: Clock
  readonly log: Log
}

/** What all items of an execution share. */
export interface Execution {
  readonly target: Target
  readonly prepared: Prepared
  readonly agent: AgentPrompt
  readonly userId: string
  readonly requester: Requester
  readonly spending: Spending
  readonly toolAnswers: ToolAnswerCache
  readonly recorded: RecordedTools
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  readonly deadline: number
}

export interface ItemOutcome {
  /** Undefined if the conversation was stopped. */
  readonly result: CostResultRow | undefined
  /** Whether the conversation or its scoring was stopped. Another execution continues it. */
  readonly isStopped: boolean
}

export async function runItem(
  item: Item,
  execution: Execution,
  ports: RunItemPorts,
): Promise<ItemOutcome> {
  const result = item.earlier ?? (await converse(item, execution, ports))
  if (result === undefined) return { result, isStopped: true }
  if (result.status === 'failed') return { result, isStopped: false }
  return await withScore(result, execution, ports)
}

async function converse(
  item: Item,
  execution: Execution,
  ports: RunItemPorts,
): Promise<CostResultRow | undefined> {
  const { scenario, model, configId } = item
  const { prepared, agent, target, deadline, signal, spending, toolAnswers, recorded } = execution
  const startedMs = ports.clock.now().getTime()
  const conversation = await runConversation(
    {
      ...{ scenario, agent, model, simulator: prepared.simulator, recorded },
      ...{ toolAnswers, spending, signal, deadline },
    },
    ports.models,
  )
  const endedMs = ports.clock.now().getTime()
  const { runId } = target
  const facts = { runId, modelConfigId: configId, scenario, agent, model, startedMs, endedMs }
  const traceId = await recordConversation(conversation, facts, execution, ports)
  const { status, error } = conversation
  if (status === 'stopped') return undefined
  return {
    ...{ project_id: target.projectId, run_id: runId, scenario_id: scenario.id },
    ...{ model_config_id: configId, trace_id: traceId, status, turns: conversation.turns },
    ...{ tokens_in: conversation.tokensIn, tokens_out: conversation.tokensOut },
    ...{ cost_nano_usd: conversation.costNanos, latency_ms: conversation.latencyMs },
    ...{ score: null, error: traceId === null ? notRecorded : error },
    finished_at: new Date(endedMs).toISOString(),
  }
}

const notRecorded = 'The conversation could not be recorded.'
const notScored = 'The conversation could not be scored. Execute again to score it.'

/** The id of the trace; null if it could not be recorded. A result does not fail because of that. */
async function recordConversation(
  conversation: Conversation,
  facts: ConversationFacts,
  execution: Execution,
  ports: RunItemPorts,
): Promise<string | null> {
  if (conversation.steps.length === 0) return null
  const { agent, simulator } = toTraces(conversation, facts)
  for (const trace of simulator === undefined ? [agent] : [agent, simulator]) {
    if (!(await recordTrace(trace, facts, execution, ports))) return null
  }
  return agent.traceId
}

/** Encoding compresses: so few bytes take some milliseconds. */
const batchLength = 200_000

/** False if a part of it is lost. */
async function recordTrace(
  { spans }: RecordedTrace,
  facts: ConversationFacts,
  { target: { organizationId, projectId }, requester }: Execution,
  { telemetry, serviceTraces }: RunItemPorts,
): Promise<boolean> {
  const labels = simulationLabels(facts)
  for (const batch of toBatches(spans)) {
    const isKept = await serviceTraces.record({
      subject: 'a simulated conversation',
      ...{ organizationId, projectId, requester, labels, spans: telemetry.encode(batch) },
    })
    if (!isKept) return false
  }
  return true
}

function toBatches(spans: readonly Span[]): Span[][] {
  const batches: Span[][] = []
  let length = batchLength
  for (const span of spans) {
    const spanLength = span.body.input.length + span.body.output.length
    if (length + spanLength > batchLength) {
      batches.push([])
      length = 0
    }
    batches.at(-1)?.push(span)
    length += spanLength
  }
  return batches
}

async function withScore(
  result: CostResultRow,
  { prepared, target, userId, requester, signal, deadline, spending }: Execution,
  { log }: RunItemPorts,
): Promise<ItemOutcome> {
  const { trace_id: traceId } = result
  const { scoring, simulator } = prepared
  if (scoring === undefined || traceId === null) return { result, isStopped: false }
  if (signal.aborted) return { result, isStopped: true }
  const { organizationId, projectId } = target
  try {
    const score = await scoring.score({
      ...{ organizationId, projectId, traceId, authorId: userId, requester, signal, deadline },
      ...{ model: withBill(simulator, 'judge', spending), spending },
    })
    const isStopped = score === null && (signal.aborted || spending.isUsedUp())
    const error = result.error === notScored ? null : result.error
    return { result: { ...result, score, error }, isStopped }
  } catch (error) {
    if (signal.aborted) return { result, isStopped: true }
    if (!(error instanceof Unavailable)) log.error('a simulation could not be scored', error)
    return { result: { ...result, error: result.error ?? notScored }, isStopped: false }
  }
}
