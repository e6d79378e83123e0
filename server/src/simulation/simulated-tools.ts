import type { AgentTool } from '@assay/contract/agent-config.ts'
import { limits } from '@assay/contract/limits.ts'
import { isSchema, parseParameters } from '../domain/tool-parameters.ts'
import { canonicalJson } from '../domain/trace-view/canonical-json.ts'
import type { RequestedCall } from '../model-gateway/model-call.ts'
import { openRandom } from '../scenarios/random.ts'
import { inventBySchema, inventRecord, parseResultSchema } from './invent-result.ts'
import { openRecordState, type RecordState, readEffect, type ToolEffect } from './record-state.ts'

/*
 * Answers the calls of tools in a conversation, without side effects: from recorded answers, else from the records of the
 * conversation, else by the schema of the result, else by a model, else invented. The same call in the same state has the
 * same answer for every model that is compared.
 */

export interface ToolAnswer {
  readonly text: string
  readonly isError: boolean
}

/** What recorded runs show of tools. */
export interface RecordedTools {
  /** By `toCallKey`. */
  readonly answers: ReadonlyMap<string, string>
  /** By the name of the tool. */
  readonly behavior: ReadonlyMap<string, ToolBehavior>
}

export interface ToolBehavior {
  readonly calls: number
  readonly errors: number
  /** Characters of its results, in the order of the runs. */
  readonly lengths: readonly number[]
}

export const nothingRecorded: RecordedTools = { answers: new Map(), behavior: new Map() }

/** Undefined if it cannot answer. */
export type AnswerByModel = (
  tool: AgentTool,
  input: Fields,
  state: string,
  /** In characters; undefined: a usual one. */
  length: number | undefined,
) => Promise<string | undefined>

export interface SimulatedToolsOptions {
  readonly toolsByName: ReadonlyMap<string, AgentTool>
  /** Of the scenario, so that scenarios differ. */
  readonly seed: string
  readonly recorded: RecordedTools
  /** Undefined: no model is called. */
  readonly answerByModel: AnswerByModel | undefined
  /** The share of calls that fail at the first attempt, of tools without recorded calls. */
  readonly errorRate?: number
}

type Fields = Readonly<Record<string, unknown>>

const usualErrorRate = 0.02
/** The recorded calls that it counts as. */
const usualErrorCalls = 20
/** Fewer recorded results do not show how long others are. */
const lengthsMin = 5

export function toCallKey(toolName: string, input: unknown): string {
  return `${toolName} ${canonicalJson(input)}`
}

/** The tools of one conversation. Rejects only as `answerByModel` does. */
export function openSimulatedTools(options: SimulatedToolsOptions) {
  const { toolsByName, errorRate = usualErrorRate } = options
  const state = openRecordState()
  const failed = new Set<string>()

  return async ({ name, input }: Pick<RequestedCall, 'name' | 'input'>): Promise<ToolAnswer> => {
    const tool = toolsByName.get(name)
    if (tool === undefined) return problem(`There is no tool with the name ${name}.`)
    if (input === undefined) return problem('The arguments are not a JSON object.')
    const missing = listMissing(tool, input)
    if (missing.length > 0) return problem(`Missing arguments: ${missing.join(', ')}.`)
    const key = toCallKey(tool.name, input)
    const seed = `${options.seed} ${key}`
    const behavior = options.recorded.behavior.get(tool.name)
    const rate = rateOf(behavior, errorRate)
    const isUnlucky = openRandom(`error ${seed}`).below(1000) < rate * 1000
    if (isUnlucky && !failed.has(key)) {
      failed.add(key)
      return problem('The service is temporarily unavailable. Try again.')
    }
    const lengths = behavior?.lengths ?? []
    const length =
      lengths.length < lengthsMin
        ? undefined
        : lengths[openRandom(`length ${seed}`).below(lengths.length)]
    const answer = await answerCall({ tool, input, key, seed, length }, state, options)
    return 'problem' in answer
      ? problem(answer.problem)
      : { text: cut(answer.text), isError: false }
  }
}

interface Called {
  readonly tool: AgentTool
  readonly input: Fields
  readonly key: string
  readonly seed: string
  /** Of a recorded result of the tool. */
  readonly length: number | undefined
}

/** With few recorded calls, the usual rate counts most. */
function rateOf(behavior: ToolBehavior | undefined, usual: number): number {
  if (behavior === undefined) return usual
  const { calls, errors } = behavior
  return (errors + usual * usualErrorCalls) / (calls + usualErrorCalls)
}

type Answer = { readonly text: string } | { readonly problem: string }

async function answerCall(
  { tool, input, key, seed, length }: Called,
  state: RecordState,
  { recorded, answerByModel }: SimulatedToolsOptions,
): Promise<Answer> {
  const known = recorded.answers.get(key)
  if (known !== undefined) return { text: known }
  const effect = readEffect(tool.name)
  const found = effect === undefined ? 'unknown' : state.apply(effect, input, seed)
  if (found !== 'unknown') return 'problem' in found ? found : { text: JSON.stringify(found.value) }
  const keep = (value: unknown) => (effect === undefined ? value : state.keep(effect, input, value))
  const schema = parseResultSchema(tool)
  if (schema !== undefined) return { text: JSON.stringify(keep(inventBySchema(schema, seed))) }
  const written = await answerByModel?.(tool, input, state.describe(effect), length)
  if (written !== undefined) return { text: keepText(written, keep) }
  return { text: JSON.stringify(keep(invent(effect, input, { seed, length }))) }
}

/** A text of a model is usually JSON. */
function keepText(written: string, keep: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(keep(JSON.parse(written)))
  } catch {
    return written
  }
}

function invent(
  effect: ToolEffect | undefined,
  input: Fields,
  { seed, length }: Pick<Called, 'seed' | 'length'>,
): unknown {
  if (effect?.effect !== 'list') return inventRecord(input, seed, length)
  const random = openRandom(seed)
  const count = 1 + random.below(3)
  return Array.from({ length: count }, (_, at) => {
    const id = `${effect.entity.slice(0, 3).toUpperCase()}-${10_000 + random.below(89_999)}`
    return inventRecord({ id }, `${seed} ${at}`, length && length / count)
  })
}

function listMissing({ content = '' }: AgentTool, input: Fields): string[] {
  const schema = parseParameters(content)
  const required = isSchema(schema) ? schema['required'] : undefined
  if (!Array.isArray(required)) return []
  return required.filter(
    (name): name is string => typeof name === 'string' && !Object.hasOwn(input, name),
  )
}

function problem(message: string): ToolAnswer {
  return { text: JSON.stringify({ error: message }), isError: true }
}

function cut(text: string): string {
  const most = limits.toolResultLength.value
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`
}
