import { countOf } from '@assay/ui/count-of.ts'
import { KindIcon } from '@assay/ui/KindIcon.tsx'
import { kindColor, kindOf } from '@assay/ui/kinds.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useMemo, useRef } from 'react'
import type { AgentGraph, GraphEdge, GraphNode } from './agent-graph.ts'
import styles from './graph.module.css'
import { layoutOf, type Place } from './graph-layout.ts'

interface Props {
  readonly graph: AgentGraph
  readonly chosenId: string | undefined
  /** Scrolled into view; defaults to the root. */
  readonly focusedId: string | undefined
  readonly onChoose: (node: GraphNode) => void
}

const boxPx = { width: 160, height: 46 }
const gapPx = { across: 56, down: 16 }
const edgePx = 12

/** Callers to the left, callees to the right; thicker lines mean more calls. */
export function GraphDrawing({ graph, chosenId, focusedId, onChoose }: Props) {
  const layout = useMemo(
    () =>
      layoutOf(
        graph.nodes.map(({ id }) => id),
        graph.edges,
      ),
    [graph],
  )
  const width = layout.layerCount * (boxPx.width + gapPx.across) - gapPx.across + 2 * edgePx
  const height = layout.longestLayer * (boxPx.height + gapPx.down) - gapPx.down + 2 * edgePx
  const sizes = useMemo(() => layerSizes(layout.places), [layout])

  const cornerOf = (id: string) => {
    const place = layout.places.get(id) ?? { layer: 0, row: 0 }
    const rows = sizes.get(place.layer) ?? 1
    const freePx = height - 2 * edgePx - (rows * (boxPx.height + gapPx.down) - gapPx.down)
    return {
      x: edgePx + place.layer * (boxPx.width + gapPx.across),
      y: edgePx + freePx / 2 + place.row * (boxPx.height + gapPx.down),
    }
  }
  const focus = cornerOf(focusedId ?? graph.nodes[0]?.id ?? '')
  const scroller = useScrollIntoView(focus.x, focus.y)
  const touches = ({ from, to }: GraphEdge) => from === chosenId || to === chosenId
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      tabIndex={0}
      role="region"
      aria-label="Call graph"
    >
      <svg width={width} height={height} className={styles.drawing} aria-hidden>
        {graph.edges.map((edge) => (
          <Line
            key={`${edge.from} ${edge.to}`}
            edge={edge}
            from={cornerOf(edge.from)}
            to={cornerOf(edge.to)}
            isLit={touches(edge)}
            isDim={chosenId !== undefined && !touches(edge)}
          />
        ))}
      </svg>
      {graph.nodes.map((node) => {
        const { x, y } = cornerOf(node.id)
        return (
          <button
            key={node.id}
            type="button"
            className={styles.node}
            aria-pressed={node.id === chosenId}
            aria-label={formatNodeLabel(node)}
            title={formatNodeLabel(node)}
            style={{ left: x, top: y, borderLeftColor: kindColor(node.kind), ...boxPx }}
            onClick={() => onChoose(node)}
          >
            <span className={styles.name}>
              <KindIcon kind={node.kind} sizePx={15} />
              <span>{node.name}</span>
            </span>
            <span className={styles.figures}>
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

/** Centers the box at a corner if it is out of view, without scrolling the page. */
function useScrollIntoView(x: number, y: number) {
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const view = scroller.current
    if (view === null) return
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = view
    const isInView =
      x >= scrollLeft &&
      x + boxPx.width <= scrollLeft + clientWidth &&
      y >= scrollTop &&
      y + boxPx.height <= scrollTop + clientHeight
    if (isInView) return
    view.scrollTo(x - (clientWidth - boxPx.width) / 2, y - (clientHeight - boxPx.height) / 2)
  }, [x, y])
  return scroller
}

function layerSizes(places: ReadonlyMap<string, Place>): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>()
  for (const { layer } of places.values()) sizes.set(layer, (sizes.get(layer) ?? 0) + 1)
  return sizes
}

function formatNodeLabel({ kind, name, count, errors, totalMs }: GraphNode): string {
  const failed = errors === 0 ? '' : `, ${countOf(errors, 'error')}`
  return `${kindOf(kind).label} ${name}: ${countOf(count, 'span')}${failed}, ${formatDuration(totalMs)} total`
}

interface Corner {
  readonly x: number
  readonly y: number
}

interface LineProps {
  readonly edge: GraphEdge
  readonly from: Corner
  readonly to: Corner
  readonly isLit: boolean
  readonly isDim: boolean
}

function Line({ edge, from, to, isLit, isDim }: LineProps) {
  const isBack = to.x <= from.x
  const start = { x: from.x + (isBack ? 0 : boxPx.width), y: from.y + boxPx.height / 2 }
  const end = { x: to.x + (isBack ? boxPx.width : 0), y: to.y + boxPx.height / 2 }
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
