import { isFields } from '@assay/contract/message-parts.ts'
import { closest } from 'fastest-levenshtein'
import type { ToolCall, ToolDefinition, TraceView } from '../../domain/trace-view/trace-view.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { type Check, notApplicable, quoteValue, shareOfGood } from '../verdicts.ts'

const callsMax = 10_000

export const toolsExist: DeterministicEvaluator = {
  key: 'hallucination.tools-exist',
  name: 'No invented tools',
  description:
    'The share of tool calls whose tool is defined in the trace, or listed in `eval.allowed_tools`, and whose arguments are parameters of that tool. With `eval.allowed_tools`, only its tools count as existing. Tools that providers run themselves, such as web search, always exist. Checks the first 10,000 calls. Does not apply to a trace without tool calls, or without definitions and `eval.allowed_tools`.',
  threshold: 1,
  use: 'gate',
  reads: ['tool calls', 'tool definitions', 'eval.allowed_tools'],
  evaluate(trace) {
    const calls = trace.toolCalls.slice(0, callsMax)
    if (calls.length === 0) return notApplicable('The trace has no tool calls.')
    const allowed = readAllowed(trace)
    if (allowed === undefined && trace.toolDefinitions.length === 0) {
      return notApplicable('The trace has no tool definitions and no eval.allowed_tools.')
    }
    const known = new KnownTools(trace.toolDefinitions, allowed)
    return shareOfGood(
      calls.map((call) => check(call, known)),
      ['tool call', 'tool calls'],
    )
  },
}

function readAllowed({ expectations }: TraceView): readonly string[] | undefined {
  const value = expectations.get('allowed_tools')
  if (typeof value === 'string') return value.split(',').map((name) => name.trim())
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined
}

function check(call: ToolCall, known: KnownTools): Check {
  const issue = known.hasTool(call.name) ? parameterIssue(call, known) : toolIssue(call.name, known)
  return {
    isGood: issue === undefined,
    issue: issue ?? '',
    evidence: () => quoteValue(call.span, call.hasOwnSpan ? call.span.name : call.name),
  }
}

function toolIssue(name: string, known: KnownTools): string {
  const nearest = known.nearest(name)
  return `There is no tool "${name}"${nearest === undefined ? '' : `; the nearest is "${nearest}"`}.`
}

function parameterIssue({ name, input }: ToolCall, known: KnownTools): string | undefined {
  const parameters = known.parametersOf(name)
  if (parameters === undefined || !isFields(input)) return undefined
  const unknown = Object.keys(input).filter((one) => !parameters.has(one))
  const [first] = unknown
  if (first === undefined) return undefined
  const nearest = nearestName(first, parameters) ?? ''
  return `"${name}" has no parameter "${first}"${nearest === '' ? '' : `; the nearest is "${nearest}"`}.`
}

/** Tools that a provider runs itself; requests often define them without a name. */
const providerTools =
  /^(?:web_search|web_fetch|file_search|code_interpreter|code_execution|computer|bash|text_editor|str_replace_(?:based_)?edit(?:or)?(?:_tool)?|image_generation|google_search|url_context|memory|tool_search|mcp_list_tools|apply_patch|local_shell)(?:_preview|_call|_\d{4,8}|_retrieval)*$/

class KnownTools {
  readonly #names: ReadonlySet<string>
  readonly #nearest = new Map<string, string | undefined>()
  readonly #parameters = new Map<string, ReadonlySet<string> | undefined>()

  constructor(definitions: readonly ToolDefinition[], allowed: readonly string[] | undefined) {
    this.#names = new Set((allowed ?? definitions.map(({ name }) => name)).map(plainName))
    for (const { name, parameters } of definitions) {
      const own = namesOf(parameters)
      const key = plainName(name)
      const other = this.#parameters.get(key)
      // Of two tools with one name, a parameter of either exists.
      const isFirst = !this.#parameters.has(key)
      const both = own && other && new Set([...own, ...other])
      this.#parameters.set(key, isFirst ? own : both)
    }
  }

  hasTool(name: string): boolean {
    return this.#names.has(plainName(name)) || providerTools.test(name)
  }

  parametersOf(name: string): ReadonlySet<string> | undefined {
    return this.#parameters.get(plainName(name))
  }

  nearest(name: string): string | undefined {
    if (this.#nearest.size === namedMax) return undefined
    const known = this.#nearest.get(name) ?? nearestName(plainName(name), this.#names)
    this.#nearest.set(name, known)
    return known
  }
}

/** Invented tools for which the nearest one is looked for; results do not show more issues. */
const namedMax = 20
const comparedMax = 1000
const comparedLength = 200

/** Of the first 1,000: comparing takes the product of the lengths. */
function nearestName(name: string, names: Iterable<string>): string | undefined {
  const compared = Iterator.from(names)
    .filter((one) => one.length <= comparedLength)
    .take(comparedMax)
    .toArray()
  return compared.length === 0 ? undefined : closest(name.slice(0, comparedLength), compared)
}

/** Without the server in front: `mcp__shop__find`, `functions.find`. */
function plainName(name: string): string {
  return name.replace(/^(?:mcp__[^_]+(?:_[^_]+)*__|functions\.)/, '')
}

/** Undefined when the schema permits other properties, or has none listed. */
function namesOf(parameters: ToolDefinition['parameters']): ReadonlySet<string> | undefined {
  const properties = parameters?.['properties']
  if (!isFields(properties) || Object.keys(properties).length === 0) return undefined
  const isOpen =
    isFields(parameters?.['additionalProperties']) ||
    parameters?.['additionalProperties'] === true ||
    ['patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref'].some((name) => name in parameters!)
  return isOpen ? undefined : new Set(Object.keys(properties))
}
