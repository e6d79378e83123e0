import { type Fields, isFields } from '@assay/contract/message-parts.ts'
import { canonicalJson } from '../../../server/src/domain/trace-view/canonical-json.ts'
import { sampleView } from '../../../server/src/domain/trace-view/trace-view.samples.ts'
import { pick, type Random, seededRandom } from '../../../server/test/credential-samples.ts'
import type { LabeledCase } from '../labeled-case.ts'
import type { ReadFile } from '../labeled-set.ts'

/*
 * The Berkeley Function Calling Leaderboard: questions of users, definitions of tools, and the right calls.
 */

const folder = 'berkeley-function-call-leaderboard/bfcl_eval/data'
const files = [
  ...['simple_python', 'simple_java', 'simple_javascript', 'multiple', 'parallel'],
  ...['parallel_multiple', 'live_simple', 'live_multiple', 'live_parallel'],
  'live_parallel_multiple',
]

interface Call {
  readonly name: string
  readonly args: Fields
}

interface Exercise {
  readonly question: string
  readonly tools: readonly Tool[]
  readonly calls: readonly Call[]
}

interface Tool {
  readonly name: string
  readonly parameters: Fields
}

function readExercises(read: ReadFile): readonly Exercise[] {
  return files.flatMap((name) => {
    const solutions = linesOf(read(`${folder}/possible_answer/BFCL_v4_${name}.json`))
    const calls = new Map(solutions.map((one) => [one.id, one.ground_truth.flatMap(toCalls)]))
    return linesOf(read(`${folder}/BFCL_v4_${name}.json`)).map((one) => ({
      question: (one.question[0] ?? []).map(({ content }) => content).join('\n'),
      tools: one.function.map((tool) => ({ ...tool, parameters: toSchema(tool.parameters) })),
      calls: calls.get(one.id) ?? [],
    }))
  })
}

interface Line {
  readonly id: string
  readonly question: readonly (readonly { readonly content: string }[])[]
  readonly function: readonly Tool[]
  /** By name of the tool; each argument with the values that are right. */
  readonly ground_truth: readonly Readonly<Record<string, Readonly<Record<string, unknown[]>>>>[]
}

function linesOf(content: Buffer): readonly Line[] {
  return content
    .toString()
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line))
}

/** With the first right value of each argument; an empty one means that it may be left out. */
function toCalls(truth: Line['ground_truth'][number]): readonly Call[] {
  return Object.entries(truth).map(([name, args]) => ({ name, args: firstValues(args) }))
}

function firstValues(args: Fields): Fields {
  const chosen = Object.entries(args).map(([key, values]) => [
    key,
    Array.isArray(values) ? values.map(nestedValue)[0] : values,
  ])
  return Object.fromEntries(chosen.filter(([, value]) => value !== ''))
}

function nestedValue(value: unknown): unknown {
  if (isFields(value)) return firstValues(value)
  return Array.isArray(value) ? value.map(nestedValue) : value
}

const typeNames: Readonly<Record<string, string>> = {
  ...{ dict: 'object', float: 'number', tuple: 'array', list: 'array', HashMap: 'object' },
  ...{ Hashtable: 'object', ArrayList: 'array', Array: 'array', String: 'string', char: 'string' },
  ...{ long: 'integer', short: 'integer', byte: 'integer', double: 'number', Boolean: 'boolean' },
  ...{ any: 'any', Bigint: 'integer', bigint: 'integer', Queue: 'array', Stack: 'array' },
}

/** The data has types of Python, Java and JavaScript. */
function toSchema(value: unknown): Fields {
  if (!isFields(value)) return {}
  const { type, properties, items, ...rest } = value
  const known = typeNames[String(type)] ?? type
  return {
    ...rest,
    ...(known === undefined || known === 'any' ? {} : { type: known }),
    ...(isFields(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, one]) => [key, toSchema(one)]),
      ),
    }),
    ...(items !== undefined && { items: toSchema(items) }),
  }
}

function toCase(
  { question, tools }: Exercise,
  calls: readonly Call[],
  isFaulty: boolean,
  attributes: Fields = {},
): LabeledCase {
  const trace = sampleView([
    { kind: 'agent', input: { messages: [{ role: 'user', content: question }] }, attributes },
    {
      kind: 'llm',
      input: {
        messages: [{ role: 'user', content: question }],
        tools: tools.map((tool) => ({ type: 'function', function: tool })),
      },
    },
    ...calls.map(({ name, args }) => ({ kind: 'tool', name, input: { ...args } })),
  ])
  return { text: `${question} ${JSON.stringify(calls)}`, trace, isFaulty }
}

