import { compareIds } from '../../../domain/id-order.ts'
import type { RepeatedCalls } from '../../../domain/repeated-calls.ts'
import { findUnfinished } from '../../../domain/settling.ts'
import type { TraceLabels } from '../../../domain/span.ts'
import { hasCost } from '../../../domain/span-tree.ts'
import {
  addTokens,
  type CountedSpan,
  picoPerDollar,
  type SpanSummary,
  sumOfDollars,
  type TraceTotals,
  totalsFrom,
} from '../../../domain/trace-totals.ts'
import { finish, type Steps } from '../steps.ts'
import { ModelAggregates } from './model-aggregates.ts'
import { SpanForest } from './span-forest.ts'
import { newNode } from './span-node.ts'
import type { FacetSources } from './trace-facets.ts'
import { callAggregates, costAggregates } from './trace-rollup.ts'

/**
 * The aggregates of a trace, updated as spans are added in any order: equal to what `computeTotals`,
 * `toRollupDelta` and `toFacets` compute from all spans. The cost of adding a span is almost independent of
 * their number, unless several instrumentations report calls: these are compared after each change. Replaced spans, a
 * closed cycle, the parent of many spans, or sums beyond what a number represents exactly cost a pass over all spans: the
 * one of `update`, in steps, or of the next `totals`.
 */
export class TraceAggregate<Span extends CountedSpan = CountedSpan> {
  /** As of the last call of `totals`. */
  readonly models = new ModelAggregates()
  #forest = new SpanForest<Span>(this.models)
  /** Spans are only collected until the next update. */
  #isStale: boolean
  #exactSums: ExactSums | null = null
  #textLength = 0

  /** With `isStale`, spans are added faster, and the first update costs a pass over them. */
  constructor({ isStale = false } = {}) {
    this.#isStale = isStale
  }

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

  *values(): Generator<Span, void> {
    for (const { span } of this.#forest.nodes.values()) yield span
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

  /** Calls that count in another span, as of the last call of `totals`. */
  get repeats(): RepeatedCalls {
    return this.#forest.repeats
  }

  /** The ids of calls that count beside those within them, as of the last call of `totals`. */
  get separate(): ReadonlySet<string> {
    if (this.#forest.separate.size === 0) return noSpans
    return new Set([...this.#forest.separate].map(({ span }) => span.spanId))
  }

  /** Makes the next `totals` cheap, in short steps. */
  *update(): Steps<void> {
    // It may add calls to the sums, which are inexact then.
    if (!this.#isStale) yield* this.#forest.compareCalls()
    const isUpToDate = !this.#forest.isInexact || this.#exactSums?.spanCount === this.size
    if (this.#isStale || !isUpToDate) yield* this.#rebuild()
  }

  /** The totals of the spans; there must be at least one. */
  totals(labels: TraceLabels | null): TraceTotals {
    finish(this.update())
    return totalsFrom(this.#summary(), labels)
  }

  /** As of the last call of `totals`. */
  facetSources(): FacetSources {
    return { kinds: this.#forest.kinds.values, names: this.#forest.names.values }
  }

  #summary(): SpanSummary {
    const forest = this.#forest
    const root = forest.root()
    const [environment, sessionId, userId, service, sdk, tags, traceName] = forest.reporters()
    const sums = this.#exactSums ?? {
      tokensIn: forest.tokensIn,
      tokensOut: forest.tokensOut,
      costUsd: forest.costPicos / picoPerDollar,
    }
    return {
      rootName: traceName?.traceName ?? root.name,
      unfinished: findUnfinished(root, forest.endedAt!),
      reported: {
        environment: environment?.environment ?? null,
        sessionId: sessionId?.sessionId ?? null,
        userId: userId?.userId ?? null,
        service: service?.service ?? null,
        sdk: sdk?.sdk ?? null,
        tags: tags?.tags ?? null,
        traceName: traceName?.traceName ?? null,
      },
      source: forest.isOtlp ? 'otlp' : 'json',
      startedAt: forest.startedAt!,
      endedAt: forest.endedAt!,
      spanCount: this.size,
      errorCount: forest.errorCount,
      llmCallCount: forest.llmCallCount,
      toolCallCount: forest.toolCallCount,
      tokensIn: sums.tokensIn,
      tokensOut: sums.tokensOut,
      costUsd: forest.hasKnownCost ? sums.costUsd : null,
      modelCallCount: this.models.sums.calls,
      unpricedCallCount: this.models.sums.unpriced,
      models: [...forest.modelNames.values].sort(compareIds),
    }
  }

  *#rebuild(): Steps<void> {
    const { nodes } = this.#forest
    this.models.clear()
    this.#forest = new SpanForest(this.models)
    yield* this.#forest.addAll(nodes.values())
    yield* this.#forest.compareCalls()
    this.#exactSums = this.#forest.isInexact ? yield* this.#sumExactly() : null
    this.#textLength = 0
    let counted = 0
    for (const span of this.values()) {
      if (++counted % spansPerStep === 0) yield
      this.#textLength += countCharacters(span)
    }
    this.#isStale = false
  }

  /** Sums in the order of the spans, because inexact sums depend on it. */
  *#sumExactly(): Steps<ExactSums> {
    const models = new ModelAggregates()
    const { modelNames } = this.#forest
    const amounts: number[] = []
    let [tokensIn, tokensOut, summed] = [0, 0, 0]
    for (const node of this.#forest.nodes.values()) {
      if (++summed % spansPerStep === 0) yield
      const { span, isSeparate } = node
      if (node.isRepeated) continue
      const model = span.model === null || span.model === '' ? null : span.model
      const isListed = model !== null && modelNames.values.has(model)
      if (!node.isAboveTokens || isSeparate) {
        tokensIn = addTokens(tokensIn, span.tokensIn)
        tokensOut = addTokens(tokensOut, span.tokensOut)
        if (isListed) models.add(model, callAggregates(span), 1)
        else if (model !== null) models.addToSums(callAggregates(span), 1)
      }
      if ((node.isAboveCost && !isSeparate) || !hasCost(span)) continue
      amounts.push(span.costUsd!)
      if (isListed) models.add(model, costAggregates(span), 1)
    }
    this.models.clear()
    for (const [model, each] of models.current) this.models.add(model, each, 1)
    Object.assign(this.models.sums, models.sums)
    return { spanCount: this.size, tokensIn, tokensOut, costUsd: sumOfDollars(amounts) }
  }
}

/** Of spans whose sums are beyond what a number represents exactly. */
interface ExactSums {
  readonly spanCount: number
  readonly tokensIn: number
  readonly tokensOut: number
  readonly costUsd: number
}

const spansPerStep = 200
const noSpans: ReadonlySet<string> = new Set()

function countCharacters({
  name,
  model,
  sessionId,
  userId,
  service,
  sdk,
  responseId,
  tags,
  traceName,
}: CountedSpan): number {
  const ofTrace = lengthOf(sessionId) + lengthOf(userId) + lengthOf(tags) + lengthOf(traceName)
  const ofSender = lengthOf(service) + lengthOf(sdk)
  return name.length + lengthOf(model) + lengthOf(responseId) + ofTrace + ofSender
}

function lengthOf(text: string | null): number {
  return text?.length ?? 0
}
