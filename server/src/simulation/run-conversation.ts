import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from '@assay/contract/limits.ts'
import type { ScenarioSummary } from '@assay/contract/scenarios.ts'
import type { ModelGateway } from '../model-gateway/gateway.ts'
import type { GatewayModel } from '../model-gateway/gateway-model.ts'
import {
  type AgentMessage,
  type AgentReply,
  type CallReport,
  ModelCallError,
  type ToolResult,
} from '../model-gateway/model-call.ts'
import type { AgentPrompt } from './agent-prompt.ts'
import { openSimulatedTools, type RecordedTools } from './simulated-tools.ts'
import {
  nextUserMessage,
  type Simulator,
  type SimulatorCall,
  type ToolAnswerCache,
  toolSimulator,
} from './simulator.ts'
import { type Spending, toNanos, withBill } from './spending.ts'

/*
 * One conversation of a scenario: the agent under test with a simulated user and simulated tools.
 */

export interface ConversationRequest {
  readonly scenario: ScenarioSummary
  readonly agent: AgentPrompt
  /** Of the agent under test. */
  readonly model: GatewayModel
  /** Plays the user and tools. Undefined: the user sends the turns of the scenario only, and results are invented. */
  readonly simulator: GatewayModel | undefined
  readonly recorded: RecordedTools
  readonly toolAnswers: ToolAnswerCache
  readonly spending: Spending
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  readonly deadline: number
}

/** `stopped`: by the limit of cost, the deadline or the signal. It has no result and is run again. */
export type ConversationStatus = 'completed' | 'limit_reached' | 'failed' | 'stopped'

export interface Conversation {
  readonly status: ConversationStatus
  readonly error: string | null
  /** Of the user. */
  readonly turns: number
  readonly tokensIn: number
  readonly tokensOut: number
  /** Of the calls of the agent, abandoned ones included; null if its model has no price. */
  readonly costNanos: number | null
  /** Of the calls of the agent, without waits for a turn. */
  readonly latencyMs: number
  readonly messages: readonly AgentMessage[]
  readonly steps: readonly Step[]
}

/** What is recorded, in order. */
export type Step =
  | {
      readonly kind: 'agent call'
      readonly sent: readonly AgentMessage[]
      readonly report: CallReport
      readonly reply: AgentReply | undefined
      readonly problem: string | undefined
      readonly endedMs: number
    }
  | {
      readonly kind: 'tool call'
      readonly call: AgentReply['calls'][0]
      readonly result: ToolResult
      readonly endedMs: number
    }
  | { readonly kind: 'simulator call'; readonly call: SimulatorCall; readonly endedMs: number }

const outputTokensMax = 4096

function toSimulator(model: GatewayModel, spending: Spending): Simulator {
  return {
    model: withBill(model, 'simulated_user', spending),
    toolModel: withBill(model, 'simulated_tools', spending),
  }
}

/** Why a conversation ends before its user is satisfied. */
type End = Pick<Conversation, 'status' | 'error'>
const stopped: End = { status: 'stopped', error: null }
const limitReached = (what: string): End => ({ status: 'limit_reached', error: `${what}.` })

/** Never rejects, except for defects. */
export async function runConversation(
  request: ConversationRequest,
  models: ModelGateway,
): Promise<Conversation> {
  const conversation = openConversation(request, models)
  try {
    return conversation.toOutcome(await converse(request, conversation))
  } catch (error) {
    if (request.signal.aborted || Date.now() >= request.deadline)
      return conversation.toOutcome(stopped)
    if (!(error instanceof ModelCallError)) throw error
    if (request.spending.isUsedUp()) return conversation.toOutcome(stopped)
    return conversation.toOutcome({ status: 'failed', error: conversation.describeFailure(error) })
  }
}

type OpenConversation = ReturnType<typeof openConversation>

async function converse(
  { scenario }: ConversationRequest,
  conversation: OpenConversation,
): Promise<End> {
  let message = scenario.turns[0]?.content
  for (let turn = 1; message !== undefined; turn += 1) {
    const end = await conversation.answerUser(message)
    if (end !== undefined) return end
    if (!conversation.continues(turn)) break
    if (turn === limits.simulatedTurns.value)
      return limitReached(`The conversation has ${turn} turns`)
    message = await conversation.nextMessage(turn)
  }
  return { status: 'completed', error: null }
}

