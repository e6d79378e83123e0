import type { CostEstimate, ModelEstimate, Volumes } from '@assay/contract/cost-calculator.ts'
import type { RateCard } from '../models/token-rates.ts'
import type { AgentCounts } from './agent-counts.ts'
import { findDrivers, listUncertainties, type Uncertainty } from './cost-drivers.ts'
import {
  type CalledModel,
  type CostParts,
  expectedUsage,
  totalOf,
  type Usage,
} from './expected-usage.ts'
import { fixedTokens, type ModelTraits, messageFactor, traitsOf } from './model-traits.ts'
import { originOf, p90Deviations, priorRuns } from './recorded-volumes.ts'
import { type Assumption, type RunShapes, type Scenarios, shapeRuns } from './run-shapes.ts'

/*
 * The cost of an agent with several models. Pure: the same input has the same result. Money is summed in whole
 * nanodollars, so that a total is exactly the sum of its parts.
 */

export interface EstimatedModel {
  /** As requested. */
  readonly model: string
  readonly modelConfigId: string | null
  /** By which tokenizer and reasoning are looked up. */
  readonly knownAs: string
  /** Of recorded calls: reported input tokens per token that the estimate counts. */
  readonly counterFactor?: number | undefined
  readonly provider: string | null
  readonly contextWindow: number | null
  readonly price: EstimatedPrice | Unpriced
  /** Of recorded runs with this model, in place of those with all models. */
  readonly ownVolumes?: Volumes | undefined
  /** Of the tokenizer of `ownVolumes`. */
  readonly ownTraits?: ModelTraits | undefined
  /** The share of the input that a prompt cache had in recorded calls. */
  readonly cachedShare?: number | undefined
}

export interface EstimatedPrice {
  readonly card: RateCard
  readonly source: string
  readonly date: string
}

export interface Unpriced {
  readonly reason: NonNullable<ModelEstimate['unpricedReason']>
  readonly why: string
}

export interface EstimateInput extends Scenarios {
  readonly counts: AgentCounts
  readonly caching: boolean
  readonly models: readonly EstimatedModel[]
}

export function estimateCosts(input: EstimateInput): CostEstimate {
  const ofAll = toContext(input)
  const perModel = input.models.map((model) => {
    const { ownVolumes: volumes, ownTraits: recordedWith } = model
    const isOwn = volumes !== undefined
    return estimateModel(model, isOwn ? toContext({ ...input, volumes, recordedWith }) : ofAll)
  })
  const sum = (value: (one: ModelEstimate) => number) =>
    perModel.reduce((total, one) => total + value(one), 0)
  const costs = perModel.flatMap(({ costUsd }) => (costUsd === null ? [] : [toNanos(costUsd)]))
  return {
    perModel,
    totalCostUsd: costs.length === 0 ? null : toUsd(sumNanos(costs)),
    totalInputTokens: sum(({ inputTokens }) => inputTokens),
    totalOutputTokens: sum(({ outputTokens }) => outputTokens),
    scenarioCount: input.scenarioCount,
    llmCalls: sum(({ llmCalls }) => llmCalls),
  }
}

interface Context extends EstimateInput {
  readonly runs: RunShapes
  readonly uncertainties: readonly Uncertainty[]
}

function toContext(input: EstimateInput): Context {
  const runs = shapeRuns(input.counts, input)
  return { ...input, runs, uncertainties: listUncertainties(runs) }
}

function estimateModel(model: EstimatedModel, context: Context): ModelEstimate {
  const { runs, counts, caching } = context
  const traits = traitsOf(model.knownAs, model.counterFactor)
  const fixed = fixedTokens(counts, traits)
  const called: CalledModel = {
    card: 'card' in model.price ? model.price.card : unknownPrices,
    contextWindow: model.contextWindow,
    fixedTokens: fixed.prompt + fixed.tools + traits.requestTokens,
    messageFactor: messageFactor(traits),
    reasoningTokens: traits.reasoningTokens,
    cacheHitShare: caching ? priorCacheHitShare : 0,
    cachedShare: caching ? model.cachedShare : undefined,
  }
  const usage = usageOfAll(runs, called)
  const interval = toInterval(usage, runs)
  const scaled = (value: number) => Math.round(value * interval.medianShare)
  const price = overflowsAlways(called) ? contextOverflow : model.price
  return {
    ...{ model: model.model, provider: model.provider, modelConfigId: model.modelConfigId },
    inputTokens: scaled(usage.all.inputTokens),
    outputTokens: scaled(usage.all.outputTokens),
    cachedInputTokens: scaled(usage.all.cachedTokens),
    llmCalls: Math.round(usage.all.calls),
    ...('card' in price
      ? pricedFields(price, usage, interval, { ...context, called })
      : { ...unpricedFields, unpricedReason: price.reason, why: price.why }),
    contextWindow: model.contextWindow,
    overflowShare: usage.all.overflowCalls / usage.all.calls,
    assumptions: [
      ...recordedRuns(model, context),
      ...runs.assumptions,
      ...modelAssumptions(fixed, traitsOf(model.knownAs), { ...context, called }),
      ...counterAssumption(model, context),
    ].map(({ name, value, unit, origin }) => ({ name, value, unit, origin })),
  }
}

