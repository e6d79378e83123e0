import { hash } from 'node:crypto'
import type { Instant } from '../domain/instant.ts'
import type { JsonText } from '../domain/json-text.ts'
import type { LogRecord } from '../domain/log-record.ts'
import type { Span } from '../domain/span.ts'
import { textJson } from './attribute-json.ts'
import { firstAmount, firstCount, firstModel, firstText, type Keys } from './attribute-reading.ts'
import type { DecodedGroup, DecodedLogRecord } from './decoded-signals.ts'
import type { Attributes, AttributeValue, DecodedSpan } from './decoded-span.ts'
import { readGeminiMessages } from './gemini-cli.ts'
import { readEventName } from './log-content.ts'
import { normalizeSpan } from './normalize-span.ts'
import { readResourceAndScope } from './resource-and-scope.ts'

/*
 * Coding agents that report their work in log records: Claude Code, Codex CLI, Gemini CLI. Each record of a prompt,
 * a model call or a tool call becomes a span. A trace is a turn where the agent has ids for turns, else the session.
 * A span and its ids are derived from its record alone, so that records may arrive in any order and repeatedly.
 *
 * A record with a trace id creates no span: its agent sends spans of the same calls as well. Gemini CLI's model calls
 * do, because its spans lack a part of their tokens (gemini-cli.ts). Metrics create none, because they repeat the
 * same usage.
 */

interface Agent {
  /** The prefix of its events. */
  readonly prefix: string
  /** The scope of events that are named without the prefix. */
  readonly scope: string
  readonly session: Keys
  readonly turn: Keys
  readonly events: Readonly<Record<string, Made>>
  /** The event with the answer of a turn. */
  readonly answer?: string
  /** The input excludes cache reads. */
  readonly cacheIsApart: boolean
  /** Whether reasoning is counted beside the output. */
  readonly reasoningIsApart: boolean
  /** Whether model calls are read from records even where these belong to a span. */
  readonly callsAreRecords: boolean
}

type Made = 'prompt' | 'call' | 'failed call' | 'tool'
type SpanIds = Pick<DecodedSpan, 'traceId' | 'spanId'>

const agents: readonly Agent[] = [
  {
    prefix: 'claude_code.',
    scope: 'com.anthropic.claude_code.events',
    session: ['session.id'],
    turn: ['prompt.id'],
    events: {
      user_prompt: 'prompt',
      api_request: 'call',
      api_error: 'failed call',
      tool_result: 'tool',
    },
    answer: 'assistant_response',
    cacheIsApart: true,
    reasoningIsApart: false,
    callsAreRecords: false,
  },
  {
    prefix: 'codex.',
    scope: 'codex_otel.log_only',
    session: ['conversation.id'],
    turn: ['turn.id'],
    // A response has several events; the one with the token counts completes it.
    events: { user_prompt: 'prompt', sse_event: 'call', tool_result: 'tool' },
    cacheIsApart: false,
    reasoningIsApart: false,
    callsAreRecords: false,
  },
  {
    prefix: 'gemini_cli.',
    scope: 'gemini-cli',
    session: ['session.id'],
    turn: ['prompt_id'],
    events: {
      user_prompt: 'prompt',
      api_response: 'call',
      api_error: 'failed call',
      tool_call: 'tool',
    },
    answer: 'api_response',
    cacheIsApart: false,
    reasoningIsApart: true,
    callsAreRecords: true,
  },
]

const keys = {
  model: ['model', 'model_name'],
  durationMs: ['duration_ms'],
  costUsd: ['cost_usd'],
  input: ['input_tokens', 'input_token_count'],
  output: ['output_tokens', 'output_token_count'],
  cacheRead: ['cache_read_tokens', 'cached_token_count', 'cached_content_token_count'],
  cacheWrite: ['cache_creation_tokens', 'cache_write_token_count'],
  reasoning: ['reasoning_token_count', 'thoughts_token_count'],
  prompt: ['prompt'],
  answer: ['response'],
  response: ['response_text'],
  tool: ['tool_name', 'function_name'],
  toolCall: ['tool_use_id', 'call_id'],
  toolInput: ['tool_input', 'tool_parameters', 'arguments', 'function_args'],
  toolOutput: ['output', 'tool_output'],
  error: ['error', 'error.message', 'error_message'],
  /** The id of a call within its session. */
  call: ['request_id', 'tool_use_id', 'call_id', 'event.sequence'],
} as const

