import { type Fields, isFields, type Part, parsed } from '@assay/contract/message-parts.ts'
import { isSameToolCall, isToolCall, toolName } from '../tool-calls.ts'
import { canonicalJson, type JsonValue, textOf } from './canonical-json.ts'
import type { ModelCall, ToolCall, ViewMessage, ViewSpan } from './trace-view.ts'

/*
 * Tool calls, each once. A call appears as a span of the tool, in the response of the model that requested it, and in the
 * messages of later model calls, with its result.
 */

export function readToolCalls(
  spans: readonly ViewSpan[],
  modelCalls: readonly ModelCall[],
): readonly ToolCall[] {
  const results = readResults(modelCalls)
  const requests = distinctIds(
    modelCalls.flatMap(({ span, response }) =>
      requestedIn(response).map((part) => fromRequest(span, part, results)),
    ),
  )
  const executed = ownSpans(spans).map((span) => fromSpan(span, results))
  const paired = pair(executed, requests)
  const calls = [
    // As the model wrote them: tools often record their arguments in a form of their own.
    ...executed.map((call) => withRequest(call, paired.get(call))),
    ...withoutAll(requests, new Set(paired.values())),
  ]
  return calls.sort((a, b) => a.span.startedMs - b.span.startedMs)
}

type CallPart = Extract<Part, { is: 'call' }>

/** The spans of tools, without those within the span of the same call. */
function ownSpans(spans: readonly ViewSpan[]): ViewSpan[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  return spans.filter((span) => {
    if (!isToolCall(span)) return false
    const parent = byId.get(span.parentSpanId ?? '')
    if (parent === undefined) return true
    // The client's span over MCP, or the server's within the client's.
    const isMcpWithin = span.kind === 'mcp' && isToolCall(parent) && nameOf(parent) === nameOf(span)
    return !isMcpWithin && !isSameToolCall(parent, span)
  })
}

const nameAttributes = [
  'gen_ai.tool.name',
  'tool.name',
  'ai.toolCall.name',
  'spring.ai.tool.definition.name',
]
const idAttributes = ['gen_ai.tool.call.id', 'tool_call.id', 'ai.toolCall.id']

function nameOf({ name, attributes }: ViewSpan): string {
  const reported = nameAttributes.map((one) => attributes[one]).find(isFilledText)
  return reported ?? toolName(name).replace(/^(?:Function: |tool_call )/, '')
}

function isFilledText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

interface Result {
  readonly output: JsonValue
}

/** Results in messages, by the id of the call. */
function readResults(modelCalls: readonly ModelCall[]): ReadonlyMap<string, Result> {
  const results = new Map<string, Result>()
  for (const { messages, response } of modelCalls) {
    for (const part of [...messages, ...response].flatMap(({ parts }) => parts)) {
      if (part.is !== 'result' || part.id === undefined) continue
      results.set(part.id, { output: plainResult(part.output) ?? null })
    }
  }
  return results
}

function fromSpan(span: ViewSpan, results: ReadonlyMap<string, Result>): ToolCall {
  const callId = idAttributes.map((one) => span.attributes[one]).find(isFilledText)
  const own = plainResult(span.output)
  const output = isNothing(own) ? results.get(callId ?? '')?.output : own
  const isMcp = span.kind === 'mcp' || span.attributes['mcp.method.name'] !== undefined
  return {
    ...{ span, hasOwnSpan: true, callId, name: nameOf(span), output, isMcp },
    input: argumentsOf(parsed(span.input)),
    error: span.status === 'ERROR' ? (span.statusMessage ?? 'no error message') : errorIn(output),
  }
}

/** Some senders wrap the arguments: `{input: "{…}"}`, `{arguments: {…}}`, Python's `{args: [], kwargs: {…}}`. */
function argumentsOf(input: unknown): JsonValue {
  if (!isFields(input)) return (input ?? null) as JsonValue
  const names = Object.keys(input)
  const wrapper = 'kwargs' in input ? 'kwargs' : names.length === 1 ? names[0]! : ''
  const inner = argumentWrappers.has(wrapper) ? parsed(input[wrapper]) : undefined
  return (isFields(inner) ? inner : input) as JsonValue
}

