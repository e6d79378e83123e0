import { countOf } from '@assay/ui/count-of.ts'
import { KindIcon } from '@assay/ui/KindIcon.tsx'
import { kindColor, toKind } from '@assay/ui/kinds.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type RefObject, useMemo } from 'react'
import type { AgentGraph, GraphEdge, GraphNode } from './agent-graph.ts'
import styles from './graph.module.css'
import { type Box, toBoxes } from './graph-boxes.ts'
import { computeLayout } from './graph-layout.ts'
import { type GraphScroll, useGraphScroll } from './use-graph-scroll.ts'

interface Props {
  readonly graph: AgentGraph
  readonly chosenId: string | undefined
  /** Scrolled into view; defaults to the root. */
  readonly focusedId: string | undefined
  readonly onChoose: (node: GraphNode) => void
  readonly scroll: RefObject<GraphScroll>
}

/** Callers to the left, callees to the right; thicker lines mean more calls. */
export function GraphDrawing({ graph, chosenId, focusedId, onChoose, scroll }: Props) {
  const boxes = useMemo(() => {
    const ids = graph.nodes.map(({ id }) => id)
    return toBoxes(graph.nodes, computeLayout(ids, graph.edges))
  }, [graph])
  const focus = focusedId ?? graph.nodes[0]?.id ?? ''
  const { scroller, canvas } = useGraphScroll(scroll, boxes, focus)
  const touches = ({ from, to }: GraphEdge) => from === chosenId || to === chosenId
  return (
    <div
      {...scroller}
      className={styles.scroller}
      tabIndex={0}
      role="region"
      aria-label="Call graph"
    >
      <div ref={canvas} className={styles.canvas}>
        <svg width={boxes.width} height={boxes.height} className={styles.drawing} aria-hidden>
          {graph.edges.map((edge) => (
            <Line
              key={`${edge.from} ${edge.to}`}
              edge={edge}
              from={boxes.of(edge.from)}
              to={boxes.of(edge.to)}
              isLit={touches(edge)}
              isDim={chosenId !== undefined && !touches(edge)}
            />
          ))}
        </svg>
        {graph.nodes.map((node) => {
          const { x, y, width, height } = boxes.of(node.id)
          return (
            <button
              key={node.id}
              type="button"
              className={styles.node}
              aria-pressed={node.id === chosenId}
              title={formatNodeLabel(node)}
              style={{ left: x, top: y, width, height, borderLeftColor: kindColor(node.kind) }}
              onClick={() => onChoose(node)}
            >
              <span className={styles.name}>
                <KindIcon kind={node.kind} sizePx={15} />
                <span>{node.name}</span>
              </span>
              <span className={styles.stats}>
                <span>
                  ×{formatCount(node.count)}
                  {node.selfCalls > 0 && ' ↻'}
                </span>
                <span>{formatDuration(node.totalMs)}</span>
                {node.errors > 0 && (
                  <span className={styles.bad}>
                    <IconAlertTriangle size={12} role="img" aria-label="errors:" />{' '}
                    {formatCount(node.errors)}
                  </span>
                )}
              </span>
            </button>
          )
        })}
      </div>
    </div>
  )
}

function formatNodeLabel({ kind, name, count, errors, totalMs }: GraphNode): string {
  const failed = errors === 0 ? '' : `, ${countOf(errors, 'error')}`
  return `${toKind(kind).label} ${name}: ${countOf(count, 'span')}${failed}, ${formatDuration(totalMs)} total`
}

interface LineProps {
  readonly edge: GraphEdge
  readonly from: Box
  readonly to: Box
  readonly isLit: boolean
  readonly isDim: boolean
}

function Line({ edge, from, to, isLit, isDim }: LineProps) {
  const isBack = to.x <= from.x
  const start = { x: from.x + (isBack ? 0 : from.width), y: from.y + from.height / 2 }
  const end = { x: to.x + (isBack ? to.width : 0), y: to.y + to.height / 2 }
  const bend = Math.max(30, Math.abs(end.x - start.x) / 2) * (isBack ? -1 : 1)
  const path = `M${start.x},${start.y} C${start.x + bend},${start.y} ${end.x - bend},${end.y} ${end.x},${end.y}`
  return (
    <g className={styles.line} data-lit={isLit || undefined} data-dim={isDim || undefined}>
      <path
        d={path}
        strokeWidth={1 + Math.min(4, Math.log2(edge.count))}
        data-back={isBack || undefined}
      />
      {edge.count > 1 && (
        <text x={(start.x + end.x) / 2} y={(start.y + end.y) / 2 - 5}>
          ×{formatCount(edge.count)}
        </text>
      )}
    </g>
  )
}