export function spansOfLogs(groups: readonly DecodedGroup<DecodedLogRecord>[]): Span[] {
  return groups.flatMap((group) => {
    const resourceAndScope = readResourceAndScope(group)
    return group.items.flatMap((record) => {
      const decoded = toSpan(record, group.scope.name)
      if (decoded === undefined) return []
      const span = normalizeSpan(decoded, resourceAndScope)
      return [readDuration(record) === undefined ? { ...span, latencyMs: null } : span]
    })
  })
}

function toSpan(record: DecodedLogRecord, scope: string): DecodedSpan | undefined {
  const { attributes } = record
  const event = readEvent(record, scope)
  if (event === undefined) return undefined
  const { agent, name } = event
  const made = Object.hasOwn(agent.events, name) ? agent.events[name] : undefined
  const session = firstText(attributes, agent.session)
  if (made === undefined || session === undefined || !isOwnSpan(record, agent, made)) {
    return undefined
  }
  const { traceId, spanId: promptId } = toTurnIds(agent, session, attributes)
  const isRoot = made === 'prompt' && promptId !== ''
  const call = firstText(attributes, keys.call) ?? String(record.at)
  const { startedAt, endedAt } = readTimes(record)
  const error = readFailure(attributes, made)
  return {
    ...{ traceId, parentSpanId: made === 'prompt' ? '' : promptId },
    spanId: isRoot ? promptId : deriveId(16, [traceId, name, call]),
    ...{ traceState: '', flags: 0, kind: 0, startedAt, endedAt, misplacedEnd: 0n },
    name: formatName(made, agent, attributes),
    attributes: new Map([...attributes, ...genAiAttributes(made, agent, session, attributes)]),
    droppedAttributesCount: record.droppedAttributesCount,
    ...{ events: [], droppedEventsCount: 0, links: [], droppedLinksCount: 0 },
    statusCode: error === undefined ? 0 : 2,
    statusMessage: error ?? '',
  }
}

interface AgentEvent {
  readonly agent: Agent
  /** Without the prefix. */
  readonly name: string
}

function readEvent(record: DecodedLogRecord, scope: string): AgentEvent | undefined {
  const event = readEventName(record) || (typeof record.body === 'string' ? record.body : '')
  const agent = agents.find(({ prefix, scope: own }) => event.startsWith(prefix) || scope === own)
  if (agent === undefined) return undefined
  return { agent, name: event.startsWith(agent.prefix) ? event.slice(agent.prefix.length) : event }
}

/** The span of the turn; its id is empty without a turn. */
function toTurnIds(agent: Agent, session: string, attributes: Attributes): SpanIds {
  const turn = firstText(attributes, agent.turn)
  const traceId = deriveId(32, [agent.prefix, session, turn ?? ''])
  return { traceId, spanId: turn === undefined ? '' : deriveId(16, [traceId, 'prompt']) }
}

/** The answer of a turn, as content of its span: that of the record, or the one made from the prompt. */
export function readAnswer(
  record: DecodedLogRecord,
  scope: string,
): Pick<LogRecord, 'traceId' | 'spanId' | 'content'> | undefined {
  const { attributes } = record
  const event = readEvent(record, scope)
  if (event === undefined || event.name !== event.agent.answer) return undefined
  const session = firstText(attributes, event.agent.session)
  const output = readAnswerMessages(event.agent, attributes)
  if (session === undefined || output === undefined) return undefined
  const isOwn = record.traceId !== '' || record.spanId !== ''
  if (isOwn && event.agent.callsAreRecords) return undefined
  const { traceId, spanId } = isOwn ? record : toTurnIds(event.agent, session, attributes)
  if (traceId === '' || spanId === '') return undefined
  return { traceId, spanId, content: { input: null, output } }
}

/** Gemini CLI's answer is the response without tool calls, to the main agent. */
function readAnswerMessages(agent: Agent, attributes: Attributes): JsonText | undefined {
  const text = firstText(attributes, keys.answer)
  if (text !== undefined) return text === '<REDACTED>' ? undefined : toMessage('assistant', text)
  const isMain = (attributes.get('role') ?? 'main') === 'main'
  const messages = isMain ? readResponse(agent, attributes) : undefined
  return messages?.includes('"type":"tool_call"') ? undefined : messages
}

/** Whether no span of the agent has the same, and the record completes its operation. */
function isOwnSpan({ traceId, attributes }: DecodedLogRecord, agent: Agent, made: Made): boolean {
  const isCall = made === 'call' || made === 'failed call'
  if (traceId !== '' && !(isCall && agent.callsAreRecords)) return false
  const hasTokens = firstCount(attributes, [...keys.input, ...keys.output]) !== undefined
  return made !== 'call' || hasTokens
}

function deriveId(digits: number, parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, digits)
}

function readDuration({ attributes }: Pick<DecodedLogRecord, 'attributes'>): number | undefined {
  return firstAmount(attributes, keys.durationMs)
}

