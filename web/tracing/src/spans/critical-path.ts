import type { SpanTree } from './span-tree.ts'

/*
 * Which spans determine how long a trace took. Read backwards from the last end: whoever ended last was waited
 * for; before it began, whoever had ended last by then; and so on within each of them.
 */

export interface CriticalPath {
  /** The milliseconds that each span of the path contributes itself, by its position in the tree. */
  readonly selfMs: ReadonlyMap<number, number>
  /** Within the trace, but at no time of any span of the path. */
  readonly idleMs: number
}

interface Window {
  /** Position of a span, -1 for the trace as a whole. */
  readonly at: number
  readonly fromMs: number
  readonly toMs: number
}

/** The path of a whole trace; what its spans contribute and the idle time add up to the trace's duration. */
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

/** The last end among a span and all below it: work may go on when the one who began it has ended. */
function lastEnds({ nodes, order, endMs }: SpanTree): Float64Array {
  const lastMs = endMs.slice()
  for (const at of order.toReversed()) {
    const parent = nodes[at]?.parent ?? -1
    if (parent !== -1) lastMs[parent] = Math.max(lastMs[parent] as number, lastMs[at] as number)
  }
  return lastMs
}

/** Leaves to `waiting` what was waited for within the window and gives the time that remains its own. */
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

/** When each child was done: with all below it, and, where that took longer, by itself. */
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
