import type { Volumes } from '@assay/contract/cost-calculator.ts'
import { type ScenarioCategory, scenarioCategories } from '@assay/contract/scenarios.ts'
import type { AgentCounts } from './agent-counts.ts'
import { type CallShares, callShares } from './call-counts.ts'
import { allocateCategories, type CategoryMix } from './category-mix.ts'
import { fixedTokens, type ModelTraits, messageFactor, traitsOf } from './model-traits.ts'
import {
  meanOf,
  type Origin,
  originOf,
  type Sourced,
  spreadOf,
  withPrior,
} from './recorded-volumes.ts'

/*
 * What the runs of an agent look like, independent of the model: how many calls, and how much each adds to the context
 * that the next one sends again. Tokens are those of o200k.
 */

export interface RunShape {
  readonly runs: number
  readonly meanCalls: number
  readonly callsSpread: number
  readonly shares: CallShares
  readonly turns: number
  /** The first message of the user. */
  readonly openingTokens: number
  /** Per call. */
  readonly outputTokens: number
  /** Whether `outputTokens` has reasoning. */
  readonly includesReasoning: boolean
  /** Tool results and messages of the user between two calls, with the output of the first one. */
  readonly growthTokens: number
}

export interface RunShapes {
  readonly shapes: readonly RunShape[]
  readonly assumptions: readonly Assumption[]
  /** Of the cost of a run: the standard deviation of its logarithm. */
  readonly runSpread: number
  /** The recorded runs that the values are of; 0 if none. */
  readonly recordedRuns: number
  readonly runsPerMonth: number | undefined
}

export interface Assumption extends Sourced {
  readonly name: string
  readonly unit: string
}

export interface Scenarios {
  readonly scenarioCount: number
  readonly includeMultiTurn: boolean
  /** The share of each category. Default: the mix of generated scenarios. */
  readonly mix?: CategoryMix
  readonly volumes?: Volumes | undefined
  /** The model whose tokens the volumes are. Default: one of OpenAI. */
  readonly recordedWith?: ModelTraits | undefined
}

export function shapeRuns(counts: AgentCounts, scenarios: Scenarios): RunShapes {
  const { volumes } = scenarios
  const hasTools = counts.toolCount > 0
  const runSpread = spreadOf(volumes, ['tokens_in', 'llm_calls', 'turns'], priorRunSpread)
  const isMeasured = volumes !== undefined && measuredKeys(volumes).length > 0
  const shapes = isMeasured
    ? [measuredShape(counts, scenarios, volumes)]
    : priorShapes(scenarios, hasTools)
  return {
    shapes: shapes.map(({ shape }) => shape),
    assumptions: [
      ...shapes.flatMap(({ assumptions }) => assumptions),
      { name: 'run_cost_spread', ...runSpread, unit: 'standard deviation of the logarithm' },
      ...monthly(volumes),
    ],
    runSpread: runSpread.value,
    recordedRuns: isMeasured ? (volumes.runs ?? userRuns) : 0,
    runsPerMonth: volumes?.runs_per_month,
  }
}

/** Of the cost of a run; recorded runs of one agent have 0.74. */
const priorRunSpread = 0.8
/** What a caller assumes is as uncertain as the mean of so many runs. */
const userRuns = 4

function measuredKeys(volumes: Volumes): string[] {
  return Object.entries(volumes)
    .filter(([name, value]) => value !== undefined && !notOfShape.has(name))
    .map(([name]) => name)
}

const notOfShape = new Set([
  ...['runs', 'runs_per_month', 'runs_per_month_origin', 'model', 'counter_factors'],
  ...['cached_share', 'by_model'],
])

function monthly(volumes: Volumes | undefined): Assumption[] {
  const value = volumes?.runs_per_month
  if (value === undefined) return []
  const origin = volumes?.runs_per_month_origin ?? originOf(volumes)
  return [{ name: 'runs_per_month', value, unit: 'runs', origin }]
}

interface ShapeWithAssumptions {
  readonly shape: RunShape
  readonly assumptions: readonly Assumption[]
}

interface Prior {
  readonly turns: number
  readonly calls: number
  readonly callsSpread: number
}

