import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { GraphBoxes } from './graph-boxes.ts'
import type { Point } from './graph-curves.ts'
import { followPinches } from './graph-pinches.ts'

/** Below this, the names are too small to read. */
const minInitialScale = 0.75
const minScale = 0.1
const maxScale = 2
const zoomStep = 1.25

interface GraphElements {
  /** The scrolling element, and the drawing in it. */
  readonly scroller: RefObject<HTMLElement | null>
  readonly canvas: RefObject<HTMLElement | null>
}

/** Where the scale is kept; it is undefined until the person zooms. */
type Kept = RefObject<{ scale?: number }>

/** Fits the drawing to the width of its box. Buttons, keys, pinches and the wheel with Ctrl zoom. */
export function useGraphZoom(
  { scroller, canvas }: GraphElements,
  keptRef: Kept,
  boxes: GraphBoxes,
) {
  const scale = useRef(1)
  useLayoutEffect(() => {
    const [view, drawing] = [scroller.current, canvas.current]
    if (view === null || drawing === null) return
    const initial = Math.max(minInitialScale, Math.min(1, view.clientWidth / boxes.width))
    scale.current = keptRef.current.scale ?? initial
    drawing.style.zoom = String(scale.current)
    view.style.setProperty('--height', `${boxes.height * initial}px`)
  }, [scroller, canvas, keptRef, boxes.width, boxes.height])

  function fitScale(): number {
    const { clientWidth = 0, clientHeight = 0 } = scroller.current ?? {}
    return Math.min(1, clientWidth / boxes.width, clientHeight / boxes.height)
  }

  /** The given point of the view, by default its middle, stays where it is. */
  function zoomTo(next: number, around?: Point): void {
    const [view, drawing] = [scroller.current, canvas.current]
    if (view === null || drawing === null) return
    const { x, y } = around ?? { x: view.clientWidth / 2, y: view.clientHeight / 2 }
    const to = Math.min(maxScale, Math.max(Math.min(minScale, fitScale()), next))
    const ratio = to / scale.current
    const box = view.getBoundingClientRect()
    const before = drawing.getBoundingClientRect()
    scale.current = to
    keptRef.current.scale = to
    drawing.style.zoom = String(to)
    const after = drawing.getBoundingClientRect()
    const [fromLeft, fromTop] = [box.left + x - before.left, box.top + y - before.top]
    view.scrollBy(
      after.left + fromLeft * ratio - (box.left + x),
      after.top + fromTop * ratio - (box.top + y),
    )
  }
  const latestZoom = useRef(zoomTo)
  useEffect(() => {
    latestZoom.current = zoomTo
  })
  useEffect(() => {
    const view = scroller.current
    if (view === null) return undefined
    const pinch = (factor: number, around: Point) =>
      latestZoom.current(scale.current * factor, around)
    return followPinches(view, pinch)
  }, [scroller])

  const zoomIn = () => zoomTo(scale.current * zoomStep)
  const zoomOut = () => zoomTo(scale.current / zoomStep)
  const fit = () => zoomTo(fitScale())
  function onKeyDown(event: KeyboardEvent): void {
    const zoom = { '+': zoomIn, '=': zoomIn, '-': zoomOut, '0': fit }[event.key]
    if (zoom === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    zoom()
  }
  return { scale, zoomIn, zoomOut, fit, onKeyDown }
}
