import { limits } from '@assay/contract/limits.ts'
import type { Instant } from '../../../domain/instant.ts'
import {
  findRepeatedCalls,
  isReportedCall,
  type RepeatedCalls,
} from '../../../domain/repeated-calls.ts'
import { findSeparateCalls, isIdentifiedCall } from '../../../domain/separate-calls.ts'
import { hasCost, hasTokens } from '../../../domain/span-tree.ts'
import { isSameToolCall, toolName } from '../../../domain/tool-calls.ts'
import { type CountedSpan, picoPerDollar, reportableFields } from '../../../domain/trace-totals.ts'
import type { Steps } from '../steps.ts'
import { LazyHeap } from './lazy-heap.ts'
import type { ModelAggregates } from './model-aggregates.ts'
import { SmallestStrings } from './smallest-strings.ts'
import {
  callAt,
  isEarlierNode,
  measureDepth,
  newNode,
  rootOfNode,
  type SpanNode,
  treeAt,
} from './span-node.ts'
import { facetSourcesMax } from './trace-facets.ts'
import { type Aggregates, callAggregates, costAggregates } from './trace-rollup.ts'

/** A tree, and the span nearest to its root that has a field. */
interface NearestEntry<Span extends CountedSpan> {
  readonly root: SpanNode<Span>
  readonly node: SpanNode<Span>
  readonly depth: number
}

/** A span that more spans wait for as their parent is not added: linking them would take too long. */
const orphansMax = 1000
/** In one step of `addAll`: less than a millisecond. */
const spansPerStep = 200

const noRepeats: RepeatedCalls = new Map()
const noSeparate: ReadonlySet<never> = new Set()

/**
 * Links the spans of a trace into trees as they arrive, in any order, and keeps their sums. The work per
 * span is amortized: a span is marked as above usage once, and an MCP call finds its enclosing tool call
 * once.
 */
export class SpanForest<Span extends CountedSpan> {
  readonly nodes = new Map<string, SpanNode<Span>>()
  readonly kinds = new SmallestStrings(facetSourcesMax.kinds)
  readonly names = new SmallestStrings(facetSourcesMax.names)
  readonly modelNames = new SmallestStrings(limits.modelsPerTrace.value)
  startedAt: Instant | null = null
  endedAt: Instant | null = null
  errorCount = 0
  llmCallCount = 0
  toolCallCount = 0
  tokensIn = 0
  tokensOut = 0
  costPicos = 0
  hasKnownCost = false
  isOtlp = false
  /** Whether a sum has exceeded what a number represents exactly. */
  isInexact = false
  /** Both as of the last `compareCalls`. */
  repeats: RepeatedCalls = noRepeats
  separate: ReadonlySet<SpanNode<Span>> = noSeparate

