import type { SpanTree } from './span-tree.ts'

/*
 * The spans that determine the duration of a trace. Goes backwards from the end: the span that ended last was
 * waited for, before its start the one that had ended last by then, and so on within each of them.
 */

export interface CriticalPath {
  /** The self time of each span on the path, by its position in the tree. */
  readonly selfMs: ReadonlyMap<number, number>
  /** Time in the trace not covered by any span on the path. */
  readonly idleMs: number
}

interface Window {
  /** Position of a span, -1 for the trace as a whole. */
  readonly at: number
  readonly fromMs: number
  readonly toMs: number
}

/** The self times and the idle time add up to the duration of the trace. */
export function criticalPath(tree: SpanTree): CriticalPath {
  const selfMs = new Map<number, number>()
  if (tree.nodes.length === 0) return { selfMs, idleMs: 0 }
  const lastMs = lastEnds(tree)
  const fromMs = tree.startMs.reduce((first, one) => Math.min(first, one), Infinity)
  const toMs = tree.endMs.reduce((last, one) => Math.max(last, one), -Infinity)
  let idleMs = 0
  const waiting: Window[] = [{ at: -1, fromMs, toMs }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const own = walk(tree, lastMs, next, waiting)
    if (next.at === -1) idleMs = own
    else selfMs.set(next.at, own)
  }
  return { selfMs, idleMs }
}

/** The last end of each span and its descendants, which may outlive it. */
function lastEnds({ nodes, order, endMs }: SpanTree): Float64Array {
  const lastMs = endMs.slice()
  for (const at of order.toReversed()) {
    const parent = nodes[at]?.parent ?? -1
    if (parent !== -1) lastMs[parent] = Math.max(lastMs[parent] as number, lastMs[at] as number)
  }
  return lastMs
}

/** Pushes the spans waited for within the window to `waiting` and returns the self time. */
function walk(tree: SpanTree, lastMs: Float64Array, window: Window, waiting: Window[]): number {
  const { at, fromMs, toMs } = window
  const children = at === -1 ? tree.roots : (tree.nodes[at]?.children ?? [])
  const used = new Set<number>()
  let untilMs = toMs
  let own = 0
  for (const { child, doneMs } of latestFirst(children, tree.endMs, lastMs)) {
    if (doneMs > untilMs || used.has(child)) continue
    if (doneMs < fromMs || untilMs < fromMs) break
    used.add(child)
    own += untilMs - doneMs
    untilMs = Math.max(fromMs, tree.startMs[child] as number)
    waiting.push({ at: child, fromMs: untilMs, toMs: doneMs })
  }
  return own + untilMs - fromMs
}

interface Done {
  readonly child: number
  readonly doneMs: number
}

/** The end of each child including its descendants, and its own end if that is earlier; latest first. */
function latestFirst(
  children: readonly number[],
  endMs: Float64Array,
  lastMs: Float64Array,
): readonly Done[] {
  const done: Done[] = []
  for (const child of children) {
    const end = endMs[child] as number
    const last = lastMs[child] as number
    done.push({ child, doneMs: last })
    if (end < last) done.push({ child, doneMs: end })
  }
  return done.sort((one, other) => other.doneMs - one.doneMs || other.child - one.child)
}
