import { type PointerEvent, useRef } from 'react'

/** Pointer movement below this is a click. */
const clickPx = 4

/** Handlers with which dragging scrolls an element. Fingers do so without them. */
export function useDragToPan() {
  const grabbed = useRef<{ x: number; y: number; left: number; top: number }>(undefined)
  const release = () => {
    grabbed.current = undefined
  }
  return {
    onPointerDown: ({ button, pointerType, clientX, clientY, currentTarget }: PointerEvent) => {
      if (button !== 0 || pointerType === 'touch') return
      const { scrollLeft: left, scrollTop: top } = currentTarget
      grabbed.current = { x: clientX, y: clientY, left, top }
    },
    onPointerMove: ({ buttons, clientX, clientY, currentTarget, pointerId }: PointerEvent) => {
      // The button may have been released outside.
      if (buttons === 0) release()
      const from = grabbed.current
      if (from === undefined) return
      const [right, down] = [clientX - from.x, clientY - from.y]
      const isPanning = currentTarget.hasPointerCapture(pointerId)
      if (!isPanning && Math.hypot(right, down) < clickPx) return
      // With the pointer captured, an element under it gets no click at the end.
      currentTarget.setPointerCapture(pointerId)
      currentTarget.scrollTo(from.left - right, from.top - down)
    },
    onPointerUp: release,
    onPointerCancel: release,
  }
}
