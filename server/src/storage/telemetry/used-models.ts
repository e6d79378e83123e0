import { compareIds } from '../../domain/id-order.ts'
import type { SpanHead } from '../../domain/span.ts'
import { buildSpanTree, hasCost, hasTokens, spansAbove } from '../../domain/span-tree.ts'
import type { UsedModel } from './port/pricing.ts'

/*
 * Sums the use of models over traces. Usage counts in the same spans as in the totals of a trace.
 */

/** What the models of a trace are counted from. */
export type ModelSpan = Pick<
  SpanHead,
  | 'spanId'
  | 'parentSpanId'
  | 'startedAt'
  | 'model'
  | 'provider'
  | 'serviceTier'
  | 'tokensIn'
  | 'tokensOut'
  | 'costUsd'
  | 'costSource'
  | 'computedCostUsd'
  | 'repeatsSpanId'
  | 'isSeparateCall'
>

export interface UsedModels {
  /** All spans of a trace. */
  addTrace(spans: readonly ModelSpan[]): void
  /** In the order of the port. */
  first(limit: number): readonly UsedModel[]
}

export function sumUsedModels(): UsedModels {
  const models = new Map<string, Summed<UsedModel>>()
  return {
    addTrace: (spans) => addTrace(models, spans),
    first: (limit) => [...models.values()].sort(compareModels).slice(0, limit),
  }
}

type Summed<T> = { -readonly [Key in keyof T]: T[Key] }

function addTrace(models: Map<string, Summed<UsedModel>>, spans: readonly ModelSpan[]): void {
  if (spans.every(({ model }) => model === null)) return
  const tree = buildSpanTree(spans)
  const isAboveTokens = spansAbove(spans, tree, hasTokens)
  const isAboveCost = spansAbove(spans, tree, hasCost)
  for (const [index, span] of spans.entries()) {
    const { isSeparateCall, costUsd } = span
    if (span.repeatsSpanId !== null) continue
    const isCall = isAboveTokens[index] === 0 || isSeparateCall
    const isCost = (isAboveCost[index] === 0 || isSeparateCall) && costUsd !== null
    if (!isCall && !isCost) continue
    const sums = sumsOfModel(models, span)
    if (sums === undefined) continue
    if (isCall) addCall(sums, span)
    if (isCost) addCost(sums, span)
  }
}

function sumsOfModel(
  models: Map<string, Summed<UsedModel>>,
  { model, provider, serviceTier, startedAt }: ModelSpan,
): Summed<UsedModel> | undefined {
  if (model === null || model === '') return undefined
  const key = JSON.stringify([model, provider, serviceTier])
  const sums = models.get(key) ?? {
    ...{ model, provider, serviceTier, lastStartedAt: startedAt },
    ...{ spanCount: 0, callCount: 0, unpricedCount: 0, costUsd: null },
    ...{ comparedCount: 0, reportedUsd: null, computedUsd: null },
  }
  models.set(key, sums)
  if (startedAt > sums.lastStartedAt) sums.lastStartedAt = startedAt
  return sums
}

function addCall(sums: Summed<UsedModel>, span: ModelSpan): void {
  sums.spanCount += 1
  if (!hasTokens(span)) return
  sums.callCount += 1
  if (span.costUsd === null) sums.unpricedCount += 1
}

function addCost(sums: Summed<UsedModel>, span: ModelSpan): void {
  const costUsd = span.costUsd ?? 0
  sums.costUsd = (sums.costUsd ?? 0) + costUsd
  if (span.costSource !== 'reported' || span.computedCostUsd === null) return
  sums.comparedCount += 1
  sums.reportedUsd = (sums.reportedUsd ?? 0) + costUsd
  sums.computedUsd = (sums.computedUsd ?? 0) + span.computedCostUsd
}

function compareModels(a: UsedModel, b: UsedModel): number {
  return (
    b.unpricedCount - a.unpricedCount ||
    b.spanCount - a.spanCount ||
    compareIds(a.model, b.model) ||
    compareIds(a.provider ?? '', b.provider ?? '') ||
    compareIds(a.serviceTier ?? '', b.serviceTier ?? '')
  )
}
