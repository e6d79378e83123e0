import { type Fields, isFields, parsed } from '@assay/contract/message-parts.ts'
import { canonicalJson, textOf } from '../../domain/trace-view/canonical-json.ts'
import type { Expectations, ToolCall } from '../../domain/trace-view/trace-view.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { formatShare } from '../quantities.ts'
import { commonSubsequence, f1 } from '../texts.ts'
import { notApplicable, scored } from '../verdicts.ts'
import { assign } from './assign.ts'
import { quoteCalls } from './quote-call.ts'

const expectedMax = 200
const callsMax = 2000
/** Of one tool. Pairing takes cubic time. */
const pairedMax = 100

export const trajectoryMatch: DeterministicEvaluator = {
  key: 'agent.trajectory-match',
  name: 'Expected tools used',
  description:
    'Compares the tool calls with `eval.expected_tools`: a list of names, or of `{name, args}` where each argument counts. `eval.match_mode` is `exact` (the same calls in the same order), `in_order` (the expected calls occur in this order, others may occur between them), `any_order` or `superset` (they occur in any order), `subset` (no other calls occur), or `f1`, the default, which counts both missing and other calls. The score is the share that matches; a call whose arguments differ counts in part. Reads the first 200 expected and 2,000 actual calls. Does not apply without expected tools.',
  threshold: 0.8,
  use: 'gate',
  reads: ['tool calls', 'eval.expected_tools', 'eval.match_mode'],
  evaluate({ toolCalls, expectations }) {
    const expected = readExpected(expectations)
    if (expected === undefined) return notApplicable('The trace has no `eval.expected_tools`.')
    const mode = textOf(expectations.get('match_mode') ?? 'f1')
    const match = modes.get(mode)
    if (match === undefined) {
      const issue = `"${mode}" is not a match mode. Use one of ${[...modes.keys()].join(', ')}.`
      return scored(0, issue, { issues: [issue] })
    }
    const actual = toolCalls.slice(0, callsMax)
    const { score, missing, extra } = match(expected, actual)
    const issues = [
      ...missing.map(({ name }) => `The expected call of ${name} is missing.`),
      ...extra.map(({ name }) => `The call of ${name} is not expected.`),
    ]
    const reasoning = `The ${actual.length} tool calls match ${formatShare(score)} of the ${expected.length} expected ones (${mode}).`
    if (score === 1) return scored(1, reasoning)
    const fallback = 'The calls are expected, but in another order or with other arguments.'
    return scored(score, `${reasoning} ${issues[0] ?? fallback}`, {
      issues: issues.length > 0 ? issues : [fallback],
      evidence: quoteCalls(extra, ({ name }) => name),
    })
  },
}

interface Expected {
  readonly name: string
  /** Undefined: any. */
  readonly args: Fields | undefined
}

/** Undefined without any; names may be separated by commas, as in a tag. */
function readExpected(expectations: Expectations): readonly Expected[] | undefined {
  const value = expectations.get('expected_tools')
  const list = typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value
  if (!Array.isArray(list)) return undefined
  const tools = list.flatMap((one: unknown): Expected[] => {
    if (typeof one === 'string') return one === '' ? [] : [{ name: one, args: undefined }]
    if (!isFields(one) || typeof one['name'] !== 'string') return []
    const args = parsed(one['args'] ?? one['arguments'] ?? one['input'])
    return [{ name: one['name'], args: isFields(args) ? args : undefined }]
  })
  return list.length > 0 && tools.length === 0 ? undefined : tools.slice(0, expectedMax)
}

interface Match {
  readonly score: number
  readonly missing: readonly Expected[]
  readonly extra: readonly ToolCall[]
}

type Matcher = (expected: readonly Expected[], actual: readonly ToolCall[]) => Match

const modes: ReadonlyMap<string, Matcher> = new Map<string, Matcher>([
  ['exact', matchExactly],
  ['in_order', matchInOrder],
  ['any_order', matchSuperset],
  ['superset', matchSuperset],
  ['subset', matchSubset],
  ['f1', matchBoth],
])

function matchExactly(expected: readonly Expected[], actual: readonly ToolCall[]): Match {
  const length = Math.max(expected.length, actual.length)
  const common = Math.min(expected.length, actual.length)
  let sum = 0
  for (let n = 0; n < common; n++) sum += weigh(expected[n]!, actual[n]!)
  return { ...pair(expected, actual), score: length === 0 ? 1 : sum / length }
}

function matchInOrder(expected: readonly Expected[], actual: readonly ToolCall[]): Match {
  const { missing } = pair(expected, actual)
  const common = commonSubsequence(expected, actual, weigh)
  return { score: expected.length === 0 ? 1 : common / expected.length, missing, extra: [] }
}

function matchSuperset(expected: readonly Expected[], actual: readonly ToolCall[]): Match {
  const { sum, missing } = pair(expected, actual)
  return { score: expected.length === 0 ? 1 : sum / expected.length, missing, extra: [] }
}

function matchSubset(expected: readonly Expected[], actual: readonly ToolCall[]): Match {
  const { sum, extra } = pair(expected, actual)
  return { score: actual.length === 0 ? 1 : sum / actual.length, missing: [], extra }
}

function matchBoth(expected: readonly Expected[], actual: readonly ToolCall[]): Match {
  const { sum, missing, extra } = pair(expected, actual)
  return { score: f1(sum, expected.length, actual.length), missing, extra }
}

interface Pairs {
  readonly sum: number
  readonly missing: readonly Expected[]
  readonly extra: readonly ToolCall[]
}

/** Expected and actual calls of each tool, paired so that most arguments agree. */
function pair(expected: readonly Expected[], actual: readonly ToolCall[]): Pairs {
  const calls = Map.groupBy(actual, ({ name }) => name)
  const paired = new Set<Expected | ToolCall>()
  let sum = 0
  for (const [name, own] of Map.groupBy(expected, (one) => one.name)) {
    const rows = own.slice(0, pairedMax)
    const columns = (calls.get(name) ?? []).slice(0, pairedMax)
    const weights = rows.map((one) => columns.map((call) => weigh(one, call)))
    for (const [row, column] of assign(weights).entries()) {
      if (column === -1) continue
      sum += weights[row]![column]!
      paired.add(rows[row]!).add(columns[column]!)
    }
  }
  const missing = expected.filter((one) => !paired.has(one))
  return { sum, missing, extra: actual.filter((one) => !paired.has(one)) }
}

/** Half for the tool, half for the share of expected arguments that are equal. */
function weigh({ name, args }: Expected, call: ToolCall): number {
  if (name !== call.name) return 0
  const fields = Object.entries(args ?? {})
  if (fields.length === 0) return 1
  const given = isFields(call.input) ? call.input : {}
  const equal = fields.filter(
    ([key, value]) =>
      Object.hasOwn(given, key) && canonicalJson(given[key]) === canonicalJson(value),
  )
  return 0.5 + (0.5 * equal.length) / fields.length
}
