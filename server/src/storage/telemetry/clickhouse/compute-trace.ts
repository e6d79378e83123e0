import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Instant } from '../../../domain/instant.ts'
import { toLatencyBucket } from '../../../domain/latency-sketch.ts'
import { foldCase } from '../../../domain/letter-case.ts'
import type { TraceTotals } from '../../../domain/trace-totals.ts'
import type { TraceAggregate } from '../aggregates/trace-aggregate.ts'
import { type FacetKey, toFacets } from '../aggregates/trace-facets.ts'
import type { CountedRow } from './span-columns.ts'
import type { StoredTrace } from './trace-columns.ts'
import { toTraceLabels } from './trace-labels.ts'
import type { TraceSources } from './trace-sources.ts'

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

/** What does not depend on when its row is inserted. */
export type ComputedTrace = Omit<StoredTrace, 'updatedAt' | 'settlesAt'>

/** Works for a few milliseconds at a time. */
export async function computeTrace(
  identity: TraceIdentity,
  { spans, labels, version, labelsVersion }: TraceSources,
): Promise<ComputedTrace> {
  for (const _ of spans.update()) await nextTurn()
  const totals = spans.totals(toTraceLabels(labels))
  return {
    ...totals,
    ...identity,
    ...facetColumns(spans, totals),
    version: String(version + labelsVersion),
    latencyBucket: toLatencyBucket(totals.durationMs),
    repeatedCalls: [...spans.repeats],
    separateCalls: [...spans.separate],
    modelSums: [...spans.models.current].map(([model, sums]) => [
      model,
      { ...sums, latencies: [...sums.latencies] },
    ]),
  }
}

function facetColumns(
  spans: TraceAggregate<CountedRow>,
  totals: TraceTotals,
): Pick<StoredTrace, 'names' | 'foldedNames' | 'kinds'> {
  const facets = toFacets(spans.facetSources(), totals)
  const valuesOf = (requested: FacetKey) =>
    facets.filter(({ key }) => key === requested).map(({ value }) => value)
  const names = valuesOf('name')
  return { names, foldedNames: names.map(foldCase), kinds: valuesOf('kind') }
}
