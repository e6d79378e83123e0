import { countOf } from '@assay/ui/count-of.ts'
import { KindIcon } from '@assay/ui/KindIcon.tsx'
import { kindColor, kindOf } from '@assay/ui/kinds.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type RefObject, type UIEvent, useLayoutEffect, useMemo, useRef } from 'react'
import type { AgentGraph, GraphEdge, GraphNode } from './agent-graph.ts'
import styles from './graph.module.css'
import { type Box, boxesOf } from './graph-boxes.ts'
import { layoutOf } from './graph-layout.ts'

interface Props {
  readonly graph: AgentGraph
  readonly chosenId: string | undefined
  /** Scrolled into view; defaults to the root. */
  readonly focusedId: string | undefined
  readonly onChoose: (node: GraphNode) => void
  readonly scroll: RefObject<GraphScroll>
}

/** The position of the drawing, and the node it was last scrolled to. */
export interface GraphScroll {
  left: number
  top: number
  focusedId?: string
}

/** Callers to the left, callees to the right; thicker lines mean more calls. */
export function GraphDrawing({ graph, chosenId, focusedId, onChoose, scroll }: Props) {
  const boxes = useMemo(() => {
    const ids = graph.nodes.map(({ id }) => id)
    return boxesOf(graph.nodes, layoutOf(ids, graph.edges))
  }, [graph])
  const focus = focusedId ?? graph.nodes[0]?.id ?? ''
  const scroller = useGraphScroll(scroll, focus, boxes.of(focus))
  const touches = ({ from, to }: GraphEdge) => from === chosenId || to === chosenId
  return (
    <div
      {...scroller}
      className={styles.scroller}
      tabIndex={0}
      role="region"
      aria-label="Call graph"
    >
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
            aria-label={formatNodeLabel(node)}
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
                  <IconAlertTriangle size={12} aria-hidden /> {formatCount(node.errors)}
                </span>
              )}
            </span>
          </button>
        )
      })}
    </div>
  )
}

/**
 * Keeps the position when the drawing is removed and added again. When another node gets the focus, centers its box if
 * it is out of view, without scrolling the page.
 */
function useGraphScroll(scrollRef: RefObject<GraphScroll>, focusedId: string, box: Box) {
  const element = useRef<HTMLDivElement>(null)
  const { x, y, width, height } = box
  useLayoutEffect(() => {
    const view = element.current
    if (view === null) return
    if (scrollRef.current.focusedId === focusedId) {
      view.scrollTo(scrollRef.current.left, scrollRef.current.top)
      return
    }
    scrollRef.current.focusedId = focusedId
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = view
    const isInView =
      x < scrollLeft + clientWidth &&
      x + width > scrollLeft &&
      y < scrollTop + clientHeight &&
      y + height > scrollTop
    if (isInView) return
    view.scrollTo(x - (clientWidth - width) / 2, y - (clientHeight - height) / 2)
  }, [scrollRef, focusedId, x, y, width, height])
  return {
    ref: element,
    onScroll: ({ currentTarget }: UIEvent<HTMLElement>) => {
      scrollRef.current.left = currentTarget.scrollLeft
      scrollRef.current.top = currentTarget.scrollTop
    },
  }
}

function formatNodeLabel({ kind, name, count, errors, totalMs }: GraphNode): string {
  const failed = errors === 0 ? '' : `, ${countOf(errors, 'error')}`
  return `${kindOf(kind).label} ${name}: ${countOf(count, 'span')}${failed}, ${formatDuration(totalMs)} total`
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