const unknownPrices: RateCard = {
  base: { input: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, output: 0, request: 0 },
  long: [],
}

const contextOverflow: Unpriced = {
  reason: 'context_overflow',
  why: 'The system prompt and the tools alone exceed the context window of the model.',
}

function overflowsAlways({ contextWindow, fixedTokens }: CalledModel): boolean {
  return contextWindow !== null && fixedTokens > contextWindow
}

/** Inside a loop of tool calls, nearly every call follows within the lifetime of the cache. */
const priorCacheHitShare = 0.9

interface UsageOfAll {
  readonly all: Usage
  readonly each: readonly { readonly runs: number; readonly usage: Usage }[]
}

function usageOfAll({ shapes }: RunShapes, called: CalledModel): UsageOfAll {
  const each = shapes.map((shape) => ({ runs: shape.runs, usage: expectedUsage(shape, called) }))
  const sum = (value: (usage: Usage) => number) =>
    each.reduce((total, { runs, usage }) => total + runs * value(usage), 0)
  return {
    all: {
      calls: sum(({ calls }) => calls),
      inputTokens: sum(({ inputTokens }) => inputTokens),
      cachedTokens: sum(({ cachedTokens }) => cachedTokens),
      outputTokens: sum(({ outputTokens }) => outputTokens),
      overflowCalls: sum(({ overflowCalls }) => overflowCalls),
      cost: {
        input: sum(({ cost }) => cost.input),
        cacheRead: sum(({ cost }) => cost.cacheRead),
        cacheWrite: sum(({ cost }) => cost.cacheWrite),
        output: sum(({ cost }) => cost.output),
        request: sum(({ cost }) => cost.request),
      },
    },
    each,
  }
}

interface Interval {
  /** Of the total, as shares of the mean. */
  readonly medianShare: number
  readonly p10Share: number
  readonly p90Share: number
}

/**
 * Runs vary, which evens out over many; and the mean itself is uncertain, which does not. Both are log-normal: the
 * quantiles of a few runs are far too narrow.
 */
function toInterval({ all, each }: UsageOfAll, { runSpread, recordedRuns }: RunShapes): Interval {
  const varianceOfRun = Math.exp(runSpread ** 2) - 1
  // Of unequal runs, the larger ones weigh more. Input is most of the cost.
  const squares = each.reduce((sum, { runs, usage }) => sum + runs * usage.inputTokens ** 2, 0)
  const similarRuns = all.inputTokens ** 2 / squares
  const ofRuns = Math.log(1 + varianceOfRun / similarRuns)
  const ofMean = Math.log(1 + varianceOfRun / (recordedRuns + priorRuns))
  const medianShare = Math.exp(-ofRuns / 2)
  const width = Math.exp(p90Deviations * Math.sqrt(ofRuns + ofMean))
  return { medianShare, p10Share: medianShare / width, p90Share: medianShare * width }
}

