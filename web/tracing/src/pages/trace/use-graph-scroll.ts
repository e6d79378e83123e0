import { type RefObject, type UIEvent, useLayoutEffect, useRef } from 'react'
import type { GraphBoxes } from './graph-boxes.ts'

/** The position of the drawing, and the node it was last scrolled to. */
export interface GraphScroll {
  left: number
  top: number
  focusedId?: string
}

/** Below this, the names are too small to read. */
const minScale = 0.75

/**
 * Scales the drawing to the width of its box, and fades the edges with more behind them. Keeps the position when the
 * drawing is removed and added again. When another node gets the focus, centers its box if it is out of view, without
 * scrolling the page.
 */
export function useGraphScroll(
  scrollRef: RefObject<GraphScroll>,
  boxes: GraphBoxes,
  focusedId: string,
) {
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLDivElement>(null)
  const scale = useRef(1)
  useLayoutEffect(() => {
    const view = scroller.current
    if (view === null || canvas.current === null) return undefined
    scale.current = Math.max(minScale, Math.min(1, view.clientWidth / boxes.width))
    canvas.current.style.zoom = String(scale.current)
    const resized = new ResizeObserver(() => markHiddenEdges(view))
    resized.observe(view)
    resized.observe(canvas.current)
    return () => resized.disconnect()
  }, [boxes.width])

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
  }, [scrollRef, focusedId, x, y, width, height])
  return {
    canvas,
    scroller: {
      ref: scroller,
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
