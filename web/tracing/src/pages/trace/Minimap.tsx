import { formatCount } from '@assay/ui/number-format.ts'
import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type PointerEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { SpanTree } from '../../spans/span-tree.ts'
import type { TimeScale } from '../../spans/time-scale.ts'
import styles from './minimap.module.css'
import { maxRowPx, minimapBars, minimapHeight, rowHeight } from './minimap-cells.ts'
import { paintCells } from './minimap-colors.ts'
import { between, isWhole, moved, type TimeWindow } from './time-window.ts'
import { type TreeRow, treeRowPx } from './tree-rows.ts'

interface Props {
  readonly tree: SpanTree
  readonly rows: readonly TreeRow[]
  readonly whole: TimeScale
  readonly window: TimeWindow
  readonly onWindow: (window: TimeWindow) => void
  readonly scroller: RefObject<HTMLDivElement | null>
}

/** Pointer movement below this is a click. */
const clickPx = 4

interface Drag {
  readonly startX: number
  readonly startY: number
  readonly startFromMs: number
  readonly startScrollTop: number
  readonly isInside: boolean
  readonly mode: 'undecided' | 'move' | 'brush'
}

/**
 * The whole trace in one strip, with a frame around the visible rows. Click to scroll there, drag the frame to
 * pan, drag horizontally elsewhere to zoom. Pointer only: the buttons and keys of the tree do the same.
 */
export function Minimap({ tree, rows, whole, window, onWindow, scroller }: Props) {
  const { ref: sizer, width } = useElementSize<HTMLDivElement>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const drag = useRef<Drag>(undefined)
  const [brush, setBrush] = useState<TimeWindow>()
  const scheme = useComputedColorScheme()
  const bars = useMemo(() => minimapBars(rows, tree, whole), [rows, tree, whole])
  const heightPx = minimapHeight(tree.nodes.length)
  const bandPx = rowHeight(rows.length, { width, height: heightPx, maxRowHeight: maxRowPx })

  useEffect(() => {
    if (canvas.current !== null && width > 0) {
      paintCells(canvas.current, bars, { widthPx: width, heightPx, maxRowPx })
    }
    // The CSS colors change with the color scheme.
  }, [bars, width, heightPx, scheme])

  // The frame follows scrolling without a React render.
  useEffect(() => {
    const list = scroller.current
    if (list === null) return
    // Reads before the rows update and moves by transform, so neither forces a layout.
    const follow = () => {
      const top = Math.min((list.scrollTop / treeRowPx) * bandPx, heightPx - 3)
      frame.current?.style.setProperty('transform', `translateY(${top}px)`)
    }
    const resized = new ResizeObserver(() => {
      const shown = Math.min(rows.length, list.clientHeight / treeRowPx)
      frame.current?.style.setProperty('height', `${Math.max(3, shown * bandPx)}px`)
      follow()
    })
    const early = { passive: true, capture: true }
    list.addEventListener('scroll', follow, early)
    resized.observe(list)
    return () => {
      list.removeEventListener('scroll', follow, early)
      resized.disconnect()
    }
  }, [scroller, rows.length, bandPx, heightPx])

  const msAt = (x: number) => (x / Math.max(1, width)) * whole.lengthMs
  const scrollTo = (y: number) => {
    const list = scroller.current
    list?.scrollTo({ top: (y / bandPx) * treeRowPx - list.clientHeight / 2 })
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const { x, y } = placeIn(event)
    const ms = msAt(x)
    drag.current = {
      startX: x,
      startY: y,
      startFromMs: window.fromMs,
      startScrollTop: scroller.current?.scrollTop ?? 0,
      isInside: !isWhole(window, whole) && ms >= window.fromMs && ms <= window.toMs,
      mode: 'undecided',
    }
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    const dragged = drag.current
    if (dragged === undefined) return
    const { x, y } = placeIn(event)
    const right = x - dragged.startX
    const down = y - dragged.startY
    if (dragged.mode === 'undecided') {
      if (Math.hypot(right, down) < clickPx) return
      const isMove = dragged.isInside || Math.abs(down) > Math.abs(right)
      drag.current = { ...dragged, mode: isMove ? 'move' : 'brush' }
    }
    if (drag.current?.mode === 'brush') setBrush(between(msAt(dragged.startX), msAt(x), whole))
    if (drag.current?.mode !== 'move') return
    scroller.current?.scrollTo({ top: dragged.startScrollTop + (down / bandPx) * treeRowPx })
    if (dragged.isInside) onWindow(moved(window, whole, dragged.startFromMs + msAt(right)))
  }

  function onPointerUp(event: PointerEvent<HTMLElement>): void {
    const dragged = drag.current
    drag.current = undefined
    setBrush(undefined)
    if (dragged === undefined) return
    const { x, y } = placeIn(event)
    if (dragged.mode === 'brush') onWindow(between(msAt(dragged.startX), msAt(x), whole))
    if (dragged.mode !== 'undecided') return
    scrollTo(y)
    const half = (window.toMs - window.fromMs) / 2
    if (!isWhole(window, whole)) onWindow(moved(window, whole, msAt(x) - half))
  }

  const share = (ms: number) => `${(ms / whole.lengthMs) * 100}%`
  const errors = bars.filter(({ isError }) => isError).length
  return (
    <div
      ref={sizer}
      className={styles.root}
      style={{ height: heightPx }}
      title="Click to scroll, drag to zoom, double-click to reset"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => {
        drag.current = undefined
        setBrush(undefined)
      }}
      onDoubleClick={() => onWindow({ fromMs: 0, toMs: whole.lengthMs })}
    >
      <canvas
        ref={canvas}
        className={styles.canvas}
        role="img"
        aria-label={`Overview: ${formatCount(rows.length)} rows, ${formatCount(errors)} with errors`}
      />
      <div
        ref={frame}
        className={styles.frame}
        style={{ left: share(window.fromMs), width: share(window.toMs - window.fromMs) }}
      />
      {brush !== undefined && (
        <div
          className={styles.brush}
          style={{ left: share(brush.fromMs), width: share(brush.toMs - brush.fromMs) }}
        />
      )}
    </div>
  )
}

function placeIn(event: PointerEvent<HTMLElement>) {
  const { left, top } = event.currentTarget.getBoundingClientRect()
  return { x: event.clientX - left, y: event.clientY - top }
}
