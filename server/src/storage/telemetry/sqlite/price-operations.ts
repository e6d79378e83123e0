import type { TraceChange } from '../port/change-feed.ts'
import type { PriceablePage } from '../port/pricing.ts'
import type { TelemetryStore } from '../port/store.ts'
import { decodeAfter, decodePriceable, encodePriceable } from '../positions.ts'
import type { Change, ChangeResult } from './changes.ts'
import type { PriceableRows } from './price-reads.ts'
import type { ReaderPool } from './reader-pool.ts'
import { toPricedSpan } from './span-columns.ts'

/*
 * The store's operations on prices, on the main thread.
 */

interface Dependencies {
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

export function priceOperations({
  pool,
  checkOpen,
  change,
  onRepriced,
}: Dependencies): PriceOperations {
  return {
    async listPriceable(projectId, query, options) {
      checkOpen()
      const decoded = decodeAfter(query, decodePriceable)
      return priceablePage(await pool.scan('priceable', [projectId, decoded], options))
    },
    async reprice(projectId, prices) {
      const { traceIds, spans = [] } = await change({ type: 'reprice', projectId, prices })
      if (traceIds.length > 0) onRepriced({ projectId, traceIds })
      return spans
    },
    async countTraces(projectId, query, options) {
      checkOpen()
      return await pool.scan('traceCount', [projectId, query], options)
    },
    async listModels(projectId, query, options) {
      checkOpen()
      return await pool.scan('modelsUsed', [projectId, query], options)
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
