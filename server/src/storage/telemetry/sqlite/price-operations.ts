import type {
  ModelPage,
  PriceablePage,
  PriceableSpan,
  RecordedChange,
  TelemetryStore,
  UsedModel,
} from '../store.ts'
import type { Change, ChangeResult } from './changes.ts'
import type { ModelRows, PriceableCells, PriceableRows, UsedModelCells } from './price-reads.ts'
import type { ReaderPool } from './reader-pool.ts'

/*
 * The store's operations on prices, on the main thread.
 */

interface Means {
  readonly pool: Pick<ReaderPool, 'scan'>
  /** Throws once the store is closed. */
  readonly checkOpen: () => void
  readonly change: (change: Change) => Promise<ChangeResult>
  readonly onRepriced: (change: RecordedChange) => void
}

type PriceOperations = Pick<
  TelemetryStore,
  'listPriceable' | 'reprice' | 'countTraces' | 'listModels'
>

export function priceOperations({ pool, checkOpen, change, onRepriced }: Means): PriceOperations {
  return {
    async listPriceable(projectId, query) {
      checkOpen()
      return priceablePage(await pool.scan('priceable', projectId, query))
    },
    async reprice(projectId, prices) {
      const { traceIds, spanCount = 0 } = await change({ type: 'reprice', projectId, prices })
      if (traceIds.length > 0) onRepriced({ projectId, traceIds })
      return spanCount
    },
    async countTraces(projectId, range) {
      checkOpen()
      return await pool.scan('traceCount', projectId, range)
    },
    async listModels(projectId, query) {
      checkOpen()
      return modelPage(await pool.scan('modelsUsed', projectId, query))
    },
  }
}

function priceablePage({ spans, ...rest }: PriceableRows): PriceablePage {
  return { ...rest, spans: spans.map(([traceId, cells]) => priceableSpan(traceId, cells)) }
}

function priceableSpan(traceId: string, cells: PriceableCells): PriceableSpan {
  return {
    traceId,
    spanId: cells[0],
    kind: cells[1],
    model: cells[2],
    provider: cells[3],
    serviceTier: cells[4],
    startedAt: BigInt(cells[5]),
    tokensIn: cells[6],
    tokensOut: cells[7],
    tokensCacheRead: cells[8],
    tokensCacheWrite: cells[9],
    tokensCacheWrite1h: cells[10],
    tokensReasoning: cells[11],
    costUsd: cells[12],
    computedCostUsd: cells[13],
    priceSource: cells[14],
    priceDate: cells[15],
    unpricedReason: cells[16],
  }
}

function modelPage({ models, ...rest }: ModelRows): ModelPage {
  return { ...rest, models: models.map(usedModel) }
}

function usedModel(cells: UsedModelCells): UsedModel {
  return {
    model: cells[0],
    provider: cells[1],
    serviceTier: cells[2],
    spanCount: cells[3],
    unpricedCount: cells[4],
    costUsd: cells[5],
    lastStartedAt: BigInt(cells[6]),
    comparedCount: cells[7],
    reportedUsd: cells[8],
    computedUsd: cells[9],
  }
}
