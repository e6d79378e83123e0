import type { ScenarioSummary } from '@assay/contract/scenarios.ts'
import { parseInstant } from '../domain/instant.ts'
import { emptyArray, emptyObject, toJsonText, toStorableJson } from '../domain/json-text.ts'
import { noPrice, noPricingFacts, noUsage, type Span, type TraceLabels } from '../domain/span.ts'
import { callSpan } from '../model-gateway/call-span.ts'
import type { GatewayModel } from '../model-gateway/gateway-model.ts'
import type { AgentMessage } from '../model-gateway/model-call.ts'
import { newSecret } from '../platform/ids.ts'
import type { AgentPrompt } from './agent-prompt.ts'
import type { Conversation, Step } from './run-conversation.ts'

/*
 * The trace of a simulated conversation, in the form that pages and evaluators read. The calls that play the user and tools
 * are another trace, so that their cost is not that of the agent.
 */

const service = 'simulation'

export interface ConversationFacts {
  readonly runId: string
  readonly modelConfigId: string
  readonly scenario: ScenarioSummary
  readonly agent: AgentPrompt
  readonly model: Pick<GatewayModel, 'model' | 'provider'>
  readonly startedMs: number
  readonly endedMs: number
}

export interface RecordedTrace {
  readonly traceId: string
  readonly spans: readonly Span[]
}

export interface ConversationTraces {
  readonly agent: RecordedTrace
  /** Undefined if no model played the user or a tool. */
  readonly simulator: RecordedTrace | undefined
}

export function simulationLabels({ scenario, runId }: ConversationFacts): TraceLabels {
  return {
    ...{ rootName: null, environment: null, sessionId: null, userId: null },
    ...{ mode: 'simulation', tags: ['simulation', scenario.category, `run:${runId}`] },
  }
}

export function toTraces(conversation: Conversation, facts: ConversationFacts): ConversationTraces {
  const { steps } = conversation
  const isSimulatorStep = ({ kind }: Step) => kind === 'simulator call'
  const simulatorSteps = steps.filter(isSimulatorStep)
  const root = agentRoot(conversation, facts)
  const simulatorRoot = toSpan(
    { name: `simulator of ${facts.scenario.name}`, kind: 'chain' },
    facts,
  )
  return {
    agent: toTrace(
      root,
      steps.filter((step) => !isSimulatorStep(step)),
      facts,
    ),
    simulator:
      simulatorSteps.length === 0 ? undefined : toTrace(simulatorRoot, simulatorSteps, facts),
  }
}

function toTrace(root: Span, steps: readonly Step[], facts: ConversationFacts): RecordedTrace {
  const { traceId, spanId: parentSpanId } = root
  const spans = inOrder(steps, facts.startedMs).map((step) => ({
    ...{ ...toStepSpan(step, facts), traceId, parentSpanId },
  }))
  return { traceId, spans: [root, ...spans] }
}

/** Spans are ordered by their start, so each step ends later than the one before. */
function inOrder(steps: readonly Step[], startedMs: number): Step[] {
  let afterMs = startedMs
  return steps.map((step) => {
    afterMs = Math.max(step.endedMs, afterMs + 1 + latencyOf(step))
    return { ...step, endedMs: afterMs }
  })
}

function latencyOf(step: Step): number {
  if (step.kind === 'tool call') return 0
  return step.kind === 'agent call' ? step.report.latencyMs : step.call.report.latencyMs
}

interface SpanFacts {
  readonly name: string
  readonly kind: string
  readonly input?: unknown
  readonly output?: unknown
  readonly attributes?: object
  readonly problem?: string | null | undefined
  readonly startedMs?: number
  readonly endedMs?: number
}

function toSpan(
  { name, kind, input, output, attributes, problem = null, ...times }: SpanFacts,
  facts: ConversationFacts,
): Span {
  const { startedMs, endedMs } = { ...facts, ...times }
  const instant = (ms: number) => parseInstant(new Date(ms).toISOString())
  const json = (value: unknown) => toStorableJson(toJsonText(value))
  const labels = { ...runAttributes(facts), ...attributes }
  return {
    ...noPrice,
    ...noPricingFacts,
    ...noUsage,
    ...{ traceId: newSecret(16), spanId: newSecret(8), parentSpanId: null, name, kind },
    ...{ status: problem === null ? 'OK' : 'ERROR', statusMessage: problem },
    ...{ startedAt: instant(startedMs), endedAt: instant(endedMs), latencyMs: endedMs - startedMs },
    ...{ model: null, costUsd: null, costSource: 'unknown', sessionId: null, userId: null },
    ...{ environment: null, service, sdk: null, responseId: null },
    ...{ repeatsSpanId: null, isSeparateCall: false, tags: null, traceName: null },
    body: {
      ...{ input: json(input), output: json(output), attributes: json(labels) },
      ...{ events: emptyArray, links: emptyArray, resource: emptyObject, scope: emptyObject },
    },
  }
}

