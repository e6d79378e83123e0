import { type Fields, isFields } from '@assay/contract/message-parts.ts'
import { argumentWrappers } from '../../domain/trace-view/read-tool-calls.ts'
import type { ToolCall, ToolDefinition } from '../../domain/trace-view/trace-view.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { type Budget, compileSchema, newBudget } from '../json-schema/compile-schema.ts'
import { describeError } from '../json-schema/describe-error.ts'
import { notApplicable, scored } from '../verdicts.ts'
import { quoteCalls } from './quote-call.ts'

const callsMax = 10_000
const definitionsMax = 1000

export const toolArgsValid: DeterministicEvaluator = {
  key: 'agent.tool-args-valid',
  name: 'Tool arguments match schema',
  description:
    'The share of tool calls whose arguments fit the schema of the tool, as the trace records it. An optional argument that is null counts as absent. An argument that the schema does not list is a fault if the schema forbids additional properties, or does not mention them and lists others. Checks the first 10,000 calls; calls of tools without a recorded schema, and schemas that are too large or refer to other documents, are left out. Does not apply when no call can be checked.',
  threshold: 1,
  use: 'gate',
  reads: ['tool calls', 'tool definitions'],
  evaluate({ toolCalls, toolDefinitions }) {
    if (toolCalls.length === 0) return notApplicable('The trace has no tool calls.')
    const checkOf = readSchemas(toolCalls, toolDefinitions)
    if (checkOf.size === 0) {
      return notApplicable('The trace has no definition with a schema of any tool that it calls.')
    }
    const faults = new Map<ToolCall, string>()
    let checked = 0
    for (const call of toolCalls.slice(0, callsMax)) {
      const outcome = isRecorded(call) ? checkOf.get(call.name)?.(call.input) : undefined
      if (outcome === undefined || outcome.is === 'undecided') continue
      checked += 1
      if (outcome.is === 'invalid') faults.set(call, `${call.name}: ${outcome.fault}.`)
    }
    if (checked === 0) {
      return notApplicable('No call has recorded arguments and a schema that can be checked.')
    }
    const issues = [...faults.values()]
    const reasoning =
      issues[0] === undefined
        ? `The arguments of all ${checked} checked tool calls fit their schemas.`
        : `The arguments of ${issues.length} of ${checked} checked tool calls do not fit their schemas. ${issues[0]}`
    const evidence = quoteCalls([...faults.keys()], ({ input }) => input)
    return scored(1 - issues.length / checked, reasoning, { issues, evidence })
  },
}

/** Spans of tools may lack arguments, or have the text that a tool made of them. */
function isRecorded({ input, hasOwnSpan }: ToolCall): boolean {
  return input !== null && !(hasOwnSpan && typeof input === 'string' && !/^\s*[[{]/.test(input))
}

type Outcome =
  | { readonly is: 'valid' | 'undecided' }
  | { readonly is: 'invalid'; readonly fault: string }
type Check = (input: unknown) => Outcome

/** By the name of the tool, of those that are called. */
function readSchemas(
  calls: readonly ToolCall[],
  definitions: readonly ToolDefinition[],
): ReadonlyMap<string, Check> {
  const budget = newBudget()
  const called = new Set(calls.map(({ name }) => name))
  const usable = definitions
    .filter(({ name, parameters }) => called.has(name) && parameters !== undefined)
    .slice(0, definitionsMax)
  const byName = Map.groupBy(usable, ({ name }) => name)
  return new Map([...byName].map(([name, own]) => [name, anyOf(own, budget)]))
}

/** A definition that changed during the trace allows what any of its versions allows. */
function anyOf(definitions: readonly ToolDefinition[], budget: Budget): Check {
  const mode = { isNullAbsent: true, findsAllErrors: false }
  const schemas = definitions.map(({ parameters }) => ({
    schema: compileSchema(closed(parameters!), mode, budget),
    wrapper: findWrapper(parameters!),
  }))
  return (input) => {
    let last: Outcome = { is: 'undecided' }
    for (const { schema, wrapper } of schemas) {
      const errors = typeof schema === 'string' ? undefined : schema.validate(input, budget)
      if (errors === undefined || typeof schema === 'string') return { is: 'undecided' }
      const isValid =
        errors.length === 0 ||
        (wrapper !== undefined && schema.validate({ [wrapper]: input }, budget)?.length === 0)
      if (isValid) return { is: 'valid' }
      last = { is: 'invalid', fault: describeError(errors) }
    }
    return last
  }
}

/** The argument of the schema that the trace view has taken for a wrapper, if it was the only one. */
function findWrapper({ properties }: Fields): string | undefined {
  if (!isFields(properties)) return undefined
  return Object.keys(properties).find((name) => argumentWrappers.has(name))
}

/** Keywords that can allow properties which `properties` does not list. */
const openers = [
  ...['additionalProperties', 'unevaluatedProperties', 'patternProperties', '$ref', 'allOf'],
  ...['anyOf', 'oneOf', 'if', 'dependentSchemas', 'dependencies'],
]

function closed(schema: Fields): Fields {
  const { properties, type } = schema
  const isObject =
    type === undefined || (typeof type === 'string' && /^(?:object|dict)$/i.test(type))
  const listsAll =
    isObject &&
    isFields(properties) &&
    Object.keys(properties).length > 0 &&
    openers.every((name) => schema[name] === undefined)
  return { type: 'object', ...schema, ...(listsAll && { additionalProperties: false }) }
}
