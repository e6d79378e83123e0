import { compareIds } from '../../../../domain/id-order.ts'
import type { TraceLabels } from '../../../../domain/span.ts'
import { buildSpanTree } from '../../../../domain/span-tree.ts'
import {
  type CountedSpan,
  computeTotals,
  picoPerDollar,
  type SpanSummary,
  type TraceTotals,
  totalsFrom,
} from '../../../../domain/trace-totals.ts'
import { ModelAggregates } from './model-aggregates.ts'
import { SpanForest } from './span-forest.ts'
import { newNode } from './span-node.ts'
import type { FacetSources } from './trace-facets.ts'
import { aggregatesByModel } from './trace-rollup.ts'

/**
 * The aggregates of a trace, updated as spans are added in any order: equal to what `computeTotals`,
 * `toRollupDelta` and `toFacets` compute from all spans. The cost of adding a span is almost independent of
 * their number. Replaced spans, a closed cycle, or sums beyond what a number represents exactly cost a pass
 * over all spans when the totals are next read.
 */
export class TraceAggregate<Span extends CountedSpan = CountedSpan> {
  /** As of the last call of `totals`. */
  readonly models = new ModelAggregates()
  #forest = new SpanForest<Span>(this.models, new Set())
  #isStale = false
  #modelNames: readonly string[] = []
  #textLength = 0

  get size(): number {
    return this.#forest.nodes.size
  }

  /** Characters in the texts of the spans, for estimates of the memory that they use. */
  get textLength(): number {
    return this.#textLength
  }

  has(spanId: string): boolean {
    return this.#forest.nodes.has(spanId)
  }

  get(spanId: string): Span | undefined {
    return this.#forest.nodes.get(spanId)?.span
  }

  values(): Span[] {
    return Array.from(this.#forest.nodes.values(), ({ span }) => span)
  }

  /** Adds a span, or replaces the one with its id. */
  set(spanId: string, span: Span): void {
    this.#textLength += countCharacters(span)
    if (!this.#isStale && !this.has(spanId)) {
      if (!this.#forest.add(span)) this.#isStale = true
      return
    }
    this.#isStale = true
    this.#forest.nodes.set(spanId, newNode(span))
  }

  /** The totals of the spans; there must be at least one. */
  totals(labels: TraceLabels | null): TraceTotals {
    if (this.#isStale || this.#forest.isInexact) this.#rebuild()
    return this.#forest.isInexact
      ? computeTotals(this.values(), labels)
      : totalsFrom(this.#summary(), labels)
  }

  /** As of the last call of `totals`. */
  facetSources(): FacetSources {
    return { kinds: this.#forest.kinds.values, names: this.#forest.names.values }
  }

  #summary(): SpanSummary {
    const forest = this.#forest
    const [environment, sessionId, userId, service, sdk, tags] = forest.reporters()
    return {
      rootName: forest.root().name,
      reported: {
        environment: environment?.environment ?? null,
        sessionId: sessionId?.sessionId ?? null,
        userId: userId?.userId ?? null,
        service: service?.service ?? null,
        sdk: sdk?.sdk ?? null,
        tags: tags?.tags ?? null,
      },
      source: forest.isOtlp ? 'otlp' : 'json',
      startedAt: forest.startedAt!,
      endedAt: forest.endedAt!,
      spanCount: this.size,
      errorCount: forest.errorCount,
      llmCallCount: forest.llmCallCount,
      toolCallCount: forest.toolCallCount,
      tokensIn: forest.tokensIn,
      tokensOut: forest.tokensOut,
      costUsd: forest.hasKnownCost ? forest.costPicos / picoPerDollar : null,
      models: this.#sortedModels(),
    }
  }

  #sortedModels(): readonly string[] {
    const { modelNames } = this.#forest
    if (modelNames.size !== this.#modelNames.length) {
      this.#modelNames = [...modelNames].sort(compareIds)
    }
    return this.#modelNames
  }

  #rebuild(): void {
    const spans = this.values()
    const cuts = new Set(
      Array.from(buildSpanTree(spans).cycleRoots, (index) => spans[index]!.spanId),
    )
    this.models.clear()
    this.#forest = new SpanForest(this.models, cuts)
    this.#textLength = 0
    for (const span of spans) {
      this.#textLength += countCharacters(span)
      this.#forest.add(span)
    }
    if (this.#forest.isInexact) {
      this.models.clear()
      for (const [model, each] of aggregatesByModel(spans)) this.models.add(model, each, 1)
    }
    this.#modelNames = []
    this.#isStale = false
  }
}

function countCharacters({
  name,
  model,
  sessionId,
  userId,
  service,
  sdk,
  tags,
}: CountedSpan): number {
  const texts = [name, model, sessionId, userId, service, sdk, tags]
  return texts.reduce((length, text) => length + (text?.length ?? 0), 0)
}