function runAttributes({
  runId,
  scenario,
  modelConfigId,
}: ConversationFacts): Record<string, string> {
  return {
    'assay.simulation.run_id': runId,
    'assay.simulation.scenario_id': scenario.id,
    'assay.simulation.model_config_id': modelConfigId,
  }
}

type SpokenMessage = Exclude<AgentMessage, { role: 'tool' }>

/** With the expectations that evaluators read. */
function agentRoot({ messages, status, error }: Conversation, facts: ConversationFacts): Span {
  const { scenario, agent } = facts
  const spoken = messages.filter((message) => message.role !== 'tool')
  const last = spoken.at(-1)
  const answer = last?.role === 'assistant' ? last.content : undefined
  const expected = [...agent.toolsByName]
    .filter(([, tool]) => scenario.tools.includes(tool.name))
    .map(([name]) => name)
  const expectations =
    expected.length === 0 ? {} : { 'eval.expected_tools': expected, 'eval.match_mode': 'superset' }
  return toSpan(
    {
      ...{ name: scenario.name, kind: 'agent' },
      input: { messages: (answer === undefined ? spoken : spoken.slice(0, -1)).map(toMessage) },
      output: answer === undefined ? null : { text: answer },
      attributes: { ...expectations, 'assay.simulation.plan': scenario.conversation_plan },
      problem:
        status === 'failed' || status === 'stopped' ? (error ?? 'The run was stopped.') : null,
    },
    facts,
  )
}

function toMessage({ role, content }: SpokenMessage) {
  return { role, content }
}

function toStepSpan(step: Step, facts: ConversationFacts): Span {
  const { endedMs } = step
  if (step.kind === 'tool call') {
    const { call, result } = step
    return toSpan(
      {
        ...{ name: call.name, kind: 'tool', startedMs: endedMs, endedMs },
        ...{ input: call.input ?? call.argumentsText, output: parseResult(result.text) },
        attributes: { 'gen_ai.tool.call.id': call.id },
        problem: result.isError === true ? result.text : null,
      },
      facts,
    )
  }
  if (step.kind === 'simulator call') {
    const { model, ...call } = step.call
    return callSpan({
      ...{ ...call, model: model.model, provider: model.provider, traceId: '' },
      ...{ service, attributes: runAttributes(facts), endedAt: new Date(endedMs) },
    })
  }
  return agentCallSpan(step, facts)
}

function agentCallSpan(
  { sent, report, reply, problem, endedMs }: Extract<Step, { kind: 'agent call' }>,
  facts: ConversationFacts,
): Span {
  const { system, tools } = facts.agent
  const { model, provider } = facts.model
  const input = {
    messages: [{ role: 'system', content: system }, ...sent.flatMap(toOpenAi)],
    ...(tools.length > 0 && { tools: tools.map((one) => ({ type: 'function', function: one })) }),
  }
  const messages = reply && toOpenAi({ role: 'assistant', content: reply.text, calls: reply.calls })
  const output = messages && { messages, finish_reason: report.stopReason }
  const startedMs = endedMs - report.latencyMs
  return {
    ...toSpan(
      { name: 'agent call', kind: 'llm', input, output, problem, startedMs, endedMs },
      facts,
    ),
    ...report.usage,
    ...{ model, provider, costUsd: report.costUsd },
    costSource: report.costUsd === null ? 'unknown' : 'reported',
  }
}

function toOpenAi(message: AgentMessage): object[] {
  if (message.role === 'user') return [message]
  if (message.role === 'tool') {
    return message.results.map(({ callId, text }) => ({
      ...{ role: 'tool', tool_call_id: callId, content: text },
    }))
  }
  const { role, content, calls = [] } = message
  const toCall = ({ id, name, argumentsText }: (typeof calls)[0]) => ({
    ...{ id, type: 'function', function: { name, arguments: argumentsText } },
  })
  return [{ role, content, ...(calls.length > 0 && { tool_calls: calls.map(toCall) }) }]
}

function parseResult(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