  readonly #models: ModelAggregates
  /** Spans that several instrumentations may report, and two of these. */
  readonly #calls: SpanNode<Span>[] = []
  readonly #reporters = new Set<string | null>()
  /** Whether calls with a response id have usage within them. */
  #hasOuterCalls = false
  #hasNewSpans = false
  /** Spans that are roots because their parents form a cycle. */
  readonly #cuts = new Set<string>()
  /** Roots by the id of their missing parent. */
  readonly #orphans = new Map<string, SpanNode<Span>[]>()
  #pendingRoots: SpanNode<Span>[] = []
  readonly #roots = new LazyHeap<SpanNode<Span>>(isRootBefore, ({ up }) => up === null)
  readonly #nearest = reportableFields.map(
    (_, field) =>
      new LazyHeap<NearestEntry<Span>>(
        (a, b) => (a.depth === b.depth ? isEarlierNode(a.node, b.node) : a.depth < b.depth),
        ({ root, node }) => root.up === null && treeAt(root).nearest[field] === node,
      ),
  )

  constructor(models: ModelAggregates) {
    this.#models = models
  }

  /**
   * Adds a span with a new id. False when it closes a cycle or is the parent of many: then the forest is unusable, and
   * another one must be filled with `addAll`.
   */
  add(span: Span): boolean {
    const node = newNode(span)
    this.nodes.set(span.spanId, node)
    return this.#link(node)
  }

  /**
   * Adds calls to the sums that are separate from those within them, and leaves those out that several instrumentations
   * report, except once; in short steps.
   */
  *compareCalls(): Steps<void> {
    if (!this.#hasNewSpans) return
    const separate = this.#hasOuterCalls
      ? yield* findSeparateCalls<SpanNode<Span>>(
          this.#calls,
          ({ span }) => span,
          ({ parent }) => parent,
        )
      : noSeparate
    if (this.#reporters.size > 1) {
      const counted = this.#calls.filter(
        (node) =>
          separate.has(node) || !(node.isAroundCall || node.isAboveTokens || node.isAboveCost),
      )
      this.repeats = yield* findRepeatedCalls(counted.map(({ span }) => span))
    }
    this.separate = separate
    this.#countSeparate(1)
    this.#countRepeats(-1)
    this.#hasNewSpans = false
  }

  #countSeparate(times: 1 | -1): void {
    for (const node of this.separate) {
      node.isSeparate = times === 1
      if (node.isAroundCall) this.llmCallCount += times
      if (node.isAboveTokens) this.#countTokens(node.span, times)
      if (node.isAboveCost) this.#countCost(node.span, times)
    }
  }

  #countRepeats(times: 1 | -1): void {
    for (const spanId of this.repeats.keys()) {
      const node = this.nodes.get(spanId)!
      node.isRepeated = times === -1
      if (node.span.kind === 'llm') this.llmCallCount += times
      this.#countTokens(node.span, times)
      this.#countCost(node.span, times)
    }
  }

  #link(node: SpanNode<Span>): boolean {
    if (this.repeats.size > 0) {
      this.#countRepeats(1)
      this.repeats = noRepeats
    }
    if (this.separate.size > 0) {
      this.#countSeparate(-1)
      this.separate = noSeparate
    }
    this.#hasNewSpans = true
    node.isLinked = true
    this.#count(node)
    const { spanId } = node.span
    const parent = this.#findParent(node)
    const orphans = this.#orphans.get(spanId)
    if (orphans !== undefined) {
      if (orphans.length > orphansMax) return false
      if (parent !== undefined && orphans.includes(rootOfNode(parent))) return false
      this.#orphans.delete(spanId)
      for (const orphan of orphans) this.#attach(orphan, node)
    }
    if (parent !== undefined) this.#attach(node, parent)
    else this.#addRoot(node)
    return true
  }

  /** Adds the spans of another forest to this one, which is empty, in short steps. */
  *addAll(nodes: Iterable<SpanNode<Span>>): Steps<void> {
    let count = 0
    for (const { span } of nodes) {
      if (++count % spansPerStep === 0) yield
      this.nodes.set(span.spanId, newNode(span))
    }
    for (const node of this.nodes.values()) {
      if (++count % spansPerStep === 0) yield
      const parent = this.#findParent(node)
      if (parent === undefined || parent.isLinked) {
        if (!node.isLinked) this.#link(node)
      } else yield* this.#linkWithAncestors(node)
    }
    for (const root of this.#takePendingRoots()) {
      if (++count % spansPerStep === 0) yield
      this.#rank(root)
    }
  }

  /** Links a node after its ancestors, and cuts the cycle that these may form. */
  *#linkWithAncestors(start: SpanNode<Span>): Steps<void> {
    let path: SpanNode<Span>[] = []
    const indexes = new Map<SpanNode<Span>, number>()
    for (let node: SpanNode<Span> | undefined = start; node !== undefined && !node.isLinked; ) {
      const first = indexes.get(node)
      if (first !== undefined) {
        path = cutCycle(path, first)
        this.#cuts.add(path.at(-1)!.span.spanId)
        break
      }
      indexes.set(node, path.push(node) - 1)
      if (path.length % spansPerStep === 0) yield
      node = this.#findParent(node)
    }
    for (const [linked, node] of path.reverse().entries()) {
      if (linked % spansPerStep === 0) yield
      this.#link(node)
    }
  }

  /** The span that the trace is named after. */
  root(): Span {
    this.#rankPendingRoots()
    return this.#roots.first()!.span
  }

  /** For each reportable field the span that sets it. */
  reporters(): readonly (Span | undefined)[] {
    this.#rankPendingRoots()
    return this.#nearest.map((heap) => heap.first()?.node.span)
  }

  #findParent({ span }: SpanNode<Span>): SpanNode<Span> | undefined {
    const { spanId, parentSpanId } = span
    if (parentSpanId === null || parentSpanId === spanId || this.#cuts.has(spanId)) return undefined
    return this.nodes.get(parentSpanId)
  }

  #addRoot(node: SpanNode<Span>): void {
    const { spanId, parentSpanId } = node.span
    node.isCycleRoot = this.#cuts.has(spanId)
    if (parentSpanId !== null && parentSpanId !== spanId && !node.isCycleRoot) {
      const orphans = this.#orphans.get(parentSpanId)
      if (orphans === undefined) this.#orphans.set(parentSpanId, [node])
      else orphans.push(node)
    }
    this.#pendingRoots.push(node)
  }

  /** The count of a span as a root without children. */
  #count(node: SpanNode<Span>): void {
    const { span } = node
    if (this.startedAt === null || span.startedAt < this.startedAt) this.startedAt = span.startedAt
    if (this.endedAt === null || span.endedAt > this.endedAt) this.endedAt = span.endedAt
    if (span.status === 'ERROR') this.errorCount += 1
    if (span.source === 'otlp') this.isOtlp = true
    if (span.kind === 'llm') this.llmCallCount += 1
    if (node.isToolCall) this.toolCallCount += 1
    if (span.costUsd !== null) this.hasKnownCost = true
    if (isReportedCall(span)) {
      this.#calls.push(node)
      if (this.#reporters.size < 2) this.#reporters.add(span.sdk)
    }
    this.kinds.add(span.kind)
    this.names.add(span.name)
    if (span.model !== null && span.model !== '') {
      const replaced = this.modelNames.add(span.model)
      if (replaced !== undefined) this.#models.drop(replaced)
    }
    this.#countTokens(span, 1)
    this.#countCost(span, 1)
  }

  #countTokens(span: Span, times: 1 | -1): void {
    this.tokensIn += times * (span.tokensIn ?? 0)
    this.tokensOut += times * (span.tokensOut ?? 0)
    if (this.tokensIn > Number.MAX_SAFE_INTEGER || this.tokensOut > Number.MAX_SAFE_INTEGER) {
      this.isInexact = true
    }
    this.#countModel(span, callAggregates, times)
  }

  #countCost(span: Span, times: 1 | -1): void {
    if (!hasCost(span)) return
    this.costPicos += times * Math.round(span.costUsd! * picoPerDollar)
    if (this.costPicos > Number.MAX_SAFE_INTEGER) this.isInexact = true
    this.#countModel(span, costAggregates, times)
  }

  #countModel(span: Span, toAggregates: (span: Span) => Aggregates, times: 1 | -1): void {
    const { model } = span
    if (model === null || model === '') return
    if (this.modelNames.values.has(model)) this.#models.add(model, toAggregates(span), times)
    else this.#models.addToSums(toAggregates(span), times)
  }

  /** Makes a root the child of a span in another tree. */
  #attach(node: SpanNode<Span>, parent: SpanNode<Span>): void {
    const root = rootOfNode(parent)
    this.#countChild(node, parent)
    node.parent = parent
    node.up = parent
    node.levels = 1
    const call = callAt(parent)
    if (!node.isToolCall) {
      node.callUp = parent
      this.#settleOpenCalls(node, call)
    } else if (node.span.kind === 'mcp') this.#settleCall(node, call)
    if (node.isAboveTokens || hasTokens(node.span)) this.#markAboveTokens(parent)
    if (node.isAboveCost || hasCost(node.span)) this.#markAboveCost(parent)
    this.#offerNearest(node, root)
    node.tree = null
  }

  #countChild({ span, hasChildren }: SpanNode<Span>, parent: SpanNode<Span>): void {
    if (span.kind === 'function' && !hasChildren) this.toolCallCount += 1
    if (!parent.hasChildren && parent.span.kind === 'function' && parent.parent !== null) {
      this.toolCallCount -= 1
    }
    parent.hasChildren = true
    if (isSameToolCall(parent.span, span)) this.toolCallCount -= 1
    if (span.kind === 'llm' && parent.span.kind === 'llm' && !parent.isAroundCall) {
      parent.isAroundCall = true
      this.llmCallCount -= 1
    }
  }

  /** `call`: the enclosing tool call, or the root of its tree. */
  #settleCall(node: SpanNode<Span>, call: SpanNode<Span>): void {
    if (call.isToolCall) {
      if (toolName(call.span.name) === toolName(node.span.name)) this.toolCallCount -= 1
      return
    }
    const tree = treeAt(call)
    node.nextOpenCall = tree.firstOpenCall
    tree.firstOpenCall = node
    tree.lastOpenCall ??= node
  }

  #settleOpenCalls(node: SpanNode<Span>, call: SpanNode<Span>): void {
    const { tree } = node
    if (tree === null || tree.firstOpenCall === null) return
    if (!call.isToolCall) {
      const above = treeAt(call)
      tree.lastOpenCall!.nextOpenCall = above.firstOpenCall
      above.firstOpenCall = tree.firstOpenCall
      above.lastOpenCall ??= tree.lastOpenCall
      return
    }
    for (let open: SpanNode<Span> | null = tree.firstOpenCall; open !== null; ) {
      const { nextOpenCall }: SpanNode<Span> = open
      open.nextOpenCall = null
      this.#settleCall(open, call)
      open = nextOpenCall
    }
  }

  #markAboveTokens(from: SpanNode<Span>): void {
    for (let node: SpanNode<Span> | null = from; node !== null && !node.isAboveTokens; ) {
      node.isAboveTokens = true
      this.#hasOuterCalls ||= isIdentifiedCall(node.span)
      this.#countTokens(node.span, -1)
      node = node.parent
    }
  }

  #markAboveCost(from: SpanNode<Span>): void {
    for (let node: SpanNode<Span> | null = from; node !== null && !node.isAboveCost; ) {
      node.isAboveCost = true
      this.#countCost(node.span, -1)
      node = node.parent
    }
  }

  /** Merges the nearest spans of a former root into the tree above. */
  #offerNearest(node: SpanNode<Span>, root: SpanNode<Span>): void {
    const { nearest } = treeAt(root)
    let isChanged = false
    for (const [field, key] of reportableFields.entries()) {
      const offered =
        node.tree === null ? (node.span[key] === null ? null : node) : node.tree.nearest[field]!
      if (offered === null || !isNearer(offered, nearest[field]!)) continue
      nearest[field] = offered
      isChanged = true
    }
    if (isChanged) this.#pendingRoots.push(root)
  }

  #rankPendingRoots(): void {
    for (const root of this.#takePendingRoots()) this.#rank(root)
  }

  #takePendingRoots(): readonly SpanNode<Span>[] {
    const roots = this.#pendingRoots
    this.#pendingRoots = []
    return roots
  }

  #rank(root: SpanNode<Span>): void {
    if (root.up !== null) return
    const tree = treeAt(root)
    if (!tree.isRanked) this.#roots.push(root)
    tree.isRanked = true
    for (const [field, node] of tree.nearest.entries()) {
      if (node === null || node === tree.ranked[field]) continue
      tree.ranked[field] = node
      this.#nearest[field]!.push({ root, node, depth: measureDepth(node) })
    }
  }
}

/**
 * A path up into a cycle, which starts at the index `first`. Returns the same nodes as a path that ends at the earliest
 * node of the cycle.
 */
function cutCycle<Node extends SpanNode>(path: readonly Node[], first: number): Node[] {
  const cycle = path.slice(first)
  let cut = 0
  for (const [index, node] of cycle.entries()) if (isEarlierNode(node, cycle[cut]!)) cut = index
  // The nodes above the cut one are below it once the cycle is cut there.
  return [...path.slice(0, first), ...cycle.slice(cut + 1), ...cycle.slice(0, cut + 1)]
}

function isNearer(offered: SpanNode, current: SpanNode | null): boolean {
  if (current === null) return true
  const levels = measureDepth(offered) - measureDepth(current)
  return levels === 0 ? isEarlierNode(offered, current) : levels < 0
}

function isRootBefore(a: SpanNode, b: SpanNode): boolean {
  return a.isCycleRoot === b.isCycleRoot ? isEarlierNode(a, b) : b.isCycleRoot
}
