import { limits } from '@assay/contract/limits.ts'
import type { Repricing } from '@assay/contract/repricing.ts'
import type { SpanPrice } from '../../domain/span.ts'
import { hasTokens } from '../../domain/span-tree.ts'
import type { Pricer } from '../../models/pricer.ts'
import { picosPerDollar } from '../../models/token-rates.ts'
import type {
  PriceablePage,
  PriceableSpan,
  SpanRepricing,
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

/** Returns the spans of the page whose price changes, and adds the page to the progress. */
export function pricePage(
  { spans, traceCount }: PriceablePage,
  pricer: Pricer,
  progress: RepricingProgress,
): SpanRepricing[] {
  const models = new Map(progress.models.map((each) => [toKey(each), each]))
  const repricings: SpanRepricing[] = []
  progress.done += traceCount
  for (const span of spans) {
    const price = pricer.priceSpan(span)
    const isChanged = !isSame(span, price)
    const { traceId, spanId, version } = span
    if (isChanged) repricings.push({ traceId, spanId, version, price })
    count(progress, span, price, isChanged)
    const model = findOrAddModel(span, models, progress)
    if (model === undefined) continue
    count(model, span, price, isChanged)
    if (hasTokens(span) && price.computedCostUsd === null) model.unpriced += 1
  }
  return repricings
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

function count(to: Counted, before: PriceableSpan, price: SpanPrice, isChanged: boolean): void {
  to.examined += 1
  if (isChanged) to.changed += 1
  to.picosBefore += toPicos(before.costUsd)
  to.picosAfter += toPicos(price.computedCostUsd)
  const [was, is] = [before.costUsd !== null, price.computedCostUsd !== null]
  if (to.newlyPriced !== undefined && is && !was) to.newlyPriced += 1
  if (to.newlyUnpriced !== undefined && was && !is) to.newlyUnpriced += 1
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
