import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import type { SpanRepricing } from '../port/pricing.ts'
import { repriceSpan } from './statements/pricing.ts'
import type { TraceState, TraceStates } from './trace-states.ts'
import type { Writing } from './write-statements.ts'

/*
 * Changes the prices of spans, within the open transaction.
 */

export interface Repricing {
  readonly projectId: string
  readonly prices: readonly SpanRepricing[]
}

export interface Repriced {
  readonly traceIds: readonly string[]
  readonly spanCount: number
}

export function prepareRepricing(
  db: DatabaseSync,
  states: TraceStates,
  writing: Writing,
): (repricing: Repricing, at: Instant) => Repriced {
  const update = db.prepare(repriceSpan)

  const put = ({ traceNo, spans }: TraceState, repricing: SpanRepricing): boolean => {
    const { spanId, version, price } = repricing
    const known = spans.get(spanId)
    if (known === undefined) return false
    const { computedCostUsd: costUsd } = price
    const { changes } = update.run({
      traceNo,
      spanId,
      version,
      costUsd,
      costSource: costUsd === null ? 'unknown' : 'priced',
      computedCostUsd: costUsd,
      priceSource: price.priceSource,
      priceDate: price.priceDate,
      unpricedReason: price.unpricedReason,
    })
    if (changes === 0) return false
    spans.set(spanId, { ...known, costUsd })
    return true
  }

  return ({ projectId, prices }, at) => {
    const projectNo = writing.findProjectNo(projectId)
    if (projectNo === undefined) return { traceIds: [], spanCount: 0 }
    const traceIds: string[] = []
    let spanCount = 0
    for (const [traceId, own] of Map.groupBy(prices, (price) => price.traceId)) {
      const trace = states.find(projectNo, traceId)
      if (!trace.isStored) continue
      // The cached state is correct only if the transaction commits.
      states.invalidate([trace])
      const changed = own.filter((each) => put(trace, each))
      if (changed.length === 0) continue
      writing.putTrace(trace, at)
      traceIds.push(traceId)
      spanCount += changed.length
    }
    return { traceIds, spanCount }
  }
}
