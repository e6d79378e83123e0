import type { TraceChange } from '../port/change-feed.ts'
import type { ModelPage, PriceablePage, UsedModel } from '../port/pricing.ts'
import type { TelemetryStore } from '../port/store.ts'
import type { Change, ChangeResult } from './changes.ts'
import { decodeAfter, decodePriceable, encodePriceable } from './positions.ts'
import type { ModelRows, PriceableRows, UsedModelColumns } from './price-reads.ts'
import type { ReaderPool } from './reader-pool.ts'
import { toPricedSpan } from './span-columns.ts'

/*
 * The store's operations on prices, on the main thread.
 */

interface Means {
  readonly pool: Pick<ReaderPool, 'scan'>
  /** Throws once the store is closed. */
  readonly checkOpen: () => void
  readonly change: (change: Change) => Promise<ChangeResult>
  readonly onRepriced: (change: TraceChange) => void
}

type PriceOperations = Pick<
  TelemetryStore,
  'listPriceable' | 'reprice' | 'countTraces' | 'listModels'
>

export function priceOperations({ pool, checkOpen, change, onRepriced }: Means): PriceOperations {
  return {
    async listPriceable(projectId, query, options) {
      checkOpen()
      const decoded = decodeAfter(query, decodePriceable)
      return priceablePage(await pool.scan('priceable', [projectId, decoded], options))
    },
    async reprice(projectId, prices) {
      const { traceIds, spanCount = 0 } = await change({ type: 'reprice', projectId, prices })
      if (traceIds.length > 0) onRepriced({ projectId, traceIds })
      return spanCount
    },
    async countTraces(projectId, query, options) {
      checkOpen()
      return await pool.scan('traceCount', [projectId, query], options)
    },
    async listModels(projectId, query, options) {
      checkOpen()
      return modelPage(await pool.scan('modelsUsed', [projectId, query], options))
    },
  }
}

function priceablePage({ spans, traceCount, next }: PriceableRows): PriceablePage {
  return {
    traceCount,
    next: next && encodePriceable(next),
    spans: spans.map(([traceId, row]) => ({ traceId, ...toPricedSpan(row) })),
  }
}

function modelPage({ models, ...rest }: ModelRows): ModelPage {
  return { ...rest, models: models.map(usedModel) }
}

function usedModel(columns: UsedModelColumns): UsedModel {
  return {
    model: columns[0],
    provider: columns[1],
    serviceTier: columns[2],
    spanCount: columns[3],
    callCount: columns[4],
    unpricedCount: columns[5],
    costUsd: columns[6],
    lastStartedAt: BigInt(columns[7]),
    comparedCount: columns[8],
    reportedUsd: columns[9],
    computedUsd: columns[10],
  }
}