/** Of agents with tools, from public runs of a support agent. */
const toolPriors: Readonly<Record<ScenarioCategory, Prior>> = {
  happy_path: { turns: 1, calls: 3, callsSpread: 0.4 },
  edge_case: { turns: 1.5, calls: 4.5, callsSpread: 0.5 },
  refusal: { turns: 1, calls: 1.8, callsSpread: 0.4 },
  multi_turn: { turns: 7, calls: 12.3, callsSpread: 0.47 },
}

/** An agent without tools makes a call for each message of the user. */
const chatPriors: Readonly<Record<ScenarioCategory, Prior>> = {
  happy_path: { turns: 1, calls: 1, callsSpread: 0 },
  edge_case: { turns: 1.5, calls: 1.5, callsSpread: 0.4 },
  refusal: { turns: 1, calls: 1, callsSpread: 0 },
  multi_turn: { turns: 6, calls: 6, callsSpread: 0.4 },
}

const userTokens = 26
const toolOutputTokens = 235
const toolAgentOutputTokens = 61
const chatOutputTokens = 200

function priorsOf(hasTools: boolean) {
  return {
    byCategory: hasTools ? toolPriors : chatPriors,
    outputTokens: hasTools ? toolAgentOutputTokens : chatOutputTokens,
  }
}

function priorShapes(scenarios: Scenarios, hasTools: boolean): ShapeWithAssumptions[] {
  const runs = allocateCategories(scenarios)
  const { byCategory, outputTokens } = priorsOf(hasTools)
  return scenarioCategories
    .filter((category) => runs[category] > 0)
    .map((category) => {
      const { turns, calls, callsSpread } = byCategory[category]
      const added = { turns, toolCalls: calls - turns, calls, toolOutput: toolOutputTokens }
      const growthTokens = outputTokens + addedTokens(added)
      const origin: Origin = 'prior'
      const named = (name: string) => `${category}.${name}`
      return {
        shape: {
          runs: runs[category],
          ...{ meanCalls: calls, callsSpread, shares: callShares(calls, callsSpread), turns },
          ...{ openingTokens: userTokens, outputTokens, includesReasoning: false, growthTokens },
        },
        assumptions: [
          { name: named('runs'), value: runs[category], unit: 'runs', origin },
          { name: named('turns_per_run'), value: turns, unit: 'turns', origin },
          { name: named('calls_per_run'), value: calls, unit: 'calls', origin },
          { name: named('output_per_call'), value: outputTokens, unit: 'tokens', origin },
          { name: named('growth_per_call'), value: growthTokens, unit: 'tokens', origin },
        ],
      }
    })
}

interface Added {
  readonly turns: number
  readonly calls: number
  readonly toolCalls: number
  readonly toolOutput: number
}

/** Between two calls, in the mean: messages of the user after its first one, and results of tools. */
function addedTokens({ turns, calls, toolCalls, toolOutput }: Added): number {
  if (calls <= 1) return 0
  const tokens = Math.max(turns - 1, 0) * userTokens + Math.max(toolCalls, 0) * toolOutput
  return tokens / (calls - 1)
}