function openConversation(request: ConversationRequest, models: ModelGateway) {
  const { scenario, agent, signal, deadline } = request
  const record = openRecord(request)
  const { messages, steps, totals, model } = record
  const agentLength = agent.system.length + JSON.stringify(agent.tools).length
  const simulator = request.simulator && toSimulator(request.simulator, request.spending)
  const ports = { models, signal, deadline, onCall: record.addSimulatorCall }
  const answerTool = openSimulatedTools({
    ...{ toolsByName: agent.toolsByName, seed: scenario.id, recorded: request.recorded },
    answerByModel: simulator && toolSimulator(simulator, request.toolAnswers, ports),
  })

  async function callAgent(): Promise<AgentReply> {
    const { system, tools } = agent
    const call = { system, tools, messages: [...messages], signal, deadline }
    totals.characters += agentLength + lengthOf(messages)
    try {
      const answer = await models.generate(model, { ...call, maxOutputTokens: outputTokensMax })
      record.addAgentCall(answer, answer.value, undefined)
      return answer.value
    } catch (error) {
      if (error instanceof ModelCallError && error.report.attempts > 0)
        record.addAgentCall(error.report, undefined, error.message)
      throw error
    }
  }

  /** Undefined once the agent has answered. */
  async function answerUser(content: string): Promise<End | undefined> {
    messages.push({ role: 'user', content })
    totals.turns += 1
    for (let calls = 0; calls < limits.simulatedCallsPerTurn.value; calls += 1) {
      if (totals.tokensIn + totals.tokensOut >= limits.simulatedTokens.value)
        return limitReached('The conversation has used its tokens')
      if (totals.characters >= limits.simulatedCharacters.value)
        return limitReached('The conversation has used its characters')
      const reply = await callAgent()
      const answer = { role: 'assistant', content: reply.text, calls: reply.calls } as const
      totals.characters += lengthOf([answer])
      messages.push(answer)
      if (reply.calls.length === 0) return undefined
      if (reply.calls.length > limits.toolCallsAtOnce.value)
        return limitReached(`The agent requested ${reply.calls.length} calls of tools at once`)
      const results: ToolResult[] = []
      for (const call of reply.calls) {
        // Results without a model take milliseconds each, with large schemas and arguments.
        await nextTurn()
        const { text, isError } = await answerTool(call)
        const result = { callId: call.id, name: call.name, text, isError }
        results.push(result)
        steps.push({ kind: 'tool call', call, result, endedMs: Date.now() })
      }
      messages.push({ role: 'tool', results })
    }
    return limitReached(`The agent made ${limits.simulatedCallsPerTurn.value} calls in one turn`)
  }

  /** After the last turn of the scenario, a conversation continues while the agent asks something. */
  function continues(turn: number): boolean {
    if (turn < scenario.turns.length) return true
    const last = messages.at(-1)
    const isQuestion =
      last?.role === 'assistant' && question.test(last.content.slice(-questionLength))
    return isQuestion && simulator !== undefined
  }

  /** Undefined if the user is satisfied. */
  async function nextMessage(turn: number): Promise<string | undefined> {
    const scripted = scenario.turns[turn]
    if (scripted !== undefined || simulator === undefined) return scripted?.content
    return await nextUserMessage(scenario, toTranscript(messages), simulator, ports)
  }

  const { toOutcome, describeFailure } = record
  return { answerUser, continues, nextMessage, toOutcome, describeFailure }
}

/** As it is sent, and recorded with each call. */
function lengthOf(messages: readonly AgentMessage[]): number {
  return messages.flatMap(textsOf).reduce((sum, text) => sum + text.length, 0)
}

function textsOf(message: AgentMessage): string[] {
  if (message.role === 'user') return [message.content]
  if (message.role === 'tool') return message.results.flatMap(({ name, text }) => [name, text])
  const { content, calls = [] } = message
  return [content, ...calls.flatMap(({ id, name, argumentsText }) => [id, name, argumentsText])]
}

/** The messages, calls and costs of a conversation. */
function openRecord({ model: unmetered, spending }: ConversationRequest) {
  const messages: AgentMessage[] = []
  const steps: Step[] = []
  const totals = { turns: 0, tokensIn: 0, tokensOut: 0, characters: 0, latencyMs: 0 }
  let agentNanos = 0
  const model = withBill(unmetered, 'agent', {
    ...spending,
    add(bill, usd) {
      agentNanos += toNanos(usd)
      spending.add(bill, usd)
    },
  })
  const countUnpriced = ({ rates }: GatewayModel, { usage }: CallReport) => {
    if (rates === null) spending.addUnpriced((usage.tokensIn ?? 0) + (usage.tokensOut ?? 0))
  }
  return {
    ...{ messages, steps, totals, model },
    addAgentCall(report: CallReport, reply: AgentReply | undefined, problem: string | undefined) {
      totals.tokensIn += report.usage.tokensIn ?? 0
      totals.tokensOut += report.usage.tokensOut ?? 0
      totals.latencyMs += report.latencyMs
      countUnpriced(model, report)
      const sent = [...messages]
      steps.push({ kind: 'agent call', sent, report, reply, problem, endedMs: Date.now() })
    },
    addSimulatorCall(call: SimulatorCall) {
      countUnpriced(call.model, call.report)
      steps.push({ kind: 'simulator call', call, endedMs: Date.now() })
    },
    /** Of the last call. */
    describeFailure({ kind, message }: ModelCallError): string {
      const caller = steps.at(-1)?.kind === 'simulator call' ? 'simulated user: ' : ''
      return `${caller}${kind}: ${message}`
    },
    toOutcome(end: End): Conversation {
      const costNanos = unmetered.rates === null ? null : agentNanos
      return { ...end, ...totals, costNanos, messages, steps }
    },
  }
}

const question = /[?？؟]/u
/** Of the end of an answer, where it asks. */
const questionLength = 400

function toTranscript(messages: readonly AgentMessage[]): string {
  const lines = messages.flatMap((message) => {
    if (message.role === 'tool' || message.content === '') return []
    return `${message.role === 'user' ? 'User' : 'Assistant'}: ${message.content}`
  })
  return lines.join('\n\n')
}
