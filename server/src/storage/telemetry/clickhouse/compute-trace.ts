import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Instant } from '../../../domain/instant.ts'
import { toLatencyBucket } from '../../../domain/latency-sketch.ts'
import { foldCase } from '../../../domain/letter-case.ts'
import { settlesAt } from '../../../domain/settling.ts'
import type { CountedSpan, TraceTotals } from '../../../domain/trace-totals.ts'
import { TraceAggregate } from '../aggregates/trace-aggregate.ts'
import { type FacetKey, toFacets } from '../aggregates/trace-facets.ts'
import type { StoredTrace } from './trace-columns.ts'
import { type LabelRow, toTraceLabels } from './trace-labels.ts'

/*
 * Computes the row of a trace from all of its spans and labels.
 */

/** What the row does not follow from. */
export interface TraceIdentity {
  readonly projectId: string
  readonly traceId: string
  readonly arrivedOn: string
  readonly receivedAt: Instant
}

export interface TraceSources {
  readonly spans: readonly (CountedSpan & { readonly version: string })[]
  readonly labels: readonly LabelRow[]
}

/** Works for a few milliseconds at a time. */
export async function computeTrace(
  identity: TraceIdentity,
  { spans, labels }: TraceSources,
  updatedAt: Instant,
): Promise<StoredTrace> {
  const aggregate = new TraceAggregate({ isStale: true })
  for (const span of spans) aggregate.set(span.spanId, span)
  for (const _ of aggregate.update()) await nextTurn()
  const totals = aggregate.totals(toTraceLabels(labels))
  const versions = [...spans, ...labels].map(({ version }) => BigInt(version))
  return {
    ...totals,
    ...identity,
    ...facetColumns(aggregate, totals),
    version: String(versions.reduce((sum, version) => sum + version, 0n)),
    updatedAt,
    settlesAt: settlesAt(totals, updatedAt),
    latencyBucket: toLatencyBucket(totals.durationMs),
    repeatedCalls: [...aggregate.repeats],
    separateCalls: [...aggregate.separate],
    modelSums: [...aggregate.models.current].map(([model, sums]) => [
      model,
      { ...sums, latencies: [...sums.latencies] },
    ]),
  }
}

function facetColumns(
  aggregate: TraceAggregate,
  totals: TraceTotals,
): Pick<StoredTrace, 'names' | 'foldedNames' | 'kinds'> {
  const facets = toFacets(aggregate.facetSources(), totals)
  const valuesOf = (requested: FacetKey) =>
    facets.filter(({ key }) => key === requested).map(({ value }) => value)
  const names = valuesOf('name')
  return { names, foldedNames: names.map(foldCase), kinds: valuesOf('kind') }
}