/** An only member of the arguments that has such a name is read as a wrapper, although it may be an argument. */
export const argumentWrappers: ReadonlySet<string> = new Set([
  'kwargs',
  'arguments',
  'args',
  'input',
])

/** The result without the message that carries it, in the forms of LangChain and the AI SDK. */
function plainResult(output: unknown): JsonValue | undefined {
  const value = parsed(output)
  if (!isFields(value)) return value as JsonValue | undefined
  const { type, value: inner, output: nested, kwargs, data, content, status } = value
  if ((type === 'json' || type === 'text') && inner !== undefined) return plainResult(inner)
  if (isFields(nested) && ('lc' in nested || 'content' in nested)) return plainResult(nested)
  if ('lc' in value && isFields(kwargs)) return plainResult({ type: 'tool', ...kwargs })
  if (type === 'tool' && isFields(data)) return plainResult({ ...data, type })
  if (type === 'tool' && status !== 'error' && content !== undefined) return plainResult(content)
  return value as JsonValue
}

function fromRequest(
  span: ViewSpan,
  { id, name, input }: CallPart,
  results: ReadonlyMap<string, Result>,
): ToolCall {
  const output = id === undefined ? undefined : results.get(id)?.output
  return {
    ...{ span, hasOwnSpan: false, callId: id, name, output, isMcp: false },
    input: argumentsOf(input),
    error: errorIn(output),
  }
}

function requestedIn(response: readonly ViewMessage[]): CallPart[] {
  return response.flatMap(({ parts }) => parts.filter((part) => part.is === 'call'))
}

/** A response that two spans report requests its calls once. */
function distinctIds(requests: readonly ToolCall[]): ToolCall[] {
  const seen = new Set<string>()
  return requests.filter(({ callId, name, input }) => {
    if (callId === undefined) return true
    const key = `${callId} ${name} ${canonicalJson(input)}`
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

function withRequest(call: ToolCall, request: ToolCall | undefined): ToolCall {
  if (request === undefined) return call
  const output = isNothing(call.output) ? request.output : call.output
  return { ...call, input: request.input, output, error: call.error ?? errorIn(output) }
}

/** The request of each executed call: by id, else by name and arguments, else by name, each in order of time. */
function pair(
  executed: readonly ToolCall[],
  requests: readonly ToolCall[],
): ReadonlyMap<ToolCall, ToolCall> {
  const paired = new Map<ToolCall, ToolCall>()
  const keys: ((call: ToolCall) => string | undefined)[] = [
    ({ callId }) => callId,
    ({ name, input }) => `${name} ${canonicalJson(input)}`,
    ({ name }) => name,
  ]
  for (const keyOf of keys) {
    const free = Map.groupBy(withoutAll(requests, new Set(paired.values())), keyOf)
    for (const call of executed) {
      const key = keyOf(call)
      const request = key === undefined || paired.has(call) ? undefined : free.get(key)?.shift()
      if (request !== undefined) paired.set(call, request)
    }
  }
  return paired
}

function withoutAll<One>(list: readonly One[], removed: ReadonlySet<One>): One[] {
  return list.filter((one) => !removed.has(one))
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || canonicalJson(value) === '{}'
}

/** The message of a result that is an error by its form: MCP's `isError`, or an `error` member that is set. */
function errorIn(output: unknown): string | undefined {
  if (!isFields(output)) return undefined
  if (output['isError'] === true || output['is_error'] === true) return mcpText(output)
  const { error, status } = output
  if (isErrorValue(error)) return textOf(isFields(error) ? (error['message'] ?? error) : error)
  return status === 'error' ? textOf(output['message'] ?? output['content'] ?? 'error') : undefined
}

function isErrorValue(error: unknown): boolean {
  return error !== undefined && error !== null && error !== false && error !== ''
}

function mcpText({ content }: Fields): string {
  const texts = Array.isArray(content)
    ? content.filter(isFields).map((one) => textOf(one['text']))
    : [textOf(content)]
  return texts.join('\n') || 'isError'
}
