import { limits } from '@assay/contract/limits.ts'
import type { Repricing } from '@assay/contract/repricing.ts'
import type { SpanPrice } from '../../domain/span.ts'
import { hasTokens } from '../../domain/span-tree.ts'
import type { Pricer } from '../../models/pricer.ts'
import { picosPerDollar } from '../../models/token-rates.ts'
import { mapInTurns } from '../../platform/map-in-turns.ts'
import type {
  PriceablePage,
  PriceableSpan,
  TimeRange,
} from '../../storage/telemetry/port/pricing.ts'
import type { ReadOptions } from '../../storage/telemetry/port/read-options.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

/*
 * The changes made by a re-pricing, added up page by page. Plain data, stored between pages as JSON.
 */

export interface RepricingProgress {
  /** Traces. */
  done: number
  /** Null above the limit of counted traces. */
  readonly total: number | null
  examined: number
  changed: number
  newlyPriced: number
  newlyUnpriced: number
  /** In picodollars. */
  picosBefore: number
  picosAfter: number
  readonly models: ModelProgress[]
}

interface ModelProgress {
  readonly model: string | null
  readonly provider: string | null
  examined: number
  changed: number
  unpriced: number
  picosBefore: number
  picosAfter: number
}

/** The progress before the first page. */
export async function startRepricingProgress(
  projectId: string,
  range: TimeRange,
  telemetry: Pick<TelemetryStore, 'countTraces'>,
  readOptions?: ReadOptions,
): Promise<RepricingProgress> {
  const query = { range, scanLimit: limits.repricedTraces.value }
  const { count, isComplete } = await telemetry.countTraces(projectId, query, readOptions)
  return emptyRepricingProgress(isComplete ? count : null)
}

export function emptyRepricingProgress(total: number | null): RepricingProgress {
  const nothing = { done: 0, total, examined: 0, changed: 0, newlyPriced: 0, newlyUnpriced: 0 }
  return { ...nothing, picosBefore: 0, picosAfter: 0, models: [] }
}

/** Model names come from senders, so their number is limited: further models count only in the totals. */
const modelsMax = 1000

export function priceSpans({ spans }: PriceablePage, pricer: Pricer): Promise<PricedSpan[]> {
  return mapInTurns(spans, (span) => {
    const price = pricer.priceSpan(span)
    return { span, price, isChanged: !isSame(span, price) }
  })
}

/** A span as listed, and the price that it has now. */
export interface PricedSpan {
  readonly span: PriceableSpan
  readonly price: SpanPrice
  readonly isChanged: boolean
}

/** Adds spans to the progress, or subtracts them with -1. */
export function countSpans(
  spans: readonly PricedSpan[],
  progress: RepricingProgress,
  times: 1 | -1 = 1,
): void {
  const models = new Map(progress.models.map((each) => [toKey(each), each]))
  for (const priced of spans) {
    const { span, price } = priced
    count(progress, priced, times)
    const model = findOrAddModel(span, models, progress)
    if (model === undefined) continue
    count(model, priced, times)
    if (hasTokens(span) && price.computedCostUsd === null) model.unpriced += times
  }
}

function toKey({ model, provider }: Pick<ModelProgress, 'model' | 'provider'>): string {
  return JSON.stringify([model, provider])
}

function findOrAddModel(
  { model, provider }: PriceableSpan,
  models: Map<string, ModelProgress>,
  progress: RepricingProgress,
): ModelProgress | undefined {
  const key = toKey({ model, provider })
  const known = models.get(key)
  if (known !== undefined || models.size >= modelsMax) return known
  const nothing = { examined: 0, changed: 0, unpriced: 0, picosBefore: 0, picosAfter: 0 }
  const fresh = { model, provider, ...nothing }
  models.set(key, fresh)
  progress.models.push(fresh)
  return fresh
}

type Counted = Pick<RepricingProgress, 'examined' | 'changed' | 'picosBefore' | 'picosAfter'> &
  Partial<Pick<RepricingProgress, 'newlyPriced' | 'newlyUnpriced'>>

function count(to: Counted, { span, price, isChanged }: PricedSpan, times: 1 | -1): void {
  to.examined += times
  if (isChanged) to.changed += times
  to.picosBefore += times * toPicos(span.costUsd)
  to.picosAfter += times * toPicos(price.computedCostUsd)
  const [was, is] = [span.costUsd !== null, price.computedCostUsd !== null]
  if (to.newlyPriced !== undefined && is && !was) to.newlyPriced += times
  if (to.newlyUnpriced !== undefined && was && !is) to.newlyUnpriced += times
}

function toPicos(usd: number | null): number {
  return Math.round((usd ?? 0) * picosPerDollar)
}

function isSame(span: PriceableSpan, price: SpanPrice): boolean {
  return (
    span.costUsd === price.computedCostUsd &&
    span.computedCostUsd === price.computedCostUsd &&
    span.priceSource === price.priceSource &&
    span.priceDate === price.priceDate &&
    span.unpricedReason === price.unpricedReason
  )
}

export function toApiRepricingProgress(progress: RepricingProgress) {
  const { models, picosBefore, picosAfter } = progress
  return {
    trace_count: progress.total,
    traces_done: progress.done,
    spans_examined: progress.examined,
    spans_changed: progress.changed,
    newly_priced: progress.newlyPriced,
    newly_unpriced: progress.newlyUnpriced,
    cost_before_usd: picosBefore / picosPerDollar,
    cost_after_usd: picosAfter / picosPerDollar,
    models: models
      .toSorted((a, b) => absoluteDifference(b) - absoluteDifference(a) || b.changed - a.changed)
      .slice(0, limits.repricedModels.value)
      .map(toApiModel),
  }
}

function absoluteDifference({ picosBefore, picosAfter }: ModelProgress): number {
  return Math.abs(picosAfter - picosBefore)
}

function toApiModel(progress: ModelProgress): Repricing['models'][number] {
  const { model, provider, picosBefore, picosAfter } = progress
  return {
    model,
    provider,
    spans_examined: progress.examined,
    spans_changed: progress.changed,
    unpriced_after: progress.unpriced,
    cost_before_usd: picosBefore / picosPerDollar,
    cost_after_usd: picosAfter / picosPerDollar,
  }
}