/** A change of one call, or undefined where it has nothing to change. */
type Change = (call: Call, exercise: Exercise, random: Random) => Call | undefined

const dropRequired: Change = (call, { tools }, random) => {
  const required = tools.find(({ name }) => name === call.name)?.parameters['required']
  const present = Array.isArray(required) ? required.filter((one) => one in call.args) : []
  if (present.length === 0) return undefined
  const dropped = pick(random, present)
  const left = Object.entries(call.args).filter(([key]) => key !== dropped)
  return { ...call, args: Object.fromEntries(left) }
}

const addUnknown: Change = (call) => ({ ...call, args: { ...call.args, verbosity_hint: 'high' } })

const changeType: Change = (call, { tools }, random) => {
  const properties = tools.find(({ name }) => name === call.name)?.parameters['properties']
  const typed = Object.keys(call.args).filter(
    (key) => isFields(properties) && isFields(properties[key]) && 'type' in properties[key],
  )
  if (typed.length === 0) return undefined
  const key = pick(random, typed)
  const wrong = typeof call.args[key] === 'object' ? 'text' : [{ value: call.args[key] }]
  return { ...call, args: { ...call.args, [key]: wrong } }
}

const renameTool: Change = (call) => ({ ...call, name: `${call.name}_all` })

const renameArgument: Change = (call, _exercise, random) => {
  const keys = Object.keys(call.args)
  if (keys.length === 0) return undefined
  const renamed = pick(random, keys)
  const args = Object.entries(call.args).map(([key, value]) => [
    key === renamed ? `${key}_value` : key,
    value,
  ])
  return { ...call, args: Object.fromEntries(args) }
}

/** Each exercise as it is, and once with a change of one call. */
function changedCases(read: ReadFile, changes: readonly Change[]): LabeledCase[] {
  const random = seededRandom(4)
  return readExercises(read).flatMap((exercise, index) => {
    const { calls } = exercise
    if (calls.length === 0) return []
    const at = Math.floor(random() * calls.length)
    const change = changes[index % changes.length]!
    const changed = change(calls[at]!, exercise, random)
    return [
      toCase(exercise, calls, false),
      ...(changed === undefined ? [] : [toCase(exercise, calls.with(at, changed), true)]),
    ]
  })
}

export const argumentCases = (read: ReadFile) =>
  changedCases(read, [dropRequired, addUnknown, changeType])

export const toolNameCases = (read: ReadFile) => changedCases(read, [renameTool, renameArgument])

/** The right calls in another order, and the same without one, with another one, or with another tool. */
export function expectedCallCases(read: ReadFile): LabeledCase[] {
  const random = seededRandom(5)
  return readExercises(read).flatMap((exercise, index) => {
    const { calls, tools } = exercise
    if (calls.length === 0) return []
    const attributes = {
      'eval.expected_tools': JSON.stringify(calls.map(({ name, args }) => ({ name, args }))),
    }
    const at = Math.floor(random() * calls.length)
    const other = tools.find(({ name }) => calls.every((call) => call.name !== name))
    const wrong = [
      calls.toSpliced(at, 1),
      calls.toSpliced(at, 0, { name: other?.name ?? 'find_more', args: {} }),
      calls.with(at, { name: other?.name ?? 'find_more', args: calls[at]!.args }),
    ][index % 3]!
    return [
      toCase(exercise, calls.toReversed(), false, attributes),
      toCase(exercise, wrong, true, attributes),
    ]
  })
}

/** The right calls, and the same with the texts and numbers of another exercise. */
export function inventedArgumentCases(read: ReadFile): LabeledCase[] {
  const random = seededRandom(6)
  const exercises = readExercises(read).filter(({ calls }) => calls.length > 0)
  return exercises.flatMap((exercise) => {
    const others = pick(random, exercises).calls.flatMap(({ args }) => leavesOf(args))
    const invented = exercise.calls.map((call) => ({
      ...call,
      args: Object.fromEntries(
        Object.entries(call.args).map(([key, value]) => [
          key,
          others.find((one) => typeof one === typeof value && one !== value) ?? value,
        ]),
      ),
    }))
    const isChanged = canonicalJson(invented) !== canonicalJson(exercise.calls)
    return [
      toCase(exercise, exercise.calls, false),
      ...(isChanged ? [toCase(exercise, invented, true)] : []),
    ]
  })
}

function leavesOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(leavesOf)
    : [value]
}