/** A record is written at the end of its operation. */
function readTimes({ at, attributes }: DecodedLogRecord): {
  readonly startedAt: Instant
  readonly endedAt: Instant
} {
  const lastedMs = readDuration({ attributes }) ?? 0
  const startedAt = at - BigInt(Math.min(Math.round(lastedMs * 1e6), Number(at)))
  return { startedAt: startedAt > 0n ? startedAt : at, endedAt: at }
}

function formatName(made: Made, { prefix }: Agent, attributes: Attributes): string {
  if (made === 'prompt') return `${prefix.slice(0, -1)} turn`
  if (made === 'tool') return firstText(attributes, keys.tool) ?? 'tool'
  return `chat ${readModel(attributes) ?? ''}`.trim()
}

const escapes = new RegExp(`${String.fromCodePoint(27)}\\[[0-9;]*[A-Za-z]`, 'g')

/** Some write it as they print it, in color. */
function readModel(attributes: Attributes): string | undefined {
  return firstModel(attributes, keys.model)?.replaceAll(escapes, '')
}

/** Undefined where it went well. */
function readFailure(attributes: Attributes, made: Made): string | undefined {
  const message = firstText(attributes, keys.error) ?? 'failed'
  if (made === 'failed call') return message
  const success = attributes.get('success')
  return made === 'tool' && (success === false || success === 'false') ? message : undefined
}

/** The record as attributes of OpenTelemetry GenAI. */
function genAiAttributes(
  made: Made,
  agent: Agent,
  session: string,
  attributes: Attributes,
): (readonly [string, AttributeValue])[] {
  const first = (of: Keys) =>
    of.map((key) => attributes.get(key)).find((each) => each !== undefined)
  const reported: (readonly [string, AttributeValue | undefined])[] = [
    ['gen_ai.conversation.id', session],
    ['gen_ai.operation.name', operations[made]],
  ]
  if (made === 'prompt') {
    const prompt = firstText(attributes, keys.prompt)
    reported.push(['gen_ai.input.messages', prompt && toMessage('user', prompt)])
  } else if (made === 'tool') {
    reported.push(
      ['gen_ai.tool.name', firstText(attributes, keys.tool)],
      ['gen_ai.tool.call.id', firstText(attributes, keys.toolCall)],
      ['gen_ai.tool.call.arguments', first(keys.toolInput)],
      ['gen_ai.tool.call.result', first(keys.toolOutput)],
    )
  } else {
    reported.push(
      ['gen_ai.request.model', readModel(attributes)],
      ['gen_ai.usage.cost', firstAmount(attributes, keys.costUsd)],
      ['gen_ai.output.messages', readResponse(agent, attributes)],
      ...readUsage(agent, attributes),
    )
  }
  return reported.filter((each): each is [string, AttributeValue] => each[1] !== undefined)
}

const operations: Readonly<Record<Made, string>> = {
  prompt: 'invoke_agent',
  call: 'chat',
  'failed call': 'chat',
  tool: 'execute_tool',
}

function readResponse({ prefix }: Agent, attributes: Attributes): JsonText | undefined {
  const text = firstText(attributes, keys.response)
  if (text === undefined) return undefined
  const messages = prefix === 'gemini_cli.' ? readGeminiMessages(text) : undefined
  return messages ?? toMessage('assistant', text)
}

function toMessage(role: string, text: string): JsonText {
  return `[{"role":"${role}","parts":[{"type":"text","content":${textJson(text)}}]}]` as JsonText
}

/** Input including the cache and output including reasoning, however the agent counts. */
function readUsage(
  agent: Agent,
  attributes: Attributes,
): (readonly [string, number | undefined])[] {
  const count = (of: Keys) => firstCount(attributes, of)
  const [input, output] = [count(keys.input), count(keys.output)]
  const [cacheRead, cacheWrite] = [count(keys.cacheRead), count(keys.cacheWrite)]
  const reasoning = count(keys.reasoning)
  const besideInput = agent.cacheIsApart ? (cacheRead ?? 0) + (cacheWrite ?? 0) : 0
  const besideOutput = agent.reasoningIsApart ? (reasoning ?? 0) : 0
  return [
    ['gen_ai.usage.input_tokens', input === undefined ? undefined : input + besideInput],
    ['gen_ai.usage.output_tokens', output === undefined ? undefined : output + besideOutput],
    ['gen_ai.usage.cache_read.input_tokens', cacheRead],
    ['gen_ai.usage.cache_creation.input_tokens', cacheWrite],
    ['gen_ai.usage.reasoning.output_tokens', reasoning],
  ]
}
