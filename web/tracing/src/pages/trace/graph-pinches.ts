import type { Point } from './graph-curves.ts'

/** Reports pinches of two fingers, and those of a touch pad, which arrive as turns of the wheel with Ctrl. */
export function followPinches(
  view: HTMLElement,
  onPinch: (factor: number, around: Point) => void,
): () => void {
  let lastPx: number | undefined

  function onWheel(event: WheelEvent): void {
    if (!(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    const turned = Math.max(-50, Math.min(50, event.deltaY))
    onPinch(Math.exp(-turned / 100), placeIn(view, event.clientX, event.clientY))
  }

  function onTouch(event: TouchEvent): void {
    const [one, other] = event.touches
    if (one === undefined || other === undefined || event.touches.length > 2) {
      lastPx = undefined
      return
    }
    if (event.cancelable) event.preventDefault()
    const px = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)
    const middle = [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2] as const
    if (lastPx !== undefined && lastPx > 0) onPinch(px / lastPx, placeIn(view, ...middle))
    lastPx = px
  }

  const touches = ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const
  view.addEventListener('wheel', onWheel, { passive: false })
  for (const type of touches) view.addEventListener(type, onTouch, { passive: false })
  return () => {
    view.removeEventListener('wheel', onWheel)
    for (const type of touches) view.removeEventListener(type, onTouch)
  }
}

function placeIn(view: HTMLElement, clientX: number, clientY: number): Point {
  const { left, top } = view.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}
