import { createHash } from 'node:crypto'
import { limits } from '@assay/contract/limits.ts'
import { type Fields, isFields } from '@assay/contract/message-parts.ts'
import { textOf } from '../../domain/trace-view/canonical-json.ts'
import type { ToolCall, ToolDefinition, TraceView } from '../../domain/trace-view/trace-view.ts'
import type { CountTokens } from './count-calls.ts'
import { cutText } from './cut-text.ts'
import { evenly } from './evenly.ts'
import { samplesMax, type ToolFacts, toolsMax } from './run-facts.ts'

/*
 * The tools of a run: those that were defined, and those that were called, with how often they fail, how long they take
 * and how much they return.
 */

/** Most calls first. */
export function readTools(
  { toolDefinitions, toolCalls }: TraceView,
  countTokens: CountTokens,
): ToolFacts[] {
  const definitions = Map.groupBy(toolDefinitions, ({ name }) => name)
  const calls = Map.groupBy(toolCalls, ({ name }) => name)
  const countOutput = withinCharacters(countTokens)
  return [...new Set([...definitions.keys(), ...calls.keys()])]
    .filter((name) => name !== '' && name.length <= limits.agentToolNameLength.value)
    .map((name) => ({ name, of: definitions.get(name) ?? [], calls: calls.get(name) ?? [] }))
    .toSorted((a, b) => b.calls.length - a.calls.length)
    .slice(0, toolsMax)
    .map(({ name, of, calls: made }) => ({
      ...toFacts(name, of, made),
      errors: made.filter(({ error }) => error !== undefined).length,
      latenciesMs: evenly(made, samplesMax).flatMap(({ span, hasOwnSpan }) =>
        hasOwnSpan ? [Math.max(span.endedMs - span.startedMs, 0)] : [],
      ),
      outputTokens: evenly(made, samplesMax).flatMap(({ output }) => countOutput(output) ?? []),
    }))
}

/** Of the results that are counted for a run, and of each: unusual texts take seconds per megabyte. */
const outputCharactersMax = 300_000
const outputLengthMax = 10_000

/** Undefined without a result, and once too many were counted. A long one counts in proportion to its beginning. */
function withinCharacters(countTokens: CountTokens) {
  let characters = 0
  return (output: ToolCall['output']): number | undefined => {
    if (output === undefined) return undefined
    const text = textOf(output)
    const start = cutText(text, outputLengthMax)
    characters += start.length
    if (start === '' || characters > outputCharactersMax) return undefined
    const counts = Object.values(countTokens(start)).reduce((sum, one) => sum + one, 0)
    return Math.round((counts * text.length) / start.length)
  }
}

/** Longer than the one of an agent configuration. */
const descriptionMax = 2000
const definitionsMax = 20

function toFacts(
  name: string,
  definitions: readonly ToolDefinition[],
  calls: readonly ToolCall[],
): Omit<ToolFacts, 'errors' | 'latenciesMs' | 'outputTokens'> {
  const newest = definitions.at(-1)
  const schema = newest === undefined ? schemaOf(calls) : newest.parameters
  const parameters = schema === undefined ? null : fittingJson(schema)
  return {
    ...{ name, description: cutText(newest?.description ?? '', descriptionMax), parameters },
    isTooLong: schema !== undefined && parameters === null,
    isDefined: newest !== undefined,
    isMcp: newest?.isMcp ?? calls.some(({ isMcp }) => isMcp),
    definitions: [...new Set(definitions.slice(-definitionsMax).map(toHash))],
    calls: calls.length,
  }
}

function toHash({ description, parameters }: ToolDefinition): string {
  const text = JSON.stringify([description, parameters])
  return createHash('sha256').update(text).digest('base64')
}

/** Without the descriptions of its members if it is too long with them; null if it is too long without them, too. */
function fittingJson(schema: Fields): string | null {
  const max = limits.extractedSchemaLength.value
  const whole = JSON.stringify(schema)
  if (whole.length <= max) return whole
  const short = JSON.stringify(schema, (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  )
  return short.length <= max ? short : null
}

const argumentsMax = 50
const callsMax = 100

/** What the arguments of its calls show. */
function schemaOf(calls: readonly ToolCall[]): Fields | undefined {
  const inputs = calls.slice(0, callsMax).map(({ input }) => input)
  const objects = inputs.filter((input) => isFields(input))
  const types = new Map<string, string | undefined>()
  for (const [name, value] of objects.flatMap((input) => Object.entries(input))) {
    const type = typeOf(value)
    const isNew = !types.has(name)
    if (isNew && types.size < argumentsMax) types.set(name, type)
    else if (!isNew && types.get(name) !== type) types.set(name, undefined)
  }
  if (objects.length === 0) return undefined
  const properties = [...types].map(([name, type]) => [name, type === undefined ? {} : { type }])
  return { type: 'object', properties: Object.fromEntries(properties) as Fields }
}

function typeOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'array'
  if (value === null) return undefined
  return typeof value
}
