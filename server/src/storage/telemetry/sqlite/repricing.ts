import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import { totalsOf } from '../../../domain/trace-totals.ts'
import type { SpanRepricing } from '../port/pricing.ts'
import { repriceSpan } from './statements/pricing.ts'
import type { TraceState, TraceStates } from './trace-states.ts'
import type { Writing } from './write-statements.ts'

/*
 * Gives spans other prices, within the transaction that is open.
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

  const put = ({ traceNo, spans }: TraceState, { span, price }: SpanRepricing): boolean => {
    const known = spans.get(span.spanId)
    if (known === undefined) return false
    const { computedCostUsd: costUsd } = price
    const { changes } = update.run({
      traceNo,
      spanId: span.spanId,
      startedAt: span.startedAt,
      kind: span.kind,
      model: span.model,
      provider: span.provider,
      serviceTier: span.serviceTier,
      tokensIn: span.tokensIn,
      tokensOut: span.tokensOut,
      tokensCacheRead: span.tokensCacheRead,
      tokensCacheWrite: span.tokensCacheWrite,
      tokensCacheWrite1h: span.tokensCacheWrite1h,
      costUsd,
      costSource: costUsd === null ? 'unknown' : 'priced',
      computedCostUsd: costUsd,
      priceSource: price.priceSource,
      priceDate: price.priceDate,
      unpricedReason: price.unpricedReason,
    })
    if (changes === 0) return false
    spans.set(span.spanId, { ...known, costUsd })
    return true
  }

  return ({ projectId, prices }, at) => {
    const projectNo = writing.findProjectNo(projectId)
    if (projectNo === undefined) return { traceIds: [], spanCount: 0 }
    const traceIds: string[] = []
    let spanCount = 0
    for (const [traceId, own] of Map.groupBy(prices, ({ span }) => span.traceId)) {
      const trace = states.find(projectNo, traceId)
      if (!trace.isStored) continue
      // From here on it is only as stored if the transaction succeeds: nobody else is to see it before.
      states.invalidate([trace])
      const changed = own.filter((each) => put(trace, each))
      if (changed.length === 0) continue
      writing.putTrace(trace, totalsOf([...trace.spans.values()], trace.labels), at)
      traceIds.push(traceId)
      spanCount += changed.length
    }
    return { traceIds, spanCount }
  }
}
