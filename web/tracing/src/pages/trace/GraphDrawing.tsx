import { countOf } from '@assay/ui/count-of.ts'
import { KindIcon } from '@assay/ui/KindIcon.tsx'
import { kindColor, toKind } from '@assay/ui/kinds.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { ActionIcon } from '@mantine/core'
import { IconAlertTriangle, IconArrowsMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import { memo, type ReactNode, type RefObject, useMemo, useState } from 'react'
import type { AgentGraph, GraphEdge, GraphNode } from './agent-graph.ts'
import styles from './graph.module.css'
import { type Box, toBoxes } from './graph-boxes.ts'
import { toCurve, toPath } from './graph-curves.ts'
import { type PlacedLabel, toEdgeId, toLabels, touches } from './graph-labels.ts'
import { computeLayout } from './graph-layout.ts'
import { type GraphScroll, useGraphView } from './use-graph-view.ts'
import views from './views.module.css'

interface Props {
  readonly graph: AgentGraph
  readonly chosenId: string | undefined
  /** Scrolled into view; defaults to the root. */
  readonly focusedId: string | undefined
  readonly onChoose: (node: GraphNode) => void
  readonly scroll: RefObject<GraphScroll>
  /** Next to the zoom buttons. */
  readonly bar: ReactNode
  readonly note: ReactNode
}

/** Callers to the left, callees to the right; thicker lines mean more calls. */
export function GraphDrawing({ graph, chosenId, focusedId, onChoose, scroll, bar, note }: Props) {
  const boxes = useMemo(() => {
    const ids = graph.nodes.map(({ id }) => id)
    return toBoxes(graph.nodes, computeLayout(ids, graph.edges))
  }, [graph])
  const focus = focusedId ?? graph.nodes[0]?.id ?? ''
  const { scroller, canvas, zoomIn, zoomOut, fit } = useGraphView(scroll, boxes, focus)
  const [pointedId, setPointedId] = useState<string>()
  const litId = pointedId ?? chosenId
  const labels = useMemo(() => toLabels(graph, boxes, litId), [graph, boxes, litId])
  return (
    <>
      <div className={views.bar}>
        {bar}
        <ActionIcon.Group>
          <ActionIcon variant="default" aria-label="Zoom in" title="Zoom in (+)" onClick={zoomIn}>
            <IconPlus size={15} stroke={1.75} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label="Zoom out"
            title="Zoom out (-)"
            onClick={zoomOut}
          >
            <IconMinus size={15} stroke={1.75} />
          </ActionIcon>
          <ActionIcon variant="default" aria-label="Fit" title="Fit (0)" onClick={fit}>
            <IconArrowsMaximize size={15} stroke={1.75} />
          </ActionIcon>
        </ActionIcon.Group>
      </div>
      {note}
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
                key={toEdgeId(edge)}
                edge={edge}
                from={boxes.of(edge.from)}
                to={boxes.of(edge.to)}
                label={labels.get(toEdgeId(edge))}
                isLit={touches(edge, litId)}
                isDim={litId !== undefined && !touches(edge, litId)}
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
                onPointerEnter={() => setPointedId(node.id)}
                onPointerLeave={() => setPointedId(undefined)}
                onFocus={() => setPointedId(node.id)}
                onBlur={() => setPointedId(undefined)}
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
    </>
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
  /** Undefined without room for one. */
  readonly label: PlacedLabel | undefined
  readonly isLit: boolean
  readonly isDim: boolean
}

const Line = memo(function Line({ edge, from, to, label, isLit, isDim }: LineProps) {
  return (
    <g className={styles.line} data-lit={isLit || undefined} data-dim={isDim || undefined}>
      <path
        d={toPath(toCurve(from, to))}
        strokeWidth={1 + Math.min(4, Math.log2(edge.count))}
        data-back={to.x <= from.x || undefined}
      />
      {label !== undefined && (
        <text x={label.center.x} y={label.center.y} dominantBaseline="central">
          {label.text}
        </text>
      )}
    </g>
  )
})
