import { formatCount } from '@assay/ui/number-format.ts'
import type { AgentGraph, GraphEdge } from './agent-graph.ts'
import type { GraphBoxes } from './graph-boxes.ts'
import { type Label, type Point, placeLabels, toCurve } from './graph-curves.ts'

/*
 * Which edges of a call graph are labeled with their number of calls.
 */

/** With more repeated calls, only those of the lit node have labels. */
const maxLabeled = 20

export interface PlacedLabel {
  readonly text: string
  readonly center: Point
}

/** By edge. The labels of the lit node are placed first, at the other ends of its edges. */
export function toLabels(
  { nodes, edges }: Pick<AgentGraph, 'nodes' | 'edges'>,
  boxes: GraphBoxes,
  litId: string | undefined,
): ReadonlyMap<string, PlacedLabel> {
  const repeated = edges.filter(({ count }) => count > 1)
  const lit = repeated.filter((edge) => touches(edge, litId))
  const others = repeated.length > maxLabeled ? [] : repeated.filter((one) => !touches(one, litId))
  const labels = [...lit, ...others].map((edge) => toLabel(edge, boxes, litId))
  const centers = placeLabels(
    labels,
    nodes.map(({ id }) => boxes.of(id)),
  )
  return new Map(
    labels.flatMap(({ id, text }) => {
      const center = centers.get(id)
      return center === undefined ? [] : [[id, { text, center }]]
    }),
  )
}

function toLabel(edge: GraphEdge, boxes: GraphBoxes, litId: string | undefined): Label {
  return {
    id: toEdgeId(edge),
    text: `×${formatCount(edge.count)}`,
    curve: toCurve(boxes.of(edge.from), boxes.of(edge.to)),
    isAtStart: edge.to === litId,
  }
}

export function toEdgeId({ from, to }: Pick<GraphEdge, 'from' | 'to'>): string {
  return JSON.stringify([from, to])
}

export function touches({ from, to }: GraphEdge, nodeId: string | undefined): boolean {
  return from === nodeId || to === nodeId
}