function pricedFields(
  { source, date }: EstimatedPrice,
  usage: UsageOfAll,
  { medianShare, p10Share, p90Share }: Interval,
  { runs, uncertainties, called, scenarioCount }: Context & { readonly called: CalledModel },
) {
  const mean = totalOf(usage.all.cost)
  const part = (name: keyof CostParts) => fromPicos(usage.all.cost[name] * medianShare)
  const parts = {
    input: part('input'),
    cacheRead: part('cacheRead'),
    cacheWrite: part('cacheWrite'),
    output: part('output'),
    request: part('request'),
  }
  const median = sumNanos(Object.values(parts))
  const withoutCache = usageOfAll(runs, {
    ...{ ...called, cacheHitShare: 0, cachedShare: undefined },
  })
  const { runsPerMonth } = runs
  return {
    costUsd: toUsd(median),
    // Rounded parts can exceed the rounded quantiles of a tiny cost.
    costUsdP10: toUsd(smaller(fromPicos(mean * p10Share), median)),
    costUsdP90: toUsd(larger(fromPicos(mean * p90Share), median)),
    costParts: {
      inputUsd: toUsd(parts.input),
      cacheReadUsd: toUsd(parts.cacheRead),
      cacheWriteUsd: toUsd(parts.cacheWrite),
      outputUsd: toUsd(parts.output),
      requestUsd: toUsd(parts.request),
    },
    costWithoutCachingUsd: toUsd(fromPicos(totalOf(withoutCache.all.cost) * medianShare)),
    costPerScenarioUsd: toUsd(median) / scenarioCount,
    meanRunUsd: toUsd(fromPicos(mean / scenarioCount)),
    monthlyUsd:
      runsPerMonth === undefined ? null : toUsd(fromPicos((mean / scenarioCount) * runsPerMonth)),
    ...{ priceSource: source, priceDate: date, unpricedReason: null, why: null },
    drivers: findDrivers(uncertainties, called, (changed, by) =>
      toUsd(fromPicos(totalOf(usageOfAll(changed, by).all.cost) - mean)),
    ),
  }
}

const unpricedFields = {
  ...{ costUsd: null, costUsdP10: null, costUsdP90: null, costParts: null },
  ...{ costWithoutCachingUsd: null, costPerScenarioUsd: null, meanRunUsd: null, monthlyUsd: null },
  ...{ priceSource: null, priceDate: null, drivers: [] },
}

function modelAssumptions(
  fixed: { readonly prompt: number; readonly tools: number },
  traits: ModelTraits,
  context: Context & { readonly called: CalledModel },
): Assumption[] {
  const { runs, counts, called } = context
  const counted = (name: string, value: number): Assumption => ({
    ...{ name, value: Math.round(value), unit: 'tokens', origin: 'user' },
  })
  const assumed = (name: string, value: number, unit: string): Assumption => ({
    ...{ name, value, unit, origin: 'prior' },
  })
  const lacksReasoning = runs.shapes.some((shape) => !shape.includesReasoning)
  return [
    counted('prompt', fixed.prompt),
    ...(counts.toolCount === 0 ? [] : [counted('tools', fixed.tools)]),
    assumed('prose_token_factor', traits.factors.prose, 'tokens per o200k token'),
    ...(lacksReasoning ? [assumed('reasoning_per_call', called.reasoningTokens, 'tokens')] : []),
    cacheAssumption(called, context),
  ]
}

/** The learned share, or the probability that a call finds what the call before sent. */
function cacheAssumption(
  { cachedShare, cacheHitShare }: CalledModel,
  { caching, volumes }: Context,
): Assumption {
  const unit = 'share'
  if (cachedShare !== undefined)
    return { name: 'cached_share', value: cachedShare, unit, origin: originOf(volumes) }
  const origin = caching ? 'prior' : 'user'
  return { name: 'cache_hit_share', value: cacheHitShare, unit, origin }
}

/** How many, and whether they are of this model only. */
function recordedRuns({ ownVolumes }: EstimatedModel, { volumes }: Context): Assumption[] {
  const value = volumes?.runs
  if (value === undefined) return []
  const name = ownVolumes === undefined ? 'recorded_runs' : 'recorded_runs_of_model'
  return [{ name, value, unit: 'runs', origin: 'imported' }]
}

function counterAssumption(
  { counterFactor: value }: EstimatedModel,
  { volumes }: Context,
): Assumption[] {
  if (value === undefined) return []
  const unit = 'reported tokens per counted token'
  return [{ name: 'counter_factor', value, unit, origin: originOf(volumes) }]
}

const nanosPerDollar = 1e9

function fromPicos(picos: number): bigint {
  return BigInt(Math.round(picos / 1000))
}

function toNanos(usd: number): bigint {
  return BigInt(Math.round(usd * nanosPerDollar))
}

function toUsd(nanos: bigint): number {
  return Number(nanos) / nanosPerDollar
}

function sumNanos(all: readonly bigint[]): bigint {
  return all.reduce((sum, one) => sum + one, 0n)
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
