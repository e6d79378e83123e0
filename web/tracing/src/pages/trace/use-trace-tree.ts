import { useMemo, useState } from 'react'
import { buildTree, type SpanTree } from '../../spans/span-tree.ts'
import { isWorthBuilding } from './arriving-spans.ts'
import type { LoadedTrace } from './use-loaded-trace.ts'

interface TraceTree {
  readonly tree: SpanTree
  /** The tree has all spans. */
  readonly isComplete: boolean
}

/** The tree of the loaded spans. */
export function useTraceTree(loaded: LoadedTrace): TraceTree {
  // Not deferred: scrolling would keep interrupting a deferred tree, which then restarts.
  const spans = useSpansToBuild(loaded)
  const tree = useMemo(() => buildTree(spans), [spans])
  return { tree, isComplete: loaded.isComplete && spans === loaded.spans }
}

/** The spans at the last load state that was worth building a tree for. */
function useSpansToBuild({ spans, isComplete, error }: LoadedTrace): LoadedTrace['spans'] {
  const [taken, setTaken] = useState(spans)
  const isSettled = isComplete || error !== null
  if (taken === spans || !isWorthBuilding(taken.length, spans.length, isSettled)) return taken
  setTaken(spans)
  return spans
}
