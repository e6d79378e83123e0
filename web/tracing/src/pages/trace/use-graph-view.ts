import { type RefObject, type UIEvent, useLayoutEffect, useRef } from 'react'
import type { GraphBoxes } from './graph-boxes.ts'
import { useDragToPan } from './use-drag-to-pan.ts'
import { useGraphZoom } from './use-graph-zoom.ts'

/** The position of the drawing, and the node it was last scrolled to. */
export interface GraphScroll {
  left: number
  top: number
  scale?: number
  focusedId?: string
}

/**
 * Zooms and pans the drawing, and fades the edges with more behind them. Keeps position and scale when the drawing is
 * removed and added again. When another node gets the focus, centers its box if it is out of view, without scrolling the
 * page.
 */
export function useGraphView(
  scrollRef: RefObject<GraphScroll>,
  boxes: GraphBoxes,
  focusedId: string,
) {
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLDivElement>(null)
  const { scale, onKeyDown, ...zoom } = useGraphZoom({ scroller, canvas }, scrollRef, boxes)
  const panning = useDragToPan()
  useLayoutEffect(() => {
    const [view, drawing] = [scroller.current, canvas.current]
    if (view === null || drawing === null) return undefined
    const resized = new ResizeObserver(() => markHiddenEdges(view))
    resized.observe(view)
    // Zooming changes it.
    resized.observe(drawing, { box: 'device-pixel-content-box' })
    return () => resized.disconnect()
  }, [])

  const box = boxes.of(focusedId)
  const [x, y, width, height] = [box.x, box.y, box.width, box.height]
  useLayoutEffect(() => {
    const view = scroller.current
    if (view === null) return
    if (scrollRef.current.focusedId === focusedId) {
      view.scrollTo(scrollRef.current.left, scrollRef.current.top)
      return
    }
    scrollRef.current.focusedId = focusedId
    const [left, right] = [x * scale.current, (x + width) * scale.current]
    const [top, bottom] = [y * scale.current, (y + height) * scale.current]
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = view
    const isInView =
      left < scrollLeft + clientWidth &&
      right > scrollLeft &&
      top < scrollTop + clientHeight &&
      bottom > scrollTop
    if (isInView) return
    view.scrollTo((left + right - clientWidth) / 2, (top + bottom - clientHeight) / 2)
  }, [scrollRef, scale, focusedId, x, y, width, height])
  return {
    canvas,
    ...zoom,
    scroller: {
      ref: scroller,
      onKeyDown,
      ...panning,
      onScroll: ({ currentTarget }: UIEvent<HTMLElement>) => {
        scrollRef.current.left = currentTarget.scrollLeft
        scrollRef.current.top = currentTarget.scrollTop
        markHiddenEdges(currentTarget)
      },
    },
  }
}

function markHiddenEdges(view: HTMLElement): void {
  const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = view
  view.toggleAttribute('data-more-left', scrollLeft > 1)
  view.toggleAttribute('data-more-right', scrollLeft + clientWidth < scrollWidth - 1)
  view.toggleAttribute('data-more-above', scrollTop > 1)
  view.toggleAttribute('data-more-below', scrollTop + clientHeight < scrollHeight - 1)
}