/** One shape for all runs: the mix of categories is that of the recorded runs. */
function measuredShape(
  counts: AgentCounts,
  { scenarioCount, includeMultiTurn, recordedWith = traitsOf('gpt-4o') }: Scenarios,
  volumes: Volumes,
): ShapeWithAssumptions {
  const perToken = messageFactor(recordedWith)
  const { byCategory, outputTokens: priorOutput } = priorsOf(counts.toolCount > 0)
  const givenTurns = volumes.turns_mean ?? volumes.turns_p50
  const isMultiTurn = givenTurns === undefined ? includeMultiTurn : givenTurns > 1.5
  const prior = byCategory[isMultiTurn ? 'multi_turn' : 'happy_path']
  const turns = meanOf(volumes, 'turns', prior.turns)
  const hasCalls =
    (volumes.llm_calls_mean ?? volumes.llm_calls_p50 ?? volumes.llm_calls_p90) !== undefined
  // Without a count of calls, more turns than expected take more calls.
  const priorCalls = hasCalls ? prior.calls : (prior.calls * Math.max(turns.value, 1)) / prior.turns
  const givenCalls = meanOf(volumes, 'llm_calls', priorCalls)
  const calls = { ...givenCalls, value: Math.max(givenCalls.value, 1) }
  const callsSpread = spreadOf(volumes, ['llm_calls'], prior.callsSpread)
  const shares = callShares(calls.value, callsSpread.value)
  const priorShares = hasCalls ? callShares(priorCalls, prior.callsSpread) : shares
  const toolCalls = meanOf(volumes, 'tool_calls', Math.max(calls.value - turns.value, 0))
  const output = meanOf(volumes, 'tokens_out', priorOutput * calls.value * perToken)
  const outputTokens = output.value / calls.value / perToken
  const toolOutput = withPrior(volumes, volumes.tool_output_tokens, toolOutputTokens)
  const added = { turns: turns.value, toolCalls: toolCalls.value, calls: calls.value }
  const priorGrowth = outputTokens + addedTokens({ ...added, toolOutput: toolOutput.value })
  const growth = measuredGrowth(counts, volumes, recordedWith, [shares, priorShares], priorGrowth)
  const tried = withAssumed({ turns, calls, toolCalls }, volumes)
  const meanCalls = tried.calls.value
  const triedShares = tried.calls === calls ? shares : callShares(meanCalls, callsSpread.value)
  return {
    shape: {
      ...{ runs: scenarioCount, meanCalls, callsSpread: callsSpread.value, shares: triedShares },
      ...{ turns: tried.turns.value, openingTokens: userTokens, outputTokens },
      ...{ includesReasoning: output.origin !== 'prior', growthTokens: growth.value },
    },
    assumptions: [
      { name: 'turns_per_run', ...tried.turns, unit: 'turns' },
      { name: 'calls_per_run', ...tried.calls, unit: 'calls' },
      { name: 'calls_spread', ...callsSpread, unit: 'standard deviation of the logarithm' },
      { name: 'tool_calls_per_run', ...tried.toolCalls, unit: 'calls' },
      { name: 'output_per_call', value: outputTokens, origin: output.origin, unit: 'tokens' },
      ...(counts.toolCount === 0
        ? []
        : [{ name: 'tool_output', ...toolOutput, unit: 'tokens' } as const]),
      { name: 'growth_per_call', ...growth, unit: 'tokens' },
    ],
  }
}

type Counts = Readonly<Record<'turns' | 'calls' | 'toolCalls', Sourced>>

/** With what the caller tries. Calls are in proportion to turns, and calls of tools to calls, unless they are given. */
function withAssumed(counts: Counts, { assumed = {} }: Volumes): Counts {
  const { turns, calls, toolCalls } = counts
  const given = (value: number): Sourced => ({ value, origin: 'user' })
  const times = (one: Sourced, by: number): Sourced => (by === 1 ? one : given(one.value * by))
  const triedTurns = assumed.turns === undefined ? turns : given(assumed.turns)
  const perTurn = Math.max(triedTurns.value, 1) / Math.max(turns.value, 1)
  const tried = assumed.llm_calls === undefined ? times(calls, perTurn) : given(assumed.llm_calls)
  const triedCalls = tried.value < 1 ? { ...tried, value: 1 } : tried
  const perCall = triedCalls.value / calls.value
  return { turns: triedTurns, calls: triedCalls, toolCalls: times(toolCalls, perCall) }
}

/** The growth with which runs of these calls send as many input tokens as recorded. */
function measuredGrowth(
  counts: AgentCounts,
  volumes: Volumes,
  recordedWith: ModelTraits,
  [shares, priorShares]: readonly [measured: CallShares, prior: CallShares],
  priorGrowth: number,
): Sourced {
  const perToken = messageFactor(recordedWith)
  const fixed = fixedTokens(counts, recordedWith)
  const firstCall = fixed.prompt + fixed.tools + recordedWith.requestTokens + userTokens * perToken
  const inputOf = (calls: CallShares, growth: number) =>
    sum(calls) * firstCall + resentCalls(calls) * growth * perToken
  const input = meanOf(volumes, 'tokens_in', inputOf(priorShares, priorGrowth))
  const resent = resentCalls(shares)
  if (input.origin === 'prior' || resent === 0) return { value: priorGrowth, origin: 'prior' }
  const growth = (input.value - inputOf(shares, 0)) / resent / perToken
  return { value: Math.max(growth, 0), origin: input.origin }
}

function sum(shares: CallShares): number {
  return shares.reduce((total, share) => total + share, 0)
}

/** Half of E[N²] - E[N]: how often a call sends again what an earlier one added. */
function resentCalls(shares: CallShares): number {
  return shares.reduce((total, share, at) => total + share * at, 0)
}
