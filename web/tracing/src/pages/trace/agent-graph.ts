import type { ListedSpan } from '@assay/contract/traces.ts'
import type { SpanTree } from '../../spans/span-tree.ts'

/*
 * The call graph of a trace: spans of the same kind and name form one node. Linear in the number of spans.
 */

export interface GraphNode {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly count: number
  readonly errors: number
  /** The sum over all spans; concurrent spans are counted separately. */
  readonly totalMs: number
  readonly tokens: number
  /** Null if none of its spans has a cost. */
  readonly costUsd: number | null
  /** Recursive calls. */
  readonly selfCalls: number
  /** Positions of its spans in the tree, top to bottom. */
  readonly spans: readonly number[]
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
  readonly count: number
  readonly errors: number
}

export interface AgentGraph {
  /** In order of first occurrence. */
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  /** The number of nodes dropped because of `maxNodes`. */
  readonly nodesLeftOut: number
}

export interface GraphOptions {
  readonly maxNodes: number
  /** Otherwise functions and unknown kinds are skipped, and their callees are attributed to their callers. */
  readonly withFunctions: boolean
}

interface Draft {
  readonly id: string
  readonly span: ListedSpan
  readonly spans: number[]
  errors: number
  totalMs: number
  tokens: number
  costUsd: number | null
  selfCalls: number
}

const parts = new Set([
  'agent',
  'llm',
  'tool',
  'retriever',
  'embedding',
  'reranker',
  'chain',
  'guardrail',
  'evaluator',
  'mcp',
  'memory',
])

/** Whether a span is an agent step rather than a plain function. */
const isAgentPart = ({ kind }: ListedSpan): boolean => parts.has(kind)

/** The slowest nodes and the calls between them. */
export function agentGraph(tree: SpanTree, options: GraphOptions): AgentGraph {
  const all = toDrafts(tree, options.withFunctions || !hasParts(tree))
  const kept = new Set(
    [...all.values()]
      .sort((one, other) => other.totalMs - one.totalMs || other.spans.length - one.spans.length)
      .slice(0, options.maxNodes)
      .map(({ id }) => id),
  )
  const edges = toEdges(tree, all, kept)
  return {
    nodes: [...all.values()].filter(({ id }) => kept.has(id)).map(shown),
    edges,
    nodesLeftOut: all.size - kept.size,
  }
}

function hasParts({ nodes }: SpanTree): boolean {
  return nodes.some(({ span }) => isAgentPart(span))
}

function getNodeId({ kind, name }: ListedSpan): string {
  return `${kind}:${name}`
}

function toDrafts({ nodes, order }: SpanTree, withFunctions: boolean): Map<string, Draft> {
  const drafts = new Map<string, Draft>()
  for (const at of order) {
    const span = nodes[at]?.span
    if (span === undefined || !(withFunctions || isAgentPart(span))) continue
    const id = getNodeId(span)
    let draft = drafts.get(id)
    if (draft === undefined) {
      draft = { id, span, spans: [], errors: 0, totalMs: 0, tokens: 0, costUsd: null, selfCalls: 0 }
      drafts.set(id, draft)
    }
    draft.spans.push(at)
    draft.totalMs += span.latency_ms ?? 0
    draft.tokens += (span.tokens_in ?? 0) + (span.tokens_out ?? 0)
    if (span.status === 'ERROR') draft.errors += 1
    if (span.cost_usd !== null) draft.costUsd = (draft.costUsd ?? 0) + span.cost_usd
  }
  return drafts
}

/** Calls between kept nodes, skipping dropped nodes in between. */
function toEdges(
  { nodes, order }: SpanTree,
  drafts: ReadonlyMap<string, Draft>,
  kept: ReadonlySet<string>,
): readonly GraphEdge[] {
  const callers = Array.from<Draft | undefined>({ length: nodes.length })
  const edges = new Map<string, { from: string; to: string; count: number; errors: number }>()
  for (const at of order) {
    const node = nodes[at]
    if (node === undefined) continue
    const caller = node.parent === -1 ? undefined : callers[node.parent]
    const id = getNodeId(node.span)
    const draft = kept.has(id) ? drafts.get(id) : undefined
    callers[at] = draft ?? caller
    if (draft === undefined || caller === undefined) continue
    if (draft === caller) {
      draft.selfCalls += 1
      continue
    }
    const key = JSON.stringify([caller.id, id])
    const edge = edges.get(key) ?? { from: caller.id, to: id, count: 0, errors: 0 }
    edge.count += 1
    if (node.span.status === 'ERROR') edge.errors += 1
    edges.set(key, edge)
  }
  return [...edges.values()]
}

function shown({ span, ...draft }: Draft): GraphNode {
  return { ...draft, kind: span.kind, name: span.name, count: draft.spans.length }
}
