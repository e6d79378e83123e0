import { type Fields, isFields, parsed } from '@assay/contract/message-parts.ts'
import { toolName } from '../../domain/tool-calls.ts'
import type { TraceView, ViewSpan } from '../../domain/trace-view/trace-view.ts'
import { quoteIn } from '../agent/quote-call.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { type Budget, compileSchema, newBudget } from '../json-schema/compile-schema.ts'
import { describeError } from '../json-schema/describe-error.ts'
import { type Check, notApplicable, shareOfGood } from '../verdicts.ts'

const callsMax = 5000

export const protocolConformance: DeterministicEvaluator = {
  key: 'mcp.protocol-conformance',
  name: 'MCP results conform',
  description:
    'The share of MCP tool results that follow the protocol: `content` is a list of known types, `structuredContent` is an object that fits the `outputSchema` of the tool, failures set `isError` instead of being reported as text, and JSON-RPC errors have a code that the protocol defines. An error -32602 is legal and reported as a mistake of the agent. Checks the first 5,000 calls, and results whose spans contain the whole result. Does not apply when no span does.',
  threshold: 0.9,
  use: 'gate',
  reads: ['tool calls', 'tool definitions'],
  evaluate(trace) {
    const schemas = new OutputSchemas(trace)
    const checks = trace.spans
      .filter(isToolCall)
      .slice(0, callsMax)
      .flatMap((span) => checkOf(span, schemas) ?? [])
    if (checks.length === 0) return notApplicable('The trace records no whole MCP results.')
    const verdict = shareOfGood(checks, ['MCP result', 'MCP results'])
    const rejected = checks.filter(({ isOfAgent }) => isOfAgent).length
    if (rejected === 0) return verdict
    const note = `The agent sent invalid parameters (-32602) in ${rejected} of ${checks.length} calls.`
    return { ...verdict, reasoning: `${verdict.reasoning} ${note}` }
  },
}

function isToolCall({ kind, name, attributes }: ViewSpan): boolean {
  const method = attributes['mcp.method.name']
  return (
    kind === 'mcp' &&
    (method === undefined ? /\btools\/call\b/.test(name) : method === 'tools/call')
  )
}

interface McpCheck extends Check {
  /** The server rejected the parameters of the call. */
  readonly isOfAgent: boolean
}

/** Undefined when the span has neither the result nor an error code. */
function checkOf(span: ViewSpan, schemas: OutputSchemas): McpCheck | undefined {
  const output = parsed(span.output)
  const code = errorCode(span, output)
  const name = nameOf(span)
  const check = (issue: string | undefined, value: unknown): McpCheck => ({
    isGood: issue === undefined,
    issue: `${name} ${issue}.`,
    evidence: () => quoteIn(span, value),
    isOfAgent: code === invalidParams,
  })
  if (code !== undefined) {
    const issue = isDefinedCode(code) ? undefined : `failed with the undefined error code ${code}`
    return check(issue, span.statusMessage)
  }
  if (!isFields(output)) return undefined
  const result = isFields(output['result']) && 'jsonrpc' in output ? output['result'] : output
  return check(issueOf(result, name, schemas), span.output)
}

function nameOf({ name, attributes }: ViewSpan): string {
  const reported = attributes['gen_ai.tool.name']
  return typeof reported === 'string' && reported !== '' ? reported : toolName(name)
}

const invalidParams = -32_602
const codeAttributes = [
  'rpc.response.status_code',
  'rpc.jsonrpc.error_code',
  'jsonrpc.error.code',
  'error.type',
]

function errorCode({ attributes }: ViewSpan, output: unknown): number | undefined {
  const error = isFields(output) ? output['error'] : undefined
  const inside = isFields(error) ? error['code'] : undefined
  return [inside, ...codeAttributes.map((name) => attributes[name])]
    .map((value) => (typeof value === 'string' && /^-\d{5}$/.test(value) ? Number(value) : value))
    .find((value) => typeof value === 'number' && Number.isInteger(value) && value !== 0) as
    | number
    | undefined
}

/** JSON-RPC reserves -32768 to -32000; of these it defines five, and leaves -32099 to -32000 to servers. */
function isDefinedCode(code: number): boolean {
  const isReserved = code >= -32_768 && code <= -32_000
  const isDefined = code === -32_700 || (code >= -32_603 && code <= -32_600) || code >= -32_099
  return !isReserved || isDefined
}

/** Completes the name of the tool; undefined for a result that conforms. */
function issueOf(result: Fields, name: string, schemas: OutputSchemas): string | undefined {
  const { content, structuredContent, isError } = result
  if (!Array.isArray(content)) return 'returned no list `content`'
  const item = content.find((one) => !isContent(one))
  if (item !== undefined) {
    const type: unknown = isFields(item) ? item['type'] : undefined
    return `returned content of the form ${JSON.stringify(type) ?? 'undefined'} that the protocol does not define`
  }
  if (isError !== undefined && typeof isError !== 'boolean')
    return 'returned an `isError` that is no boolean'
  if (structuredContent !== undefined && !isFields(structuredContent)) {
    return 'returned a `structuredContent` that is no object'
  }
  if (isError === true) return undefined
  if (isErrorInProse(content)) return 'reported an error as text, without `isError`'
  return schemas.issueOf(name, structuredContent)
}

function isContent(item: unknown): boolean {
  if (!isFields(item)) return false
  const has = (...names: string[]) => names.every((one) => typeof item[one] === 'string')
  switch (item['type']) {
    case 'text':
      return has('text')
    case 'image':
    case 'audio':
      return has('data', 'mimeType')
    case 'resource_link':
      return has('uri', 'name')
    case 'resource':
      return isFields(item['resource']) && typeof item['resource']['uri'] === 'string'
    default:
      return false
  }
}

function isErrorInProse(content: readonly unknown[]): boolean {
  const [first] = content
  return (
    content.length === 1 &&
    isFields(first) &&
    typeof first['text'] === 'string' &&
    /^\s{0,10}(?:error(?: \d{3})?:|(?:\w{1,40}\.)?\w{1,40}(?:Error|Exception):|Traceback \(most recent call last\)|(?:tool )?(?:execution|call) failed|failed to |internal server error)/i.test(
      first['text'],
    )
  )
}

const mode = { isNullAbsent: false, findsAllErrors: false }

/** By the name of the tool, of those that MCP servers list. */
class OutputSchemas {
  readonly #budget: Budget = newBudget()
  readonly #schemas = new Map<string, unknown>()
  readonly #compiled = new Map<string, ReturnType<typeof compileSchema>>()

  constructor({ toolDefinitions }: TraceView) {
    for (const { name, isMcp, outputSchema } of toolDefinitions) {
      if (isMcp && outputSchema !== undefined) this.#schemas.set(name, outputSchema)
    }
  }

  issueOf(name: string, value: unknown): string | undefined {
    const schema = this.#schemas.get(name)
    if (schema === undefined) return undefined
    if (value === undefined) return 'has an `outputSchema`, but returned no `structuredContent`'
    const compiled = this.#compiled.get(name) ?? compileSchema(schema, mode, this.#budget)
    this.#compiled.set(name, compiled)
    const errors = typeof compiled === 'string' ? [] : compiled.validate(value, this.#budget)
    if (errors === undefined || errors.length === 0) return undefined
    return `returned a \`structuredContent\` that does not fit its schema: ${describeError(errors)}`
  }
}
