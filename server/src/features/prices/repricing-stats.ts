import { limits } from '@assay/contract/limits.ts'
import type { Repricing } from '@assay/contract/repricing.ts'
import type { SpanPrice } from '../../domain/span.ts'
import type { Pricer } from '../../models/pricer.ts'
import { picosPerDollar } from '../../models/token-rates.ts'
import type {
  PriceablePage,
  PriceableSpan,
  SpanRepricing,
} from '../../storage/telemetry/port/pricing.ts'

/*
 * What pricing anew comes to, summed up page by page. Plain data, kept between pages as JSON.
 */

export interface RepricingStats {
  tracesDone: number
  examined: number
  changed: number
  newlyPriced: number
  newlyUnpriced: number
  /** In millionths of a millionth of a dollar. */
  picosBefore: number
  picosAfter: number
  readonly models: ModelRepricingStats[]
}

interface ModelRepricingStats {
  readonly model: string | null
  readonly provider: string | null
  examined: number
  changed: number
  unpriced: number
  picosBefore: number
  picosAfter: number
}

export function emptyRepricingStats(): RepricingStats {
  const nothing = { tracesDone: 0, examined: 0, changed: 0, newlyPriced: 0, newlyUnpriced: 0 }
  return { ...nothing, picosBefore: 0, picosAfter: 0, models: [] }
}

/** Names are anybody's: of more models than this only the sums are kept. */
const modelsMax = 1000

/** The spans of the page whose price is another now; adds the page to the figures. */
export function pricePage(
  { spans, traceCount }: PriceablePage,
  pricer: Pricer,
  stats: RepricingStats,
): SpanRepricing[] {
  const models = new Map(stats.models.map((each) => [keyOf(each), each]))
  const repricings: SpanRepricing[] = []
  stats.tracesDone += traceCount
  for (const span of spans) {
    const price = pricer.priceOf(span)
    const isChanged = !isSame(span, price)
    const { traceId, spanId, version } = span
    if (isChanged) repricings.push({ traceId, spanId, version, price })
    count(stats, span, price, isChanged)
    const model = modelOf(span, models, stats)
    if (model === undefined) continue
    count(model, span, price, isChanged)
    if (price.computedCostUsd === null) model.unpriced += 1
  }
  return repricings
}

function keyOf({ model, provider }: Pick<ModelRepricingStats, 'model' | 'provider'>): string {
  return JSON.stringify([model, provider])
}

function modelOf(
  { model, provider }: PriceableSpan,
  models: Map<string, ModelRepricingStats>,
  stats: RepricingStats,
): ModelRepricingStats | undefined {
  const key = keyOf({ model, provider })
  const known = models.get(key)
  if (known !== undefined || models.size >= modelsMax) return known
  const nothing = { examined: 0, changed: 0, unpriced: 0, picosBefore: 0, picosAfter: 0 }
  const fresh = { model, provider, ...nothing }
  models.set(key, fresh)
  stats.models.push(fresh)
  return fresh
}

type Counted = Pick<RepricingStats, 'examined' | 'changed' | 'picosBefore' | 'picosAfter'> &
  Partial<Pick<RepricingStats, 'newlyPriced' | 'newlyUnpriced'>>

function count(to: Counted, before: PriceableSpan, price: SpanPrice, isChanged: boolean): void {
  to.examined += 1
  if (isChanged) to.changed += 1
  to.picosBefore += picosOf(before.costUsd)
  to.picosAfter += picosOf(price.computedCostUsd)
  const [was, is] = [before.costUsd !== null, price.computedCostUsd !== null]
  if (to.newlyPriced !== undefined && is && !was) to.newlyPriced += 1
  if (to.newlyUnpriced !== undefined && was && !is) to.newlyUnpriced += 1
}

function picosOf(usd: number | null): number {
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

export function toApiRepricingStats(stats: RepricingStats) {
  const { models, picosBefore, picosAfter } = stats
  return {
    traces_done: stats.tracesDone,
    spans_examined: stats.examined,
    spans_changed: stats.changed,
    newly_priced: stats.newlyPriced,
    newly_unpriced: stats.newlyUnpriced,
    cost_before_usd: picosBefore / picosPerDollar,
    cost_after_usd: picosAfter / picosPerDollar,
    models: models
      .toSorted((a, b) => differenceOf(b) - differenceOf(a) || b.changed - a.changed)
      .slice(0, limits.repricedModels.value)
      .map(toApiModelStats),
  }
}

function differenceOf({ picosBefore, picosAfter }: ModelRepricingStats): number {
  return Math.abs(picosAfter - picosBefore)
}

function toApiModelStats(stats: ModelRepricingStats): Repricing['models'][number] {
  const { model, provider, picosBefore, picosAfter } = stats
  return {
    model,
    provider,
    spans_examined: stats.examined,
    spans_changed: stats.changed,
    unpriced_after: stats.unpriced,
    cost_before_usd: picosBefore / picosPerDollar,
    cost_after_usd: picosAfter / picosPerDollar,
  }
}
